package io.gatehouse.control.audit;

import io.gatehouse.control.journal.Chain;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.ExportAuditResponse;
import io.gatehouse.wire.AuditWire;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.Queue;

/** One export under way: sends rows while the transport takes them. For one thread. */
final class ExportStream {
  private static final int ROWS = 200;

  private final AuditChain which;
  private final Chain chain;
  private final ServerCallStreamObserver<ExportAuditResponse> call;
  private final Queue<Chain.Row> read = new ArrayDeque<>();
  private long sent;
  private boolean ended;

  ExportStream(AuditChain which, Chain chain, ServerCallStreamObserver<ExportAuditResponse> call) {
    this.which = which;
    this.chain = chain;
    this.call = call;
  }

  /** Sends what can be sent now, and ends the call behind the last row. What fails ends it. */
  void send() {
    boolean whole = false;
    try {
      sendReady();
      whole = true;
    } finally {
      ended |= !whole;
    }
  }

  private void sendReady() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      if (read.isEmpty()) {
        read.addAll(chain.rows(sent, ROWS));
      }
      Chain.Row row = read.poll();
      if (row == null) {
        ended = true;
        call.onCompleted();
        return;
      }
      sent = row.seq();
      call.onNext(message(row));
    }
  }

  private ExportAuditResponse message(Chain.Row row) {
    return ExportAuditResponse.newBuilder()
        .setSequence(row.seq())
        .setPreviousHash(row.previousHash())
        .setHash(row.hash())
        .setPayload(row.payload())
        .setEvent(AuditWire.event(which, row.seq(), row.hash(), row.payload()))
        .build();
  }
}
