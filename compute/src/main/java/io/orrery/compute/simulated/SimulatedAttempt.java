package io.orrery.compute.simulated;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated attempt on its way through its {@link Fate}. What it has to tell goes through one
 * line, in order: news that are late hold up those behind them.
 */
final class SimulatedAttempt {
  private static final String SOURCE = "simulated";

  /** The pause before a report that was refused for lack of room is sent again. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Submission submission;
  private final Fate fate;
  private final Simulation simulation;
  private final Clock clock;
  private final PlatformListener listener;
  private final Promise<Void> over = Promise.promise();
  private Clock.@Nullable Timer next;
  private boolean started;
  private boolean ending;
  private int told;

  /** Completes when everything that was to be told so far has been taken. */
  private Future<Void> line = Future.succeededFuture();

  SimulatedAttempt(
      Submission submission, Simulation simulation, Clock clock, PlatformListener listener) {
    this.submission = submission;
    this.simulation = simulation;
    this.clock = clock;
    this.listener = listener;
    this.fate = Fate.of(simulation.scenario(), submission);
  }

  /** Completes when its end has been told. */
  Future<Void> over() {
    return over.future();
  }

  private AttemptRef ref() {
    return submission.attempt();
  }

  void begin() {
    if (fate.queued() > 0) {
      tell(new PlatformEvent.Waiting(ref(), "waits in the simulated queue"));
    }
    next = after(fate.queued(), this::start);
  }

  private void start() {
    started = true;
    tell(new PlatformEvent.Started(ref(), clock.now(), "simulated"));
    step();
  }

  private void step() {
    // The distances are those of a run that comes to its end, which is one further on.
    double pause = fate.runs() / (fate.reports().size() + 1);
    next = after(pause, told < fate.reports().size() ? this::report : this::finish);
  }

  private void report() {
    report(MetricKind.INTERMEDIATE, told, fate.reports().get(told));
    told++;
    step();
  }

  private void finish() {
    Double result = fate.result();
    if (result != null) {
      report(MetricKind.FINAL, 0, result);
    }
    end(fate.exitCode(), fate.exitCode() == null ? "the simulated platform lost it" : null);
  }

  /** Ends it before its time. */
  void cancel() {
    if (ending) {
      return;
    }
    if (next != null) {
      next.cancel();
    }
    end(
        started ? Keepers.State.Ended.TERMINATED : null,
        started ? null : "was ended before it started");
  }

  /**
   * Takes it back.
   *
   * @return false when it has started
   */
  boolean withdraw() {
    if (started || ending) {
      return false;
    }
    ending = true;
    if (next != null) {
      next.cancel();
    }
    over.tryComplete();
    return true;
  }

  /** Tells nothing more. */
  void fallSilent() {
    ending = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void end(@Nullable Integer exitCode, @Nullable String reason) {
    ending = true;
    inLine(() -> {
      PlatformEvent ended = new PlatformEvent.Ended(ref(), exitCode, clock.now(), reason);
      listener.happened(ended);
      if (simulation.repeats()) {
        listener.happened(ended);
      }
      over.tryComplete();
      return Future.succeededFuture();
    });
  }

  private void tell(PlatformEvent event) {
    inLine(() -> {
      listener.happened(event);
      if (simulation.repeats()) {
        listener.happened(event);
      }
      return Future.succeededFuture();
    });
  }

  private void report(MetricKind kind, long sequence, double value) {
    MetricPoint point =
        new MetricPoint(
            ref(),
            SOURCE,
            kind == MetricKind.FINAL ? 0 : sequence,
            kind,
            sequence,
            submission.parameters().parameterId(),
            clock.millis(),
            MetricValue.of(value));
    inLine(() -> handIn(List.of(point)));
    if (simulation.repeats()) {
      inLine(() -> handIn(List.of(point)));
    }
  }

  private Future<Void> handIn(List<MetricPoint> points) {
    return listener
        .reported(points)
        .recover(busy -> {
          Promise<Void> taken = Promise.promise();
          clock.after(PAUSE, () -> handIn(points).onComplete(taken));
          return taken.future();
        });
  }

  /** Runs an action in its turn, once the platform can be reached. */
  private void inLine(Supplier<Future<Void>> news) {
    double delay = simulation.delay(clock.now());
    line =
        delay == 0
            ? line.compose(taken -> news.get())
            : Future.join(line, passed(delay)).compose(both -> news.get());
  }

  private Future<Void> passed(double seconds) {
    Promise<Void> passed = Promise.promise();
    after(seconds, passed::complete);
    return passed.future();
  }

  private Clock.Timer after(double seconds, Runnable step) {
    return clock.after(simulation.onTheClock(seconds), step);
  }
}
