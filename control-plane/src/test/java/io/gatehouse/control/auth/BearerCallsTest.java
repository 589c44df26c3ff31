package io.gatehouse.control.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.CreateTenantResponse;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollResponse;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.ListTenantsResponse;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.CallBudget;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls without a client certificate, as they come in on the listener that asks for none. */
class BearerCallsTest {
  private static final int BURST = 20;
  private static final Map<String, Caller> GOOD =
      Map.of(
          "fleet", new Caller("oidc/i/ann", Role.FLEET_OPERATOR, Optional.empty()),
          "viewer",
              new Caller("oidc/i/bob", Role.TENANT_VIEWER, Optional.of(new TenantName("acme"))));

  private final AtomicInteger checked = new AtomicInteger();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final List<Caller> seen = new CopyOnWriteArrayList<>();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    Callers callers = new Callers("gatehouse.test", this::check, name -> Optional.empty());
    CallBudget budget = new CallBudget(1, BURST, 100, () -> 0);
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .intercept(
                new PeerInterceptor(
                    callers,
                    budget,
                    (actor, action, subject, status) ->
                        refused.add(actor + " " + action + " " + status.getCode())))
            .addService(new Tenants())
            .addService(new Enrolment())
            .build()
            .start();
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void aGoodTokenIsItsCaller() {
    assertThat(list("Bearer fleet")).isEqualTo(Status.Code.OK);
    assertThat(list("bearer  viewer")).isEqualTo(Status.Code.OK);
    assertThat(seen).containsExactly(GOOD.get("fleet"), GOOD.get("viewer"));
    assertThat(create("Bearer viewer")).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused)
        .containsExactly("oidc/i/bob gatehouse.v1.TenantService/CreateTenant PERMISSION_DENIED");
  }

  @Test
  void withoutAnyProofNobodyGetsIn() {
    assertThat(list("")).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(list("Basic YWRtaW46YWRtaW4=")).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(list("Bearer other")).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(seen).isEmpty();
    assertThat(refused)
        .hasSize(3)
        .allMatch(
            line ->
                line.equals(
                    "address/127.0.0.1 gatehouse.v1.TenantService/ListTenants UNAUTHENTICATED"));
  }

  @Test
  void enrolmentNeedsNone() {
    Status.Code code =
        AnyCall.status(
                () ->
                    EnrollmentServiceGrpc.newBlockingStub(channel)
                        .enroll(EnrollRequest.getDefaultInstance()))
            .getCode();
    assertThat(code).isEqualTo(Status.Code.OK);
    assertThat(seen)
        .containsExactly(new Caller("address/127.0.0.1", Role.ANYONE, Optional.empty()));
  }

  /** To check a signature is work: an address has only so many bad tokens. */
  @Test
  void aFloodOfBadTokensIsNotChecked() {
    for (int i = 0; i < 500; i++) {
      assertThat(list("Bearer bad" + i)).isNotEqualTo(Status.Code.OK);
    }
    assertThat(checked).hasValue(BURST);
  }

  private Caller check(String token) throws TokenRefusedException {
    checked.incrementAndGet();
    Caller caller = GOOD.get(token);
    if (caller == null) {
      throw new TokenRefusedException("the token is refused");
    }
    return caller;
  }

  private Status.Code list(String authorization) {
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(with(authorization))
                    .listTenants(ListTenantsRequest.getDefaultInstance()))
        .getCode();
  }

  private Status.Code create(String authorization) {
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(with(authorization))
                    .createTenant(CreateTenantRequest.getDefaultInstance()))
        .getCode();
  }

  private Channel with(String authorization) {
    if (authorization.isEmpty()) {
      return channel;
    }
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private final class Tenants extends TenantServiceGrpc.TenantServiceImplBase {
    @Override
    public void listTenants(
        ListTenantsRequest request, StreamObserver<ListTenantsResponse> observer) {
      seen.add(Caller.current());
      observer.onNext(ListTenantsResponse.getDefaultInstance());
      observer.onCompleted();
    }

    @Override
    public void createTenant(
        CreateTenantRequest request, StreamObserver<CreateTenantResponse> observer) {
      seen.add(Caller.current());
      observer.onNext(CreateTenantResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }

  private final class Enrolment extends EnrollmentServiceGrpc.EnrollmentServiceImplBase {
    @Override
    public void enroll(EnrollRequest request, StreamObserver<EnrollResponse> observer) {
      seen.add(Caller.current());
      observer.onNext(EnrollResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }
}
