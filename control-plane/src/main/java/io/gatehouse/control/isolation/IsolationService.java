package io.gatehouse.control.isolation;

import io.gatehouse.control.api.Paging;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.fleet.Scope;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.GetIsolationProofRequest;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.ListIsolationProofsRequest;
import io.gatehouse.proto.v1.ListIsolationProofsResponse;
import io.gatehouse.proto.v1.VerifyIsolationRequest;
import io.gatehouse.proto.v1.VerifyIsolationResponse;
import io.gatehouse.wire.FieldReader;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Has DPUs prove the isolation of their ports, a few at a time. Waits hold no thread. */
public final class IsolationService extends IsolationServiceGrpc.IsolationServiceImplBase {
  private static final int AT_A_TIME = 8;
  private static final int MAX_PAGE = 100;
  private static final int DEFAULT_PAGE = 20;

  private final Supplier<Image> images;
  private final AgentProofs proofs;

  public IsolationService(Supplier<Image> images, AgentProofs proofs) {
    this.images = images;
    this.proofs = proofs;
  }

  @Override
  public void verifyIsolation(
      VerifyIsolationRequest request, StreamObserver<VerifyIsolationResponse> responses) {
    try {
      Scope scope = FieldReader.read("scope", request.getScope(), Scope::parse);
      Image image = images.get();
      if (scope instanceof Scope.OfNetwork) {
        throw new InvalidValueException("scope", request.getScope(), "is no tenant and no DPU");
      }
      if (!scope.exists(image)) {
        throw notFound("scope", request.getScope());
      }
      String asked = scope instanceof Scope.OfTenant tenant ? tenant.tenant().toString() : "";
      new Verification(List.copyOf(scope.dpus(image)), asked, Caller.current().tenant(), responses)
          .start();
    } catch (InvalidValueException e) {
      responses.onError(invalid(e));
    } catch (StatusRuntimeException e) {
      responses.onError(e);
    }
  }

  @Override
  public void getIsolationProof(
      GetIsolationProofRequest request, StreamObserver<IsolationProof> responses) {
    try {
      DpuName dpu = FieldReader.read("name", request.getName(), DpuName::parse);
      if (images.get().dpu(dpu).isEmpty()) {
        throw notFound("name", request.getName());
      }
      responses.onNext(
          proofs
              .newest(dpu)
              .orElseThrow(
                  () ->
                      Status.NOT_FOUND
                          .withDescription("name: " + dpu + " has reported no proof yet")
                          .asRuntimeException()));
      responses.onCompleted();
    } catch (InvalidValueException e) {
      responses.onError(invalid(e));
    } catch (StatusRuntimeException e) {
      responses.onError(e);
    }
  }

  @Override
  public void listIsolationProofs(
      ListIsolationProofsRequest request, StreamObserver<ListIsolationProofsResponse> responses) {
    try {
      int size = request.getPageSize();
      if (size < 0 || size > MAX_PAGE) {
        throw new InvalidValueException("page_size", size, "is outside 0.." + MAX_PAGE);
      }
      NavigableMap<DpuName, IsolationProof> known = new TreeMap<>();
      for (DpuName dpu : images.get().dpus().keySet()) {
        proofs.newest(dpu).ifPresent(proof -> known.put(dpu, proof));
      }
      Paging.Page<IsolationProof> page =
          Paging.of(size == 0 ? DEFAULT_PAGE : size, request.getPageToken(), "isolationProofs")
              .page(known, proof -> true, DpuName::parse);
      responses.onNext(
          ListIsolationProofsResponse.newBuilder()
              .addAllProofs(page.resources())
              .setNextPageToken(page.nextToken())
              .build());
      responses.onCompleted();
    } catch (InvalidValueException e) {
      responses.onError(invalid(e));
    }
  }

  private static StatusRuntimeException notFound(String field, String name) {
    return Status.NOT_FOUND
        .withDescription(field + ": " + name + " does not exist")
        .asRuntimeException();
  }

  private static StatusRuntimeException invalid(InvalidValueException e) {
    return Status.INVALID_ARGUMENT
        .withDescription(e.field() + ": " + e.reason())
        .asRuntimeException();
  }

  /** One call: asks the next DPU whenever one has answered. */
  private final class Verification {
    private final Iterator<DpuName> left;
    private final String scope;
    private final Optional<TenantName> tenant;
    private final StreamObserver<VerifyIsolationResponse> responses;
    private int remaining;

    Verification(
        List<DpuName> dpus,
        String scope,
        Optional<TenantName> tenant,
        StreamObserver<VerifyIsolationResponse> responses) {
      this.left = dpus.iterator();
      this.remaining = dpus.size();
      this.scope = scope;
      this.tenant = tenant;
      this.responses = responses;
    }

    synchronized void start() {
      if (remaining == 0) {
        responses.onCompleted();
        return;
      }
      List<DpuName> first = new ArrayList<>();
      while (first.size() < AT_A_TIME && left.hasNext()) {
        first.add(left.next());
      }
      first.forEach(this::ask);
    }

    private void ask(DpuName dpu) {
      CompletableFuture<?> unused =
          proofs.ask(dpu, scope).thenAccept(answer -> answered(dpu, answer));
    }

    private void answered(DpuName dpu, IsolationAnswer answer) {
      Optional<DpuName> next;
      synchronized (this) {
        remaining--;
        VerifyIsolationResponse.Builder response =
            VerifyIsolationResponse.newBuilder()
                .setDpu(dpu.toString())
                .setUnavailable(answer.getUnavailable())
                .setRemainingCount(remaining);
        if (answer.hasProof()) {
          IsolationProof proof = answer.getProof();
          response.setProof(tenant.map(own -> TenantView.of(proof, own)).orElse(proof));
        }
        responses.onNext(response.build());
        if (remaining == 0) {
          responses.onCompleted();
        }
        next = left.hasNext() ? Optional.of(left.next()) : Optional.empty();
      }
      next.ifPresent(this::ask);
    }
  }
}
