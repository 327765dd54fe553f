package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialRef;
import io.orrery.orchestrator.experiment.ExperimentVerticle.House;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.spec.PlatformOptions;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to all experiments: answers questions from the tables, creates, and hands commands to
 * the owner of an experiment, which it wakes when it is not there. An owner whose experiment is
 * over is put away, so that memory depends on what runs and not on what ever ran.
 */
public final class ExperimentDirectory extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentDirectory.class);

  private static final long DELETED_AT_ONCE = 2_000;

  /** An experiment that has an owner here, and how many commands are on their way to it. */
  private static final class Owned {
    final Future<String> deployment;
    int commands;

    Owned(Future<String> deployment) {
      this.deployment = deployment;
    }
  }

  private final House house;
  private final Creation creation;
  private final boolean takeUp;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final Map<ExperimentId, Owned> owned = new HashMap<>();
  private final Map<ExperimentId, Future<Void>> goingAway = new HashMap<>();

  /**
   * @param creation makes experiments out of configurations
   * @param takeUp whether experiments that were going on are continued at start
   */
  public ExperimentDirectory(
      Bus bus, Store store, Platforms platforms, Clock clock, Creation creation, boolean takeUp) {
    this.house = new House(bus, store, platforms, clock);
    this.creation = creation;
    this.takeUp = takeUp;
    this.experiments = new ExperimentTable(store);
    this.trials = new TrialTable(store);
  }

  @Override
  public Future<?> start() {
    return ExperimentTable.MIGRATIONS
        .apply(house.store())
        .compose(current -> serve())
        .compose(served -> takeUp ? takeUp() : Future.succeededFuture());
  }

  private Future<?> serve() {
    Bus bus = house.bus();
    TrialPages pages = new TrialPages(house.store(), trials);
    TrialPoints points = new TrialPoints(vertx, house.store());
    RestorationDesk restorations = new RestorationDesk(house, creation, experiments, trials);
    ParetoFront front = new ParetoFront(vertx, house.store(), trials);
    bus.listen(Metrics.FINALS, finals -> finals.points().forEach(this::late));
    return Future.all(
        List.of(
            bus.serve(Experiments.CREATE, this::create),
            bus.serve(Experiments.CONVERT, creation::convert),
            bus.serve(Experiments.RESTORE, restorations::restore),
            bus.serve(Experiments.GET, get -> record(get.id()).map(this::view)),
            bus.serve(
                Experiments.LIST,
                list -> experiments.page(list.cursor(), list.limit(), house.clock().now())),
            bus.serve(
                Experiments.CHANGE, change -> handOver(Experiments.CHANGE, change.id(), change)),
            bus.serve(Experiments.COMMAND, this::command),
            bus.serve(Trials.GET, get -> trial(get.trial()).map(TrialState::view)),
            bus.serve(
                Trials.LIST, list -> record(list.experiment()).compose(known -> pages.page(list))),
            bus.serve(
                Trials.POINTS,
                wanted ->
                    record(wanted.experiment())
                        .compose(known -> points.of(wanted, known.spec().direction()))),
            bus.serve(
                Trials.FRONT,
                wanted ->
                    record(wanted.experiment())
                        .compose(known -> front.of(wanted, known.spec().objectives()))),
            bus.serve(Trials.HISTORY, trials::history),
            bus.serve(TrainingServices.LIST, all -> Future.succeededFuture(platforms())),
            bus.serve(Trials.ADD, add -> handOver(Trials.ADD, add.experiment(), add)),
            bus.serve(
                Trials.IMPORT, wanted -> handOver(Trials.IMPORT, wanted.experiment(), wanted)),
            bus.serve(Trials.CANCEL, this::cancelTrial),
            bus.serve(
                Trials.RETRY,
                retry ->
                    trial(retry.trial())
                        .compose(
                            known -> handOver(Trials.RETRY, retry.trial().experiment(), retry))),
            bus.serve(Trials.READ_LOG, this::readLog),
            bus.serve(Owners.RETIRE, this::retire)));
  }

  private TrainingServices.Catalogue platforms() {
    Platforms here = house.platforms();
    return new TrainingServices.Catalogue(
        here.names().stream()
            .map(name ->
                new TrainingServices.Platform(name, here.summary(name), PlatformOptions.of(name)))
            .toList());
  }

  private Future<?> takeUp() {
    return experiments
        .unfinished()
        .map(records -> {
          for (ExperimentRecord record : records) {
            owner(record.id())
                .deployment
                .onSuccess(up -> LOG.info("experiment {} goes on", record.id()));
          }
          return null;
        });
  }

  // ---- creating ------------------------------------------------------------------------------

  private Future<Experiments.Created> create(Experiments.Create wanted) {
    return creation
        .read(wanted)
        .compose(read -> {
          if (wanted.dryRun()) {
            return Future.succeededFuture(
                new Experiments.Created(null, read.spec(), read.notices()));
          }
          ExperimentRecord record =
              ExperimentRecord.of(read.id(), read.spec(), house.clock().now());
          return experiments
              .free(read.id())
              .compose(free -> house.store().write(List.of(experiments.insert(record))))
              .compose(stored -> owner(record.id()).deployment)
              .compose(up -> record(record.id()))
              .map(now -> new Experiments.Created(view(now), read.spec(), read.notices()));
        });
  }

  // ---- owners --------------------------------------------------------------------------------

  private Owned owner(ExperimentId id) {
    return owned.computeIfAbsent(
        id,
        key -> {
          Future<String> deployment = vertx.deployVerticle(new ExperimentVerticle(house, id));
          deployment.onFailure(failure -> {
            LOG.error("experiment {} cannot be run", id, failure);
            owned.remove(id);
          });
          return new Owned(deployment);
        });
  }

  /** Sends a command to the owner, waking it first when it is not there. */
  private <Q, A> Future<A> handOver(Address<Q, A> address, ExperimentId id, Q command) {
    return record(id)
        .compose(record -> {
          // Looked at after the record was read: an owner may have been put away meanwhile.
          Future<Void> leaving = goingAway.get(id);
          return leaving == null
              ? send(address, id, command, owner(id))
              : leaving.compose(gone -> handOver(address, id, command));
        });
  }

  private <Q, A> Future<A> send(Address<Q, A> address, ExperimentId id, Q command, Owned owner) {
    owner.commands++;
    return owner
        .deployment
        .compose(up -> house.bus().request(address.of(id), command))
        .eventually(() -> {
          owner.commands--;
          return Future.succeededFuture();
        })
        .onComplete(done -> putAwayIfOver(id));
  }

  /** An owner hears of results itself; one that was put away is woken for a late one. */
  private void late(MetricPoint point) {
    ExperimentId id = point.attempt().trial().experiment();
    if (owned.containsKey(id)) {
      return;
    }
    experiments
        .find(id)
        .compose(found ->
            found.filter(ExperimentRecord::over).isPresent()
                ? handOver(Owners.LATE, id, new Owners.Late(point))
                : Future.succeededFuture())
        .onFailure(
            failure -> LOG.warn("a late result of {} was not taken", point.attempt(), failure));
  }

  private Future<Owners.Noted> retire(Owners.Retire retire) {
    putAwayIfOver(retire.id());
    return Future.succeededFuture(new Owners.Noted());
  }

  private void putAwayIfOver(ExperimentId id) {
    Owned owner = owned.get(id);
    if (owner == null || owner.commands > 0 || goingAway.containsKey(id)) {
      return;
    }
    record(id)
        .onSuccess(record -> {
          boolean stillIdle = owned.get(id) == owner && owner.commands == 0;
          if (record.over() && stillIdle) {
            putAway(id, owner);
          }
        });
  }

  private Future<Void> putAway(ExperimentId id, Owned owner) {
    owned.remove(id);
    Future<Void> gone =
        owner
            .deployment
            .compose(deployment -> vertx.undeploy(deployment))
            .compose(down -> house.bus().request(Tuners.CLOSE, new Tuners.Close(id)))
            .<Void>mapEmpty()
            .onFailure(failure -> LOG.warn("putting experiment {} away", id, failure))
            .otherwiseEmpty();
    goingAway.put(id, gone);
    return gone.onComplete(done -> goingAway.remove(id, gone));
  }

  // ---- commands ------------------------------------------------------------------------------

  private Future<Experiment> command(Experiments.Command command) {
    return switch (command.action()) {
      case STOP, PAUSE, RESUME -> handOver(Experiments.COMMAND, command.id(), command);
      case DELETE -> delete(command.id());
    };
  }

  /** Puts the owner away first, and looks then: nobody can change the experiment any more. */
  private Future<Experiment> delete(ExperimentId id) {
    return record(id)
        .compose(record -> {
          Owned owner = owned.get(id);
          if (owner != null && owner.commands > 0) {
            return Future.failedFuture(
                new Problem.Conflict("another command to the experiment is under way: try again")
                    .toException());
          }
          if (!record.over()) {
            return Future.failedFuture(notOver(record));
          }
          Future<Void> alone =
              owner == null
                  ? goingAway.getOrDefault(id, Future.succeededFuture())
                  : putAway(id, owner);
          Future<Experiment> deleted =
              alone
                  .compose(gone -> record(id))
                  .compose(now ->
                      now.over()
                          ? forget(now).map(done -> view(now))
                          : Future.failedFuture(notOver(now)));
          // A command that comes meanwhile waits, and then finds no experiment.
          Future<Void> over = deleted.<Void>mapEmpty().otherwiseEmpty();
          goingAway.put(id, over);
          over.onComplete(done -> goingAway.remove(id, over));
          return deleted;
        });
  }

  private static ProblemException notOver(ExperimentRecord record) {
    String what =
        record.status().isFinal()
            ? ", and its trials are still being ended: delete it once they have"
            : ": stop it before deleting it";
    return new Problem.Conflict("the experiment is " + record.status() + what).toException();
  }

  /**
   * Files and points first: after a crash in between the experiment is there to be deleted again.
   * The rows go in groups, so that others who write wait for one group at most.
   */
  private Future<Void> forget(ExperimentRecord record) {
    ExperimentId id = record.id();
    return house
        .platforms()
        .service(record.spec().trainingService().platform())
        .compose(service -> service.cleanUp(id))
        .compose(clean -> house.bus().request(Metrics.FORGET, new Metrics.Forget(id)))
        .compose(forgotten -> forgetTrials(record, DELETED_AT_ONCE))
        .compose(forgotten -> house.store().write(List.of(experiments.delete(id))))
        .onSuccess(gone -> {
          var news = new ExperimentEvent.Deleted(id);
          house.bus().publish(Experiments.EVENTS.of(id), news);
          house.bus().publish(Experiments.NEWS, news);
        });
  }

  private Future<Void> forgetTrials(ExperimentRecord record, long before) {
    Future<Void> group = house.store().write(List.of(trials.deleteBefore(record.id(), before)));
    return before >= record.nextSequence()
        ? group
        : group.compose(deleted -> forgetTrials(record, before + DELETED_AT_ONCE));
  }

  private Future<Trial> cancelTrial(Trials.Cancel cancel) {
    return trial(cancel.trial())
        .compose(trial -> {
          if (trial.status().isFinal()) {
            return Future.failedFuture(
                new Problem.Conflict("trial " + trial.ref.trial() + " has ended").toException());
          }
          return handOver(Trials.CANCEL, cancel.trial().experiment(), cancel);
        });
  }

  private Future<Trials.LogPiece> readLog(Trials.ReadLog wanted) {
    return record(wanted.trial().experiment())
        .compose(record ->
            trial(wanted.trial())
                .compose(trial -> {
                  Integer attempt = wanted.attempt();
                  AttemptRef which =
                      attempt == null ? trial.attempt() : new AttemptRef(wanted.trial(), attempt);
                  return house
                      .platforms()
                      .service(record.spec().trainingService().platform())
                      .compose(service ->
                          service.readLog(which, wanted.stream(), wanted.offset(), wanted.limit()));
                }));
  }

  // ---- looking up ----------------------------------------------------------------------------

  private Experiment view(ExperimentRecord record) {
    return record.view(house.clock().now());
  }

  private Future<ExperimentRecord> record(ExperimentId id) {
    return experiments.find(id).compose(orElse(() -> Owners.noExperiment(id)));
  }

  private Future<TrialState> trial(TrialRef ref) {
    return trials.find(ref).compose(orElse(() -> Owners.noTrial(ref)));
  }

  private static <T> Function<Optional<T>, Future<T>> orElse(
      Supplier<? extends Throwable> missing) {
    return found ->
        found.map(Future::succeededFuture).orElseGet(() -> Future.failedFuture(missing.get()));
  }
}
