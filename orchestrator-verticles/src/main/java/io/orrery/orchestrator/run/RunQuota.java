package io.orrery.orchestrator.run;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.quota.QuotaVerticle;
import io.orrery.orchestrator.quota.TrialCharge;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quota of one run: the run itself is charged when its first step is to start, and each step
 * with resources while it runs. A step for which there is no room waits with the reason.
 */
final class RunQuota {
  private static final Logger LOG = LoggerFactory.getLogger(RunQuota.class);
  private static final String KIND = "run";
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final RunSpec run;
  private final long epoch;
  private final String listener;
  private final Map<Integer, Waiting> waiting = new HashMap<>();

  /** The parts that an earlier owner may have been granted. */
  private final Set<String> inherited = new HashSet<>();

  private boolean runHeld;
  private boolean closed;

  /**
   * A step that is to start.
   *
   * @param holds that are still missing, in their order
   */
  private record Waiting(List<Hold> holds, Consumer<String> reasons, Runnable start) {}

  RunQuota(Bus bus, Clock clock, RunSpec run, long epoch) {
    this.bus = bus;
    this.clock = clock;
    this.run = run;
    this.epoch = epoch;
    this.listener = KIND + "-" + run.id() + "-" + epoch;
  }

  /** Completes when it hears what it is granted later. */
  Future<Subscription> open() {
    return bus.serve(
        QuotaVerticle.GRANTED.of(listener),
        granted -> {
          hear(granted.object(), granted.held());
          return Future.succeededFuture(new QuotaVerticle.Noted());
        });
  }

  private static String part(int step) {
    return "s" + step;
  }

  private Hold hold(String part, Amounts unit) {
    return new Hold(
        new QuotaObject(KIND, run.id().value(), part), run.project(), run.runner(), epoch, unit, 1);
  }

  private Hold ofRun() {
    return hold("", Amounts.of(QuotaResource.RUNS, 1));
  }

  private List<Hold> ofStep(int number, StepSpec step) {
    Amounts unit = TrialCharge.of(step);
    return unit.isNone() ? List.of() : List.of(hold(part(number), unit));
  }

  /**
   * Starts a step as soon as there is room.
   *
   * @param reasons told why it waits
   */
  void admit(int number, StepSpec step, Consumer<String> reasons, Runnable start) {
    List<Hold> holds = new ArrayList<>();
    if (!runHeld) {
      holds.add(ofRun());
    }
    holds.addAll(ofStep(number, step));
    next(number, new Waiting(holds, reasons, start));
  }

  private void next(int number, Waiting step) {
    if (step.holds().isEmpty()) {
      waiting.remove(number);
      step.start().run();
      return;
    }
    waiting.put(number, step);
    bus.request(QuotaVerticle.ASK, question(step.holds().getFirst()))
        .onComplete((held, failure) -> {
          if (closed || !step.equals(waiting.get(number))) {
            return;
          }
          if (failure == null) {
            inherited.remove(step.holds().getFirst().object().part());
            answered(number, step, held);
          } else if (Bus.isUnserved(failure)) {
            // A server without a ledger has no quotas.
            waiting.remove(number);
            step.start().run();
          } else {
            step.reasons().accept("its quota cannot be asked for: " + Problem.of(failure).detail());
            clock.after(
                AGAIN,
                () -> {
                  if (!closed && step.equals(waiting.get(number))) {
                    next(number, step);
                  }
                });
          }
        });
  }

  /** What an earlier owner may have been granted, the ledger knows; the queue does not. */
  private QuotaVerticle.Ask question(Hold hold) {
    int held = inherited.contains(hold.object().part()) ? hold.wanted() : 0;
    return new QuotaVerticle.Ask(
        listener, hold, held, hold.wanted(), QuotaVerticle.Ask.NORMAL, false, false);
  }

  private void answered(int number, Waiting step, HoldAnswer held) {
    if (held.units() > 0) {
      runHeld |= step.holds().getFirst().object().part().isEmpty();
      List<Hold> rest = step.holds().subList(1, step.holds().size());
      next(number, new Waiting(rest, step.reasons(), step.start()));
    } else if (held.reason() != null) {
      step.reasons().accept(held.reason());
    }
  }

  /** All steps may wait for the run itself. */
  private void hear(QuotaObject object, HoldAnswer held) {
    if (closed) {
      return;
    }
    Map.copyOf(waiting)
        .forEach((number, step) -> {
          if (!step.holds().isEmpty() && step.holds().getFirst().object().equals(object)) {
            answered(number, step, held);
          }
        });
  }

  /** Lets a step that waits not start; whether it waited. */
  boolean leave(int number) {
    Waiting left = waiting.remove(number);
    if (left == null) {
      return false;
    }
    left.holds().stream().filter(hold -> !hold.object().part().isEmpty()).forEach(this::giveBack);
    return true;
  }

  /** Gives back what an attempt of a step held that is over. */
  void settled(int number, StepSpec step) {
    ofStep(number, step).forEach(this::giveBack);
  }

  private void giveBack(Hold hold) {
    bus.request(QuotaVerticle.ASK, new QuotaVerticle.Ask(listener, hold.with(0)))
        .onFailure(failure -> warn(hold.object().toString(), failure));
  }

  private static void warn(String object, Throwable failure) {
    if (!Bus.isUnserved(failure)) {
      LOG.warn("could not give back the quota of {}: {}", object, Problem.of(failure).detail());
    }
  }

  /** Gives back what an earlier owner left, but for steps that are in flight. */
  void takeOver(Set<Integer> inFlight) {
    inherited.add("");
    inFlight.forEach(step -> inherited.add(part(step)));
    release(List.copyOf(inherited));
  }

  /** Gives back all that the run holds: it is over. */
  void over() {
    giveBack(ofRun());
    release(List.of());
  }

  private void release(List<String> kept) {
    bus.request(Quotas.RELEASE, new Quotas.Release(KIND, run.id().value(), epoch, kept))
        .onFailure(failure -> warn("run " + run.id(), failure));
  }

  void close() {
    closed = true;
  }

  /**
   * Gives back what was left charged to runs that are over.
   *
   * @param goesOn whether a run is not over, asked when its turn has come: it may have begun since
   */
  static void sweep(Bus bus, Predicate<RunId> goesOn) {
    bus.request(Quotas.HELD, new Quotas.HeldBy(KIND))
        .compose(all ->
            AsyncLoop.inTurn(
                all.items().stream().map(each -> each.object().name()).distinct().toList(),
                name ->
                    goesOn.test(new RunId(name)) ? Future.succeededFuture() : release(bus, name)))
        .onFailure(failure -> warn("runs that are over", failure));
  }

  private static Future<?> release(Bus bus, String name) {
    return bus.request(Quotas.RELEASE, new Quotas.Release(KIND, name, Long.MAX_VALUE, List.of()))
        .onFailure(failure -> warn("run " + name, failure))
        .otherwiseEmpty();
  }
}
