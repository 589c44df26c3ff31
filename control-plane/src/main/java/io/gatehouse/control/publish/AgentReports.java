package io.gatehouse.control.publish;

import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;

/**
 * Takes what agents report. Called by the thread that received the message, in order for one
 * session; must not block, and must not call the session back from the same thread.
 */
public interface AgentReports {
  /** A stream has begun; its Hello is within its bounds. */
  void connected(SyncSession session, Hello hello);

  /** Policy was applied and read back; the Ack is within its bounds. */
  void acked(SyncSession session, Ack ack);

  /** The agent has proved isolation anew; the proof is within its bounds. */
  void proved(SyncSession session, IsolationProof proof);

  /**
   * What the agent knows of the paths to other DPUs has changed; the report is within its bounds.
   */
  void pathsChanged(SyncSession session, PathReport report);

  /** The agent is there. */
  void heartbeat(SyncSession session, long appliedRevision);

  /** The stream has ended, if it ever began with a Hello; nothing follows. */
  void closed(SyncSession session);
}
