package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.runtime.Failures;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Explains a port: what it is, and what its DPU says that it runs, or why nothing is known. */
final class PortExplanations {
  private final PortExplainer explainer;
  private final BiFunction<Image, Port, io.gatehouse.proto.v1.Port> message;

  /**
   * Explanations.
   *
   * @param message renders a port with its status
   */
  PortExplanations(
      PortExplainer explainer, BiFunction<Image, Port, io.gatehouse.proto.v1.Port> message) {
    this.explainer = explainer;
    this.message = message;
  }

  void explain(
      Image image, ExplainPortRequest request, StreamObserver<ExplainPortResponse> observer) {
    Port port;
    ExplainPortResponse.Builder response;
    try {
      PortName name = read("name", request.getName(), PortName::parse);
      port = Found.existing(image.port(name), name);
      response =
          ExplainPortResponse.newBuilder()
              .setPort(message.apply(image, port))
              .setNetwork(name.network().toString())
              .setVni(Found.existing(image.network(name.network()), name.network()).vni().value());
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, ""));
      return;
    }
    CompletableFuture<PortObservation> unused =
        explainer
            .explain(port)
            .whenComplete((observed, failure) -> answer(observer, response, observed, failure));
  }

  private static void answer(
      StreamObserver<ExplainPortResponse> observer,
      ExplainPortResponse.Builder response,
      @Nullable PortObservation observed,
      @Nullable Throwable failure) {
    if (observed != null) {
      observer.onNext(response.setObservation(observed).build());
      observer.onCompleted();
      return;
    }
    Throwable cause = failure == null ? null : Failures.cause(failure);
    if (cause instanceof PortExplainer.UnreachableException) {
      observer.onNext(response.setUnavailable(String.valueOf(cause.getMessage())).build());
      observer.onCompleted();
      return;
    }
    observer.onError(
        StatusErrors.of(cause == null ? new IllegalStateException("no answer") : cause, ""));
  }
}
