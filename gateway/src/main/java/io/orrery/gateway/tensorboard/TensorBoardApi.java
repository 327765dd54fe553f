package io.orrery.gateway.tensorboard;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.tensorboard.EventFileWriter;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ClientGone;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.PathIds;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * {@code …/trials/{t}/tfevents}: the points of a trial's last attempt as a scalar event file, page
 * by page, no faster than the client reads. Its name begins as TensorBoard wants it, so that a
 * folder of such files, one folder a trial, can be shown at once.
 */
public final class TensorBoardApi implements Api {
  private static final int PAGE = 5_000;

  private final Bus bus;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  public TensorBoardApi(Bus bus, Clock clock, Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ApiRouter.V1 + "/experiments/:experiment/trials/:trial/tfevents", this::eventFile);
  }

  private void eventFile(RoutingContext context) {
    bus.request(Trials.GET, new Trials.Get(PathIds.trial(context)))
        .compose(trial -> send(context, trial))
        .onFailure(context::fail);
  }

  private Future<Void> send(RoutingContext context, Trial trial) {
    Instant started = trial.startedAt() == null ? trial.createdAt() : trial.startedAt();
    String name =
        "events.out.tfevents." + started.getEpochSecond() + "." + trial.ref().trial().value();
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
        .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"");
    Outflow out = new Outflow(context.response(), clock, patience, () -> {});
    EventFileWriter file = new EventFileWriter(started.toEpochMilli());
    return page(trial.ref(), new Metrics.Stretch(List.of(), null), out, file)
        .onSuccess(complete -> out.end());
  }

  /**
   * @param before the page before this one, empty before the first
   */
  private Future<Void> page(
      TrialRef trial, Metrics.Stretch before, Outflow out, EventFileWriter file) {
    if (out.over()) {
      return Future.failedFuture(new ClientGone());
    }
    return bus.request(Metrics.POINTS, new Metrics.PointsSince(trial, before.next(), PAGE))
        .compose(page -> {
          boolean more = !page.points().isEmpty() && sameAttempt(before, page);
          if (more) {
            page.points().forEach(point -> Scalars.add(point, file));
          }
          Future<Void> written = out.write(Buffer.buffer(file.take()));
          return more ? written.compose(room -> page(trial, page, out, file)) : written;
        });
  }

  /** A retry that began in between is another file. */
  private static boolean sameAttempt(Metrics.Stretch before, Metrics.Stretch page) {
    return before.points().isEmpty()
        || before.points().getFirst().attempt().equals(page.points().getFirst().attempt());
  }
}
