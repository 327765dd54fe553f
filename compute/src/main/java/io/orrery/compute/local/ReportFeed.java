package io.orrery.compute.local;

import io.orrery.compute.service.PlatformListener;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands in what an attempt reported, in its order: one batch is under way at a time, and nothing
 * more is read before it is durable. A point that the store refuses for good is passed over, and no
 * other one with it. Never waits itself: it asks for a nudge. Not thread safe.
 */
final class ReportFeed {
  private static final Logger LOG = LoggerFactory.getLogger(ReportFeed.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** While another server takes over the store, every trial is refused some times: no news. */
  private static final Duration SILENT_PAUSE = Duration.ofSeconds(1);

  private static final int BATCH = 5_000;

  private final Supplier<List<FileTailReader>> tails;
  private final PlatformListener listener;
  private final Clock clock;
  private final Runnable nudge;
  private List<MetricPoint> points = List.of();
  private int handedIn;
  private int most = BATCH;
  private int sent;
  private long refused;
  private @Nullable Future<Void> flight;
  private Duration pause = FIRST_PAUSE;
  private boolean warned;
  private volatile boolean pausing;

  /**
   * @param tails what is read, in this order; asked for at each reading
   */
  ReportFeed(
      Supplier<List<FileTailReader>> tails,
      PlatformListener listener,
      Clock clock,
      Runnable nudge) {
    this.tails = tails;
    this.listener = listener;
    this.clock = clock;
    this.nudge = nudge;
  }

  /** The reports that could not be stored, in words; null for none. */
  @Nullable String complaint() {
    return refused == 0 ? null : refused + " of its reports could not be stored";
  }

  /**
   * Goes on as far as it can without waiting.
   *
   * @param atEnd whether the files are complete
   * @return whether everything that they hold is durable; when not, a nudge comes
   */
  boolean drained(boolean atEnd) throws IOException {
    while (!pausing) {
      Future<Void> flown = flight;
      if (flown == null) {
        if (handedIn == points.size() && !read(atEnd)) {
          return true;
        }
        send();
      } else if (!flown.isComplete()) {
        return false;
      } else if (flown.succeeded()) {
        handedIn += sent;
        most = Math.min(BATCH, 2 * most);
        pause = FIRST_PAUSE;
        warned = false;
        flight = null;
      } else {
        flight = null;
        afterFailure(Problem.of(flown.cause()));
      }
    }
    return false;
  }

  private boolean read(boolean atEnd) throws IOException {
    handedIn = 0;
    for (FileTailReader tail : tails.get()) {
      points = tail.next(atEnd);
      if (!points.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private void send() {
    List<MetricPoint> batch =
        List.copyOf(points.subList(handedIn, Math.min(points.size(), handedIn + most)));
    sent = batch.size();
    Future<Void> started = listener.reported(batch);
    flight = started;
    if (!started.isComplete()) {
      started.onComplete(done -> nudge.run());
    }
  }

  private void afterFailure(Problem problem) {
    if (problem instanceof Problem.Refused || problem instanceof Problem.TooLarge) {
      narrow(problem);
    } else {
      sleepOn(problem);
    }
  }

  /**
   * A batch that can never be stored is halved until the one point that is to blame is alone. The
   * next are handed in by ones and twos again: a trial that gets it wrong seldom does so once.
   */
  private void narrow(Problem problem) {
    if (sent > 1) {
      most = sent / 2;
      return;
    }
    if (refused++ == 0) {
      LOG.warn(
          "could not store a report of {}, skipping this and similar ones: {}",
          points.get(handedIn).attempt(),
          problem.detail());
    }
    handedIn++;
  }

  private void sleepOn(Problem problem) {
    if (!(problem instanceof Problem.Busy) && !warned && pause.compareTo(SILENT_PAUSE) > 0) {
      warned = true;
      LOG.warn(
          "could not store reports of {} for more than a second, trying again: {}",
          points.get(handedIn).attempt(),
          problem.detail());
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
