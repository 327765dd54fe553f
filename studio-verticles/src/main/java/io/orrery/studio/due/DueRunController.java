package io.orrery.studio.due;

import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.pipeline.PipelineFreezer;
import io.orrery.studio.schedule.ScheduleTable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that creates due runs and submits them, one server at a time by a lease. A timer
 * goes to the next instant of any schedule; what was missed is made up for by a round over all.
 */
public final class DueRunController extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(DueRunController.class);

  /** The longest wait: after it the clock is looked at again, which may have been set. */
  private static final Duration ROUND = Duration.ofSeconds(20);

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  /** The most schedules that are looked at at once. */
  private static final int MOST_AT_ONCE = 64;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final ScheduleTable schedules;
  private final DueRunSteps steps;
  private final RunWatch runs;
  private final Map<PipelineName, Instant> wakes = new HashMap<>();
  private final Set<PipelineName> queue = new LinkedHashSet<>();
  private final Set<PipelineName> busy = new HashSet<>();
  private final Set<PipelineName> again = new HashSet<>();
  private final List<Subscription> listening = new ArrayList<>();
  private Clock.@Nullable Timer timer;
  private Clock.@Nullable Timer round;
  private boolean closed;

  /**
   * @param store which fails writes when another server has the schedules
   */
  public DueRunController(Bus bus, Store store, Clock clock) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.schedules = new ScheduleTable(store);
    this.steps =
        new DueRunSteps(bus, store, clock, new DueFreezer(new PipelineFreezer(bus, store)));
    this.runs = new RunWatch(bus, store, clock, this::look);
  }

  @Override
  public Future<?> start() {
    return ScheduleTable.MIGRATIONS
        .apply(store)
        .compose(applied -> AlertRows.MIGRATIONS.apply(store))
        .onSuccess(applied -> {
          listening.add(
              bus.listen(
                  Schedules.CHANGED,
                  changed -> context.runOnContext(go -> look(changed.pipeline()))));
          listening.add(
              bus.listen(
                  PipelineRuns.CHANGED,
                  changed -> context.runOnContext(go -> runs.changed(changed.id()))));
          round();
        });
  }

  private void round() {
    if (closed) {
      return;
    }
    runs.lookAll();
    schedules
        .pipelines()
        .onSuccess(all -> all.forEach(this::look))
        .onFailure(
            failure -> LOG.warn("could not read the schedules: {}", Problem.of(failure).detail()))
        .onComplete(done -> {
          if (!closed) {
            round = clock.after(ROUND, this::round);
          }
        });
  }

  /** Looks at a schedule as soon as others leave room for it. */
  private void look(PipelineName pipeline) {
    if (closed) {
      return;
    }
    if (busy.contains(pipeline)) {
      again.add(pipeline);
    } else {
      queue.add(pipeline);
      work();
    }
  }

  private void work() {
    while (busy.size() < MOST_AT_ONCE && !queue.isEmpty() && !closed) {
      PipelineName next = queue.iterator().next();
      queue.remove(next);
      busy.add(next);
      wakes.remove(next);
      steps
          .run(next)
          .onComplete(done -> {
            busy.remove(next);
            if (done.failed()) {
              LOG.warn(
                  "could not run the schedule of {}: {}", next, Problem.of(done.cause()).detail());
              wakes.put(next, clock.now().plus(TRY_AGAIN));
            } else {
              done.result().ifPresent(at -> wakes.put(next, at));
            }
            if (again.remove(next)) {
              queue.add(next);
            }
            arm();
            work();
          });
    }
  }

  private void arm() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Instant first = wakes.values().stream().min(Instant::compareTo).orElse(null);
    if (first != null && !closed) {
      Duration wait = Duration.between(clock.now(), first);
      Duration least = Duration.ofMillis(1);
      Duration capped = wait.compareTo(ROUND) > 0 ? ROUND : wait;
      timer = clock.after(capped.compareTo(least) < 0 ? least : capped, this::tick);
    }
  }

  private void tick() {
    Instant now = clock.now();
    List<PipelineName> due = new ArrayList<>();
    wakes.forEach((pipeline, at) -> {
      if (!at.isAfter(now)) {
        due.add(pipeline);
      }
    });
    due.forEach(this::look);
    arm();
  }

  @Override
  public Future<?> stop() {
    closed = true;
    listening.forEach(Subscription::cancel);
    runs.close();
    if (timer != null) {
      timer.cancel();
    }
    if (round != null) {
      round.cancel();
    }
    return Future.succeededFuture();
  }
}
