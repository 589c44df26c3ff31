package io.gatehouse.runtime.identity;

import io.gatehouse.proto.v1.TrustBundle;

/**
 * What the control plane has just given, checked.
 *
 * @param held what to keep on disk
 * @param trustBundle the whole of it, with revocation lists and policy keys
 * @param name whose it is, such as {@code dpus/dpu1}; empty where the answer does not tell
 */
public record NewIdentity(HeldIdentity held, TrustBundle trustBundle, String name) {}
