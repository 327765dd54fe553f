package io.orrery.orchestrator.platform.local;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.platform.PlatformListener;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands in what an attempt reported, in its order: one batch is under way at a time, and nothing
 * more is read before it is durable. Never waits itself: it asks for a nudge. Not thread safe.
 */
final class Feed {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int BATCH = 5_000;

  private final List<Tail> tails;
  private final PlatformListener listener;
  private final Clock clock;
  private final Runnable nudge;
  private List<MetricPoint> points = List.of();
  private int handedIn;
  private @Nullable Future<Void> flight;
  private Duration pause = FIRST_PAUSE;
  private volatile boolean pausing;

  Feed(List<Tail> tails, PlatformListener listener, Clock clock, Runnable nudge) {
    this.tails = List.copyOf(tails);
    this.listener = listener;
    this.clock = clock;
    this.nudge = nudge;
  }

  /**
   * Goes on as far as it can without waiting.
   *
   * @param atEnd whether the files are complete
   * @return whether everything that they hold is durable; when not, a nudge comes
   */
  boolean drained(boolean atEnd) throws IOException {
    while (!pausing) {
      Future<Void> sent = flight;
      if (sent == null) {
        if (handedIn == points.size() && !read(atEnd)) {
          return true;
        }
        send();
      } else if (!sent.isComplete()) {
        return false;
      } else if (sent.succeeded()) {
        handedIn = Math.min(points.size(), handedIn + BATCH);
        pause = FIRST_PAUSE;
        flight = null;
      } else {
        flight = null;
        sleepOn(sent.cause());
      }
    }
    return false;
  }

  private boolean read(boolean atEnd) throws IOException {
    handedIn = 0;
    for (Tail tail : tails) {
      points = tail.next(atEnd);
      if (!points.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private void send() {
    List<MetricPoint> batch =
        List.copyOf(points.subList(handedIn, Math.min(points.size(), handedIn + BATCH)));
    Future<Void> sent = listener.reported(batch);
    flight = sent;
    if (!sent.isComplete()) {
      sent.onComplete(done -> nudge.run());
    }
  }

  private void sleepOn(Throwable cause) {
    Problem problem = Problem.of(cause);
    if (!(problem instanceof Problem.Busy)) {
      LOG.warn("Reports were not stored, trying again: {}", problem.detail());
    }
    pausing = true;
    clock.after(
        pause,
        () -> {
          pausing = false;
          nudge.run();
        });
    pause =
        pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
  }
}
