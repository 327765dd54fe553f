package io.orrery.gateway.tensorboard;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ClientGone;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * The API of event files, {@code …/trials/{t}/tfevents}: the points of a trial's last attempt as a
 * scalar event file, page by page, no faster than the client reads. Its name begins as TensorBoard
 * wants it, so that a folder of such files, one folder a trial, can be shown at once.
 */
final class EventFileApi implements Api {
  private final Bus bus;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  public EventFileApi(Bus bus, Clock clock, Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ApiRouter.V1 + "/experiments/:experiment/trials/:trial/tfevents",
        RouteNeed.READ,
        this::eventFile);
  }

  private void eventFile(RoutingContext context) {
    bus.request(Trials.GET, new Trials.Get(PathIds.trial(context)))
        .compose(trial -> send(context, trial))
        .onFailure(context::fail);
  }

  private Future<Void> send(RoutingContext context, Trial trial) {
    EventFile file = new EventFile(bus, trial);
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
        .putHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
    Outflow out = new Outflow(context.response(), clock, patience, () -> {});
    return write(file, out).onSuccess(complete -> out.end());
  }

  private static Future<Void> write(EventFile file, Outflow out) {
    return AsyncLoop.repeat(() ->
        out.over()
            ? Future.failedFuture(new ClientGone())
            : file.next()
                .compose(piece ->
                    piece.length == 0
                        ? Future.succeededFuture(false)
                        : out.write(Buffer.buffer(piece)).map(true)));
  }
}
