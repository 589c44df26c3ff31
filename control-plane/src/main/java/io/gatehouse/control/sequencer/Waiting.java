package io.gatehouse.control.sequencer;

import io.gatehouse.control.decide.Command;
import java.util.concurrent.CompletableFuture;

/** A command that waits for its answer. */
record Waiting(Command command, CompletableFuture<Committed> answer) {}
