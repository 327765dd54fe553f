package io.orrery.gateway.trial;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;

/**
 * The API of logs, {@code …/trials/{t}/logs/{stdout|stderr|trial}}: bytes from {@code offset} on,
 * negative from the end. Without {@code follow} up to the end as it is now, which {@code
 * X-Next-Offset} names; with it for as long as the attempt writes.
 */
final class LogApi implements Api {
  private static final List<String> STREAMS = List.of("stdout", "stderr", "trial");

  private final Bus bus;
  private final LogStreams streams;

  public LogApi(Bus bus, LogStreams streams) {
    this.bus = bus;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        TrialApi.ONE + "/logs/:stream", RouteNeed.READ, this::read, "offset", "follow", "attempt");
  }

  /** Ends what is being followed: the clients see a complete answer and may ask again. */
  @Override
  public void close() {
    streams.close();
  }

  private void read(RoutingContext context) {
    Query query = Query.of(context);
    int attempt = (int) query.integer("attempt", 0, 1, Integer.MAX_VALUE);
    TrialRef trial = PathIds.trial(context);
    Trials.Stream stream = stream(context);
    streams.send(
        context,
        (offset, limit) ->
            bus.request(
                Trials.READ_LOG,
                new Trials.ReadLog(trial, attempt == 0 ? null : attempt, stream, offset, limit)));
  }

  private static Trials.Stream stream(RoutingContext context) {
    String name = context.pathParam("stream");
    if (!STREAMS.contains(name)) {
      throw new Problem.NotFound(
              "A trial has no log '" + name + "'; it has " + String.join(", ", STREAMS) + ".")
          .toException();
    }
    return Trials.Stream.valueOf(name.toUpperCase(Locale.ROOT));
  }
}
