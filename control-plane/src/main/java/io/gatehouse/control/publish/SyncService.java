package io.gatehouse.control.publish;

import io.gatehouse.control.auth.CallingDpu;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** The agents' streams as gRPC carries them. The DPU is the certificate's, whatever is said. */
public final class SyncService implements BindableService {
  private final Publisher publisher;

  public SyncService(Publisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public ServerServiceDefinition bindService() {
    MethodDescriptor<SyncRequest, SyncResponse> sync = SyncServiceGrpc.getSyncMethod();
    return ServerServiceDefinition.builder(SyncServiceGrpc.SERVICE_NAME)
        .addMethod(
            sync.toBuilder(
                    new ReadableRequests(sync.getRequestMarshaller()), sync.getResponseMarshaller())
                .build(),
            ServerCalls.asyncBidiStreamingCall(this::sync))
        .build();
  }

  private StreamObserver<SyncRequest> sync(StreamObserver<SyncResponse> responses) {
    ServerCallStreamObserver<SyncResponse> call =
        (ServerCallStreamObserver<SyncResponse>) responses;
    SyncSession session = publisher.open(CallingDpu.current(), new GrpcOutbound(call));
    call.setOnReadyHandler(session::ready);
    call.setOnCancelHandler(session::closed);
    return new Inbound(session);
  }

  private record GrpcOutbound(ServerCallStreamObserver<SyncResponse> call) implements SyncOutbound {
    @Override
    public boolean isReady() {
      return call.isReady();
    }

    @Override
    public void send(SyncResponse message) {
      call.onNext(message);
    }

    @Override
    public void complete() {
      call.onCompleted();
    }

    @Override
    public void end(StatusRuntimeException reason) {
      call.onError(reason);
    }
  }

  private record Inbound(SyncSession session) implements StreamObserver<SyncRequest> {
    @Override
    public void onNext(SyncRequest request) {
      session.received(request);
    }

    @Override
    public void onError(Throwable cause) {
      session.closed();
    }

    @Override
    public void onCompleted() {
      session.halfClosed();
    }
  }
}
