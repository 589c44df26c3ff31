package io.gatehouse.control;

import com.google.protobuf.ByteString;
import io.gatehouse.control.api.Calls;
import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.identity.AdminToken;
import io.gatehouse.control.identity.CertificateService;
import io.gatehouse.control.identity.EnrollmentService;
import io.gatehouse.control.identity.FirstStart;
import io.gatehouse.control.identity.IdentityService;
import io.gatehouse.control.identity.Issuance;
import io.gatehouse.control.identity.LiveCalls;
import io.gatehouse.control.identity.PolicyKeyCheck;
import io.gatehouse.control.identity.RenewalAsks;
import io.gatehouse.control.identity.TrustBundles;
import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.IdentityRevoked;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.pki.RevocationCheck;
import io.gatehouse.control.pki.RevocationLists;
import io.gatehouse.control.pki.ServerCertificate;
import io.gatehouse.control.publish.AgentReports;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.UnavailableException;
import io.gatehouse.runtime.tls.TlsFileException;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.BindableService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that issue certificates and act on revocations, wired. */
final class IdentityParts {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityParts.class);

  private final Sequencer commands;
  private final InstantSource clock;
  private final Executor executor;
  private final RefusalLog refusals;
  private final List<Der> policyKeys;
  private final String trustDomain;
  private final PkiConfig config;
  private final Authorities authorities;
  private final ServerCertificate server;
  private final AdminToken adminToken;
  private final LiveCalls liveCalls;
  private final RevocationCheck check;
  private final RenewalAsks asks;
  private final Issuance issuance;
  private String problem = "";

  /** What the parts work with. */
  record Surroundings(
      Sequencer commands,
      InstantSource clock,
      Executor executor,
      RefusalLog refusals,
      AgentReports reports,
      PolicySigner signer) {}

  /**
   * Parts that are not at work yet.
   *
   * @throws PkiException if the vault of the keys cannot be opened
   */
  IdentityParts(ControlPlaneConfig settings, Surroundings around) {
    this.config = settings.pki().authorities();
    this.trustDomain = settings.trustDomain();
    this.commands = around.commands();
    this.clock = around.clock();
    this.executor = around.executor();
    this.refusals = around.refusals();
    this.policyKeys = around.signer().publicKeys().stream().map(Der::of).toList();
    this.authorities = Authorities.open(config, trustDomain);
    this.server = new ServerCertificate(authorities, config);
    this.adminToken = new AdminToken(config.directory());
    this.check = new RevocationCheck(commands::image, trustDomain, clock);
    this.liveCalls = new LiveCalls(check, trustDomain, refusals);
    TrustBundles bundles = new TrustBundles(new RevocationLists(authorities), published());
    this.issuance = new Issuance(commands, authorities, bundles, clock, executor);
    this.asks =
        new RenewalAsks(around.reports(), commands::image, executor, config.deviceLifetime());
  }

  /** What agents report goes through here. */
  AgentReports reports() {
    return asks;
  }

  LiveCalls liveCalls() {
    return liveCalls;
  }

  RevocationCheck check() {
    return check;
  }

  /**
   * Makes what is missing and checks the rest; the sequencer is at work.
   *
   * @return certificate and trust of this control plane
   * @throws PkiException if the keys here are not the journal's
   */
  TlsFiles open() throws IOException {
    FirstStart.run(commands, authorities, clock);
    PolicyKeyCheck.run(commands, policyKeys, clock);
    server.renewIfDue(commands.image(), clock.instant());
    adminToken.makeFirst(commands, clock.instant());
    return TlsFiles.open(server.paths());
  }

  private List<ByteString> published() {
    return policyKeys.stream().map(key -> ByteString.copyFrom(key.toBytes())).toList();
  }

  /** Services for those who have a certificate. */
  List<BindableService> services(Executor answering) {
    return List.of(
        new CertificateService(issuance, answering),
        new IdentityService(new Calls(commands, clock, answering), authorities, clock));
  }

  /** Starts the server for those who have none. */
  EnrollmentEndpoint enrollment(InetSocketAddress address, TlsFiles tls, Executor answering)
      throws IOException {
    return EnrollmentEndpoint.start(
        address,
        tls,
        new EnrollmentService(issuance, trustDomain, refusals, answering),
        refusals,
        answering);
  }

  /** Takes the next entry; returns at once. */
  void committed(Committed committed, Publisher publisher) {
    asks.committed(committed, publisher::session);
    boolean identities = false;
    boolean revoked = false;
    for (var event : committed.entry().events()) {
      if (event instanceof IdentityChanged changed) {
        identities = true;
        revoked |= isRevocation(changed.event());
      }
    }
    if (revoked) {
      executor.execute(liveCalls::recheck);
    }
    if (identities) {
      executor.execute(this::tend);
    }
  }

  /** Renews the own certificate if it is due; also called every second. Says a problem once. */
  synchronized void tend() {
    try {
      if (commands.image().identities().root().isPresent()
          && server.renewIfDue(commands.image(), clock.instant())) {
        server
            .notAfter()
            .ifPresent(
                end -> LOG.atInfo().addKeyValue("not_after", end).log("own certificate made"));
      }
      adminToken.tidy(commands::image, clock.instant());
      liveCalls.recheck();
      problem = "";
    } catch (IOException
        | UncheckedIOException
        | PkiException
        | TlsFileException
        | UnavailableException e) {
      String now = String.valueOf(e.getMessage());
      if (!now.equals(problem)) {
        LOG.atWarn().addKeyValue("reason", now).log("own certificate cannot be renewed");
      }
      problem = now;
    }
  }

  private static boolean isRevocation(IdentityEvent event) {
    return event instanceof IdentityRevoked || event instanceof AuthorityRevoked;
  }

  @Override
  public String toString() {
    return "IdentityParts[" + config.directory() + "]";
  }
}
