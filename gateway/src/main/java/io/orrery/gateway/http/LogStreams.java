package io.orrery.gateway.http;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.LogTail.Source;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Sends logs to clients: bytes from {@code offset} on, negative from the end. Without {@code
 * follow} up to the end as it is now, which {@code X-Next-Offset} names; with it for as long as the
 * program writes.
 */
public final class LogStreams {
  private static final String NEXT_OFFSET = "X-Next-Offset";

  private final Clock clock;
  private final EdgeOptions options;
  private final Set<LogTail> followers = new HashSet<>();

  public LogStreams(Clock clock, EdgeOptions options) {
    this.clock = clock;
    this.options = options;
  }

  /**
   * Answers a request with a log, as its parameters {@code offset} and {@code follow} say. Never
   * throws: it is called when a log has been looked up, where no handler would answer instead.
   */
  public void send(RoutingContext context, Source source) {
    try {
      Query query = Query.of(context);
      long offset = query.integer("offset", 0, Long.MIN_VALUE, Long.MAX_VALUE);
      if (query.flag("follow")) {
        follow(context, source, offset);
      } else {
        copy(context, source, offset);
      }
    } catch (RuntimeException e) {
      context.fail(e);
    }
  }

  /** Ends what is being followed: the clients see a complete answer and may ask again. */
  public void close() {
    Set.copyOf(followers).forEach(LogTail::stop);
  }

  private void follow(RoutingContext context, Source source, long offset) {
    if (followers.size() >= options.maxFollowers()) {
      throw new Problem.Busy(
              options.maxFollowers() + " logs are being followed already.", Duration.ofSeconds(5))
          .toException();
    }
    LogTail tail = new LogTail(clock, source, offset, LogTail.ENDLESS);
    followers.add(tail);
    run(context, tail);
  }

  private void copy(RoutingContext context, Source source, long offset) {
    source
        .read(-1, 1)
        .onSuccess(last -> {
          context.response().putHeader(NEXT_OFFSET, Long.toString(last.next()));
          run(context, new LogTail(clock, source, offset, last.next()));
        })
        .onFailure(context::fail);
  }

  private void run(RoutingContext context, LogTail tail) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
    Outflow out = new Outflow(context.response(), clock, options.patience(), tail::stop);
    tail.into(out).onComplete(ended -> followers.remove(tail)).onFailure(context::fail);
  }
}
