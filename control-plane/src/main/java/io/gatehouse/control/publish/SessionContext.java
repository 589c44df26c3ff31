package io.gatehouse.control.publish;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What all sessions share.
 *
 * @param executor runs what a session has to send; never called while a session waits for it
 * @param nanoClock a monotonic clock
 */
record SessionContext(
    PolicySource source,
    AgentReports reports,
    SnapshotAdmission admission,
    Executor executor,
    SyncMetrics metrics,
    LongSupplier nanoClock) {}
