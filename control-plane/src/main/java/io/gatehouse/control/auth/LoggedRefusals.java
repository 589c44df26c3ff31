package io.gatehouse.control.auth;

import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refusals as lines of the program's log. */
public final class LoggedRefusals implements RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedRefusals.class);

  @Override
  public void refused(String actor, String action, String subject, Status status) {
    LOG.atWarn()
        .addKeyValue("actor", actor)
        .addKeyValue("action", action)
        .addKeyValue("subject", subject)
        .addKeyValue("code", status.getCode())
        .addKeyValue("reason", status.getDescription())
        .log("call refused");
  }
}
