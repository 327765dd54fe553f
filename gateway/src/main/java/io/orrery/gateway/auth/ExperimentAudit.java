package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Audits.Entry;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.DryRun;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an audit entry for each request of a user that changes an experiment, or was refused. A
 * check is neither, unless the user may not do what it is about. The entry follows the answer:
 * unlike those of accounts and projects it is not in the commit of the change, and a server that is
 * killed in between loses it.
 */
final class ExperimentAudit {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentAudit.class);

  private static final int FORBIDDEN = 403;

  private final Bus bus;
  private final Clock clock;

  ExperimentAudit(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** Notes a request once it is answered. */
  void follow(RoutingContext context, Caller caller) {
    HttpServerRequest request = context.request();
    String address = Callers.address(context);
    boolean check = DryRun.isCheck(context);
    context.addEndHandler(ended -> {
      int status = context.response().getStatusCode();
      if (check && status != FORBIDDEN) {
        return;
      }
      add(
          new Entry(
              clock.now(),
              caller.name(),
              address,
              request.method().name().toLowerCase(Locale.ROOT),
              "experiment",
              Objects.requireNonNullElse(request.path(), ""),
              null,
              result(status),
              ""));
    });
  }

  private void add(Entry entry) {
    bus.request(Audits.ADD, new Audits.Add(List.of(entry)))
        .onFailure(failure ->
            LOG.warn(
                "could not write an audit entry of {}: {}", entry.user(), failure.getMessage()));
  }

  private static String result(int status) {
    return status < 400 ? "done" : "refused with " + status;
  }
}
