package io.gatehouse.agent.subscribe;

import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.RenewalRequest;
import io.grpc.ManagedChannel;
import java.util.concurrent.CompletableFuture;

/** What a {@link SyncClient} needs to reach a control plane and to speak for this agent. */
public interface ControlPlane {
  /** A new channel; the caller shuts it down. Fails if certificates cannot be read. */
  ManagedChannel connect() throws java.io.IOException;

  /** A Hello with everything but what is held. */
  Hello.Builder introduction();

  /** The control plane asks for a renewal of the certificate; must not block. */
  void renewalAsked(RenewalRequest request);

  /** Answers a query about isolation; the future does not fail. */
  CompletableFuture<IsolationAnswer> prove(IsolationQuery query);

  /** Answers a query about a path; the future does not fail. */
  CompletableFuture<PathAnswer> probePath(PathQuery query);

  /** Answers a query about a port; the future may fail. */
  CompletableFuture<ExplainAnswer> explain(ExplainQuery query);
}
