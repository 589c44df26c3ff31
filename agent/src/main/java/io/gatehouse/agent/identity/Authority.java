package io.gatehouse.agent.identity;

import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import java.io.IOException;

/**
 * Who gives certificates. Calls block, with a limit, and throw {@link
 * io.grpc.StatusRuntimeException} or {@link io.gatehouse.runtime.identity.IdentityException}.
 */
public interface Authority {
  /** The first certificate, for a key that is on disk. */
  NewIdentity enroll(TokenText token, FreshKey key) throws IOException;

  /** One in place of an expired one. */
  NewIdentity recover(HeldIdentity expired) throws IOException;

  /** One in place of a valid one. */
  NewIdentity renew() throws IOException;

  /** Whom to trust now. */
  TrustBundle trustBundle() throws IOException;
}
