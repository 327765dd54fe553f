package io.orrery.gateway.trial;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The API of logs, {@code …/trials/{t}/logs/{stdout|stderr|trial}}: bytes from {@code offset} on,
 * negative from the end. Without {@code follow} up to the end as it is now, which {@code
 * X-Next-Offset} names; with it for as long as the attempt writes.
 */
public final class LogApi implements Api {
  private static final String NEXT_OFFSET = "X-Next-Offset";
  private static final List<String> STREAMS = List.of("stdout", "stderr", "trial");

  private final Bus bus;
  private final Clock clock;
  private final EdgeOptions options;
  private final Set<LogTail> followers = new HashSet<>();

  public LogApi(Bus bus, Clock clock, EdgeOptions options) {
    this.bus = bus;
    this.clock = clock;
    this.options = options;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        TrialApi.ONE + "/logs/:stream", RouteNeed.READ, this::read, "offset", "follow", "attempt");
  }

  /** Ends what is being followed: the clients see a complete answer and may ask again. */
  @Override
  public void close() {
    Set.copyOf(followers).forEach(LogTail::stop);
  }

  private void read(RoutingContext context) {
    Query query = Query.of(context);
    long offset = query.integer("offset", 0, Long.MIN_VALUE, Long.MAX_VALUE);
    int attempt = (int) query.integer("attempt", 0, 1, Integer.MAX_VALUE);
    LogTail.Source source =
        new LogTail.Source(PathIds.trial(context), attempt == 0 ? null : attempt, stream(context));
    if (query.flag("follow")) {
      follow(context, source, offset);
    } else {
      copy(context, source, offset);
    }
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

  private void follow(RoutingContext context, LogTail.Source source, long offset) {
    if (followers.size() >= options.maxFollowers()) {
      throw new Problem.Busy(
              options.maxFollowers() + " logs are being followed already.", Duration.ofSeconds(5))
          .toException();
    }
    LogTail tail = new LogTail(bus, clock, source, offset, LogTail.ENDLESS);
    followers.add(tail);
    run(context, tail);
  }

  private void copy(RoutingContext context, LogTail.Source source, long offset) {
    bus.request(Trials.READ_LOG, source.read(-1, 1))
        .onSuccess(last -> {
          context.response().putHeader(NEXT_OFFSET, Long.toString(last.next()));
          run(context, new LogTail(bus, clock, source, offset, last.next()));
        })
        .onFailure(context::fail);
  }

  private void run(RoutingContext context, LogTail tail) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
    Outflow out = new Outflow(context.response(), clock, options.patience(), tail::stop);
    tail.into(out).onComplete(ended -> followers.remove(tail)).onFailure(context::fail);
  }
}
