package io.gatehouse.agent.state;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;

/**
 * Who gives hosts their configuration: the same on every DPU and in every network, so that a host
 * whose port has moved renews at the server that it knows (docs/decisions/0069).
 */
public final class ServerIdentity {
  /** Locally administered; "gh" in the middle. */
  public static final MacAddress MAC = MacAddress.parse("02:67:68:00:00:01");

  /** Of the part of 169.254.0.0/16 that no host gives itself (RFC 3927 §2.1). */
  public static final IpAddress IPV4 = IpAddress.parse("169.254.0.1");

  public static final IpAddress LINK_LOCAL = MAC.linkLocal();

  private ServerIdentity() {}
}
