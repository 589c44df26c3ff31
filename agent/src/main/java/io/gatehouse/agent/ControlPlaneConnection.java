package io.gatehouse.agent;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.sysfs.BootId;
import io.gatehouse.agent.device.sysfs.DpuFunction;
import io.gatehouse.agent.report.PortExplainer;
import io.gatehouse.agent.subscribe.ControlPlane;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.runtime.BuildVersion;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The way to the control plane, and how this agent introduces itself there. */
final class ControlPlaneConnection implements ControlPlane {
  private static final int MAX_MESSAGE_BYTES = 4 << 20;
  private static final long KEEPALIVE_SECONDS = 10;
  private static final long KEEPALIVE_TIMEOUT_SECONDS = 5;
  private static final int MAX_FUNCTIONS = 1_024;

  /** Kind of a subject alternative name that is a URI (RFC 5280 §4.2.1.6). */
  private static final int URI_NAME = 6;

  private final AgentConfig config;
  private final TlsFiles tls;
  private final EventLoopGroup loops;
  private final Supplier<List<DpuFunction>> functions;
  private final PortExplainer explainer;
  private final UUID bootId;
  private int next;

  private ControlPlaneConnection(
      AgentConfig config,
      EventLoopGroup loops,
      Supplier<List<DpuFunction>> functions,
      PortExplainer explainer,
      UUID bootId) {
    this.config = config;
    this.tls = TlsFiles.open(config.controlPlane().tls());
    checkIdentity(config.site().dpu(), tls.certificate());
    this.loops = loops;
    this.functions = functions;
    this.explainer = explainer;
    this.bootId = bootId;
    // By the DPU's name, not by chance: the same agent starts at the same replica.
    this.next =
        Math.floorMod(config.site().dpu().hashCode(), config.controlPlane().targets().size());
  }

  /**
   * The control plane goes by the certificate alone. An agent with another DPU's certificate would
   * be given, and open, that DPU's ports.
   */
  private static void checkIdentity(DpuName dpu, X509Certificate certificate) {
    String ending = "/dpu/" + dpu.dpu();
    if (uris(certificate).noneMatch(uri -> uri.startsWith("spiffe://") && uri.endsWith(ending))) {
      throw new InvalidValueException(
          "dpu", dpu.dpu(), "is not the DPU that tls.certificate was given to");
    }
  }

  private static Stream<String> uris(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? Stream.empty()
          : names.stream()
              .filter(name -> Integer.valueOf(URI_NAME).equals(name.get(0)))
              .map(name -> String.valueOf(name.get(1)));
    } catch (CertificateParsingException e) {
      return Stream.empty();
    }
  }

  static ControlPlaneConnection open(
      AgentConfig config,
      EventLoopGroup loops,
      Supplier<List<DpuFunction>> functions,
      PortExplainer explainer)
      throws DeviceException {
    UUID bootId = BootId.read(BootId.DEFAULT_FILE);
    return new ControlPlaneConnection(config, loops, functions, explainer, bootId);
  }

  /**
   * Half-open connections are noticed by keepalive: a silent peer never means an old policy for
   * ever.
   */
  @Override
  public ManagedChannel connect() {
    AgentConfig.Upstream upstream = config.controlPlane();
    HostPort target = upstream.targets().get(next);
    next = (next + 1) % upstream.targets().size();
    return NettyChannelBuilder.forAddress(target.host(), target.port())
        .overrideAuthority(upstream.serverName())
        .sslContext(tls.clientContext())
        .eventLoopGroup(loops)
        .channelType(EpollSocketChannel.class)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .disableRetry()
        .build();
  }

  @Override
  public Hello.Builder introduction() {
    return Hello.newBuilder()
        .setAgentVersion(BuildVersion.current())
        .setBootId(bootId.toString())
        .setVtepAddress(config.site().vtep().toString())
        .setUnderlayMtuBytes(config.underlayMtuBytes())
        .addAllFunctions(
            functions.get().stream().map(DpuFunction::text).limit(MAX_FUNCTIONS).toList());
  }

  @Override
  public void renewalAsked(RenewalRequest request) {
    // The certificate is given by files: whoever wrote them replaces them.
  }

  @Override
  public CompletableFuture<ExplainAnswer> explain(ExplainQuery query) {
    return explainer
        .explain(query.getPort())
        .thenApply(
            observation ->
                ExplainAnswer.newBuilder()
                    .setQueryId(query.getQueryId())
                    .setObservation(observation)
                    .build());
  }
}
