package io.gatehouse.model.policy;

/**
 * One thing a DPU must know, kept under the name of the network, port, group, peering or DPU that
 * it describes.
 */
public sealed interface PolicyResource
    permits NetworkPolicy,
        LocalPortPolicy,
        RemotePortPolicy,
        SecurityGroupPolicy,
        PeeringPolicy,
        VtepPolicy {

  /** The resource's full name; unique in a policy. */
  String key();
}
