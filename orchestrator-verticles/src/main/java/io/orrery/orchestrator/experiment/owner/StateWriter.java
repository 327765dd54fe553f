package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.lease.Lease;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.orchestrator.experiment.model.Changes;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes durable what the model changed, in a pipeline: at most one write is on its way, and
 * whatever happens meanwhile gathers for the next. So many decisions cost one fsync, and a write
 * that fails is simply made again, together with what came after it. Decisions that wait for a
 * commit wait here.
 *
 * <p>A write that is awaited is made at once: a decision, a user's request, a slot that is free.
 * The rest, such as that a trial has started, goes in rounds; after a crash its platform tells it
 * again.
 */
final class StateWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StateWriter.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** From the beginning of one write to that of the next, while it is not awaited. */
  private static final Duration ROUND = Duration.ofMillis(50);

  /** The actions after a durable write. */
  interface Committed {
    void carryOut(Decision.AfterCommit decision);

    void plansAreDurable(List<TrialId> planned);
  }

  private record Commit(
      Changes changes, List<Decision.AfterCommit> decided, List<Promise<Void>> waiting) {}

  /** A trial's row, while it is on its way: whether it came through is not known until it has. */
  private record Written(TrialState trial, TrialState.Stored holds) {}

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final Lease lease;
  private final ExperimentModel model;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final Committed committed;
  private final ExperimentId id;

  private ExperimentSpec storedSpec;
  private ExperimentStatus storedStatus;
  private boolean writing;
  private Instant next = Instant.MIN;
  private Clock.@Nullable Timer round;
  private @Nullable Changes underWay;
  private boolean closed;
  private List<Decision.AfterCommit> decided = new ArrayList<>();
  private List<Promise<Void>> waiters = new ArrayList<>();

  /**
   * @param lease without which nothing is written any more
   * @param stored the experiment as its row is now
   */
  StateWriter(
      Bus bus,
      Store store,
      Clock clock,
      Lease lease,
      ExperimentModel model,
      ExperimentRecord stored,
      Committed committed) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.lease = lease;
    this.model = model;
    this.id = stored.id();
    this.storedSpec = stored.spec();
    this.storedStatus = stored.status();
    this.trials = new TrialTable(store);
    this.experiments = new ExperimentTable(store);
    this.committed = committed;
  }

  /** Keeps a decision for after the next commit. */
  void afterCommit(Decision.AfterCommit decision) {
    decided.add(decision);
  }

  /** Completes when everything that has changed so far is durable. */
  Future<Void> durable() {
    if (!writing && !model.hasChanges()) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    waiters.add(promise);
    flush();
    return promise.future();
  }

  /**
   * A trial as its row is, once the row is as the trial is: who changes what has left memory must
   * not do so by an older one.
   */
  Future<Optional<TrialState>> stored(TrialRef trial) {
    return durable()
        .compose(durable -> trials.find(trial))
        .compose(found -> isBehind(trial.trial()) ? stored(trial) : Future.succeededFuture(found));
  }

  private boolean isBehind(TrialId trial) {
    return model.hasChanged(trial) || (underWay != null && underWay.touches(trial));
  }

  /** Writes what has changed: now, after the write that is on its way, or in the next round. */
  void flush() {
    if (writing || closed) {
      return;
    }
    if (isAwaited()) {
      flushNow();
    } else if (model.hasChanges() && round == null) {
      Duration rest = Duration.between(clock.now(), next);
      if (rest.isPositive()) {
        round = clock.after(rest, this::flushNow);
      } else {
        flushNow();
      }
    }
  }

  private boolean isAwaited() {
    return !decided.isEmpty() || !waiters.isEmpty() || model.awaitsCommit();
  }

  private void flushNow() {
    if (round != null) {
      round.cancel();
      round = null;
    }
    if (writing || closed) {
      return;
    }
    Commit commit = take();
    if (commit.changes().isEmpty()) {
      release(commit);
    } else {
      writing = true;
      next = clock.now().plus(ROUND);
      write(commit);
    }
  }

  /** Takes nothing more; completes when no write is on its way. */
  Future<Void> close() {
    Future<Void> last = durable();
    if (round != null) {
      round.cancel();
    }
    closed = !writing;
    return closed ? Future.succeededFuture() : last.onComplete(done -> closed = true);
  }

  private Commit take() {
    Commit commit = new Commit(model.takeChanges(), decided, waiters);
    decided = new ArrayList<>();
    waiters = new ArrayList<>();
    return commit;
  }

  private void write(Commit commit) {
    underWay = commit.changes();
    ExperimentRecord record = model.record(clock.now());
    List<Statement> statements = new ArrayList<>();
    commit.changes().withdrawn().forEach(trial -> statements.add(trials.delete(trial)));
    List<Written> rows = new ArrayList<>();
    for (TrialState trial : commit.changes().trials()) {
      statements.addAll(trials.save(trial));
      rows.add(new Written(trial, trial.stored()));
      trial.rowIs(null);
    }
    statements.add(experiments.update(record, !record.spec().equals(storedSpec)));
    List<Trial> views = commit.changes().trials().stream().map(TrialState::view).toList();
    List<TrialId> planned =
        commit.changes().trials().stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    store
        .write(statements)
        .onSuccess(durable -> {
          writing = false;
          underWay = null;
          storedSpec = record.spec();
          rows.forEach(row -> row.trial().rowIs(row.holds()));
          publish(record, views, commit.changes().withdrawn());
          release(commit);
          committed.plansAreDurable(planned);
          flush();
        })
        .onFailure(failure -> writeAgain(commit, failure));
  }

  /**
   * What was not stored is stored later, with what has changed since; nothing went out meanwhile.
   */
  private void writeAgain(Commit commit, Throwable failure) {
    if (!lease.held()) {
      giveUp(commit, failure);
      return;
    }
    LOG.error(
        "could not store the state of experiment {}, trying again: {}", id, failure.getMessage());
    clock.after(
        PAUSE,
        () -> {
          Commit newer = take();
          newer.changes().mergeOlder(commit.changes());
          newer.decided().addAll(0, commit.decided());
          newer.waiting().addAll(0, commit.waiting());
          write(newer);
        });
  }

  /** Another server writes this experiment: what was decided here meanwhile never was. */
  private void giveUp(Commit commit, Throwable failure) {
    closed = true;
    Commit newer = take();
    commit.waiting().forEach(waiter -> waiter.fail(failure));
    newer.waiting().forEach(waiter -> waiter.fail(failure));
  }

  private void release(Commit commit) {
    commit.decided().forEach(committed::carryOut);
    commit.waiting().forEach(Promise::complete);
  }

  private void publish(ExperimentRecord record, List<Trial> changed, List<TrialRef> withdrawn) {
    if (record.status() != storedStatus) {
      String why = record.error() == null ? "" : ": " + record.error();
      LOG.info("experiment {}: {} after {}{}", id, record.status(), storedStatus, why);
      storedStatus = record.status();
    }
    Consumer<ExperimentEvent> tell = event -> bus.publish(Experiments.EVENTS.of(id), event);
    withdrawn.forEach(trial -> tell.accept(new ExperimentEvent.TrialWithdrawn(trial)));
    changed.forEach(trial -> tell.accept(new ExperimentEvent.TrialChanged(trial)));
    var news = new ExperimentEvent.Changed(record.view(clock.now()));
    tell.accept(news);
    bus.publish(Experiments.NEWS, news);
  }
}
