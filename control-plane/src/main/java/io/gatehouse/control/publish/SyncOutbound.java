package io.gatehouse.control.publish;

import io.gatehouse.proto.v1.SyncResponse;
import io.grpc.StatusRuntimeException;

/** The sending half of an agent's stream. A session calls it by one thread at a time. */
interface SyncOutbound {
  /** False while the transport has enough to send; a session then waits for its ready call. */
  boolean isReady();

  /** Sends one message; without effect on a stream that has ended. */
  void send(SyncResponse message);

  /** Ends the stream in peace. */
  void complete();

  /** Ends the stream for a reason. */
  void end(StatusRuntimeException reason);
}
