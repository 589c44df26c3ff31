package io.gatehouse.agent;

import io.gatehouse.agent.device.sysfs.MachineSerial;
import io.gatehouse.agent.identity.IdentityStore;
import io.gatehouse.agent.identity.RemoteAuthority;
import io.gatehouse.agent.identity.TokenFile;
import io.netty.channel.EventLoopGroup;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What the agent has for its identity, by its settings.
 *
 * @param store what is on disk
 * @param tokenFile where a token may appear
 * @param channels to the control plane, with the certificate
 * @param authority who gives certificates
 */
record IdentityParts(
    IdentityStore store,
    Optional<TokenFile> tokenFile,
    ControlPlaneChannels channels,
    RemoteAuthority authority) {

  static IdentityParts of(AgentConfig config, EventLoopGroup loops) {
    IdentityStore store = new IdentityStore(config.site().dpu(), config.identity().directory());
    // By the DPU's name, not by chance: the same agent starts at the same replica.
    ControlPlaneChannels channels =
        new ControlPlaneChannels(
            config.controlPlane(), store, loops, config.site().dpu().hashCode());
    return new IdentityParts(
        store,
        config.identity().tokenFile().map(TokenFile::new),
        channels,
        new RemoteAuthority(
            config.identity().enrollmentTargets(),
            config.controlPlane().serverName(),
            MachineSerial.read(MachineSerial.DEFAULT_FILE),
            channels::connect,
            InstantSource.system()));
  }
}
