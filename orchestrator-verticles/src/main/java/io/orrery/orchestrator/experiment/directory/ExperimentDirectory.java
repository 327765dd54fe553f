package io.orrery.orchestrator.experiment.directory;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.keeper.OwnedLeases;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.owner.CommandRouter;
import io.orrery.orchestrator.experiment.owner.ExperimentServices;
import io.orrery.orchestrator.experiment.owner.OwnedExperiments;
import io.orrery.orchestrator.experiment.owner.Owners;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.ParetoFront;
import io.orrery.orchestrator.experiment.store.SourceTable;
import io.orrery.orchestrator.experiment.store.TrialPages;
import io.orrery.orchestrator.experiment.store.TrialPoints;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.experiment.transfer.EarlierExperiments;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to all experiments: answers questions from the tables, creates, and hands commands to
 * the owner of an experiment ({@link CommandRouter}).
 */
public final class ExperimentDirectory extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentDirectory.class);

  /** Between two looks for experiments whose owner has gone. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ExperimentServices services;
  private final Creation creation;
  private final boolean takeUp;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final ExperimentQuotas quotas;
  private final EarlierExperiments earlier;
  private @Nullable OwnedExperiments owned;
  private @Nullable CommandRouter router;
  private Clock.@Nullable Timer watch;

  /**
   * @param leases of the experiments: all are this server's own when it has the store alone
   * @param tenures is told of those that this server owns
   * @param creation makes experiments out of configurations
   * @param takeUp whether experiments that were going on are continued at start
   */
  public ExperimentDirectory(
      Bus bus,
      Store store,
      Leases leases,
      OwnedLeases tenures,
      Platforms platforms,
      Clock clock,
      Creation creation,
      boolean takeUp) {
    this.services = new ExperimentServices(bus, store, leases, tenures, platforms, clock);
    this.creation = creation;
    this.takeUp = takeUp;
    this.experiments = new ExperimentTable(store);
    this.trials = new TrialTable(store);
    this.quotas = new ExperimentQuotas(bus, experiments);
    this.earlier = new EarlierExperiments(experiments, trials, clock);
  }

  private OwnedExperiments owned() {
    return Objects.requireNonNull(owned, "not started");
  }

  private CommandRouter router() {
    return Objects.requireNonNull(router, "not started");
  }

  @Override
  public Future<?> start() {
    owned = new OwnedExperiments(vertx, services, experiments);
    router = new CommandRouter(services, experiments, owned);
    return ExperimentTable.MIGRATIONS
        .apply(services.store())
        .compose(current -> serve())
        .compose(served -> takeUp ? takeUp() : Future.succeededFuture());
  }

  private Future<?> serve() {
    Bus bus = services.bus();
    Store store = services.store();
    TrialPages pages = new TrialPages(store, trials);
    TrialPoints points = new TrialPoints(vertx, store);
    DeletionHandler deletions = new DeletionHandler(services, owned(), experiments, trials);
    RestoreHandler restorations = new RestoreHandler(services, creation, experiments, trials);
    ParetoFront front = new ParetoFront(vertx, services.store(), trials);
    bus.listen(Metrics.FINALS, finals -> finals.points().forEach(this::late));
    return Future.all(
        List.of(
            bus.serve(Experiments.CREATE, this::create),
            bus.serve(Experiments.CONVERT, creation::convert),
            bus.serve(Experiments.RESTORE, restorations::restore),
            bus.serve(Experiments.GET, get -> record(get.id()).map(this::view)),
            bus.serve(Experiments.LIST, list -> experiments.page(list, services.clock().now())),
            bus.serve(
                Experiments.OWNERSHIP,
                get ->
                    experiments
                        .ownership(get.id())
                        .compose(orElse(() -> Owners.noExperiment(get.id())))),
            passOn(Experiments.CHANGE, Experiments.Change::id),
            passOn(Experiments.CHECK_CHANGE, Experiments.Change::id),
            passOn(Experiments.COMMAND, Experiments.Command::id),
            passOn(Experiments.CHECK_COMMAND, Experiments.Command::id),
            bus.serve(Experiments.DELETE, deletions::delete),
            bus.serve(Trials.GET, get -> trial(get.trial()).map(TrialState::view)),
            bus.serve(Trials.LIST, list -> pages.page(list).compose(page -> known(list, page))),
            bus.serve(
                Trials.POINTS,
                wanted ->
                    record(wanted.experiment())
                        .compose(known -> points.of(wanted, known.spec().search().direction()))),
            bus.serve(
                Trials.FRONT,
                wanted ->
                    record(wanted.experiment())
                        .compose(known -> front.of(wanted, known.spec().search().objectives()))),
            bus.serve(Trials.HISTORY, trials::history),
            bus.serve(Transfers.SOURCES, of -> new SourceTable(store).of(of.experiment())),
            new TrainingServiceCatalogue(bus, services.platforms(), creation).serve(),
            new AnnotationHandler(bus, store, services.clock(), this::annotated).serve(),
            new TrialRunHandler(bus, store).serve(),
            bus.serve(TrainingServices.MACHINES, this::machines),
            passOn(Trials.ADD, Trials.Add::experiment),
            passOn(Trials.CHECK_ADD, Trials.Add::experiment),
            passOn(Trials.IMPORT, Trials.Import::experiment),
            passOn(Trials.CHECK_IMPORT, Trials.Import::experiment),
            bus.serve(Trials.CANCEL, cancel -> cancelTrial(Trials.CANCEL, cancel)),
            bus.serve(Trials.CHECK_CANCEL, cancel -> cancelTrial(Trials.CHECK_CANCEL, cancel)),
            bus.serve(Trials.RETRY, retry -> retryTrial(Trials.RETRY, retry)),
            bus.serve(Trials.CHECK_RETRY, retry -> retryTrial(Trials.CHECK_RETRY, retry)),
            passOn(Trials.NEXT, next -> next.attempt().trial().experiment()),
            bus.serve(Trials.READ_LOG, this::readLog),
            bus.serve(
                OwnedLeases.FIND,
                find ->
                    record(find.experiment())
                        .compose(known -> router().epoch(known.id()))
                        .map(OwnedLeases.Found::new)),
            bus.serve(Owners.RETIRE, this::retire)));
  }

  /** At once, and from then on whenever another server may have gone. */
  private Future<Void> takeUp() {
    return owned()
        .takeUp()
        .onSuccess(taken -> quotas.sweep())
        .onComplete(taken -> {
          if (services.leases().shared()) {
            watch = services.clock().after(LOOK, this::lookAgain);
          }
        });
  }

  private void lookAgain() {
    takeUp()
        .onFailure(failure -> LOG.warn("could not look for experiments without an owner", failure));
  }

  @Override
  public Future<?> stop() {
    if (watch != null) {
      watch.cancel();
    }
    return Future.succeededFuture();
  }

  // ---- creating ------------------------------------------------------------------------------

  private Future<Experiments.Created> create(Experiments.Create wanted) {
    return creation
        .read(wanted)
        .compose(this::mustBeShareable)
        .compose(read -> quotas.mustFit(wanted.ownership().project(), read))
        .compose(read ->
            earlier
                .choose(read.spec(), wanted.ownership().project())
                .compose(chosen ->
                    wanted.dryRun()
                        ? Future.succeededFuture(
                            new Experiments.Created(null, read.spec(), read.notices()))
                        : earlier.read(chosen).compose(sources -> create(wanted, read, sources))));
  }

  private Future<Experiments.Created> create(
      Experiments.Create wanted, Creation.Read read, List<Transfers.Source> sources) {
    ExperimentRecord record =
        ExperimentRecord.of(read.id(), wanted.ownership(), read.spec(), services.clock().now());
    return experiments
        .free(read.id())
        .compose(free -> owned().begin(record.id(), () -> insert(record, sources)))
        .compose(up -> record(record.id()))
        .map(now -> new Experiments.Created(view(now), read.spec(), read.notices()));
  }

  private Future<Void> insert(ExperimentRecord record, List<Transfers.Source> sources) {
    List<Statement> rows = new ArrayList<>(SourceTable.insert(record.id(), sources));
    rows.add(experiments.insert(record, services.host(record)));
    return services.store().write(rows);
  }

  /** An experiment that no server could take over would stand still for ever with its server. */
  private Future<Creation.Read> mustBeShareable(Creation.Read read) {
    List<Finding> alone =
        services.leases().shared()
            ? services.platforms().unshareable(read.spec().job())
            : List.of();
    return alone.isEmpty()
        ? Future.succeededFuture(read)
        : Future.failedFuture(Problem.Refused.of(alone).toException());
  }

  // ---- owners --------------------------------------------------------------------------------

  /** Serves an address by the owners of experiments. */
  private <Q, A> Future<?> passOn(Address<Q, A> address, Function<Q, ExperimentId> experiment) {
    return services
        .bus()
        .serve(address, command -> handOver(address, experiment.apply(command), command));
  }

  /** Sends a command to the owner of an experiment that is there. */
  private <Q, A> Future<A> handOver(Address<Q, A> address, ExperimentId id, Q command) {
    return record(id).compose(record -> router().handOver(address, id, command));
  }

  /** An owner hears of results itself; one that was put away is woken for a late one. */
  private void late(MetricPoint point) {
    ExperimentId id = point.attempt().trial().experiment();
    if (owned().owns(id)) {
      return;
    }
    experiments
        .find(id)
        .compose(found ->
            found.filter(ExperimentRecord::over).isPresent()
                ? router().handOverHere(Owners.LATE, id, new Owners.Late(point))
                : Future.succeededFuture())
        .onFailure(
            failure -> LOG.warn("could not store a late result of {}", point.attempt(), failure));
  }

  private Future<Owners.Noted> retire(Owners.Retire retire) {
    owned().putAwayIfOver(retire.id());
    return Future.succeededFuture(new Owners.Noted());
  }

  // ---- commands ------------------------------------------------------------------------------

  private Future<Trial> cancelTrial(Address<Trials.Cancel, Trial> address, Trials.Cancel cancel) {
    return trial(cancel.trial())
        .compose(trial -> {
          if (trial.status().isFinal()) {
            return Future.failedFuture(
                new Problem.Conflict("trial " + trial.ref.trial() + " has ended").toException());
          }
          return handOver(address, cancel.trial().experiment(), cancel);
        });
  }

  private Future<Trial> retryTrial(Address<Trials.Retry, Trial> address, Trials.Retry retry) {
    return trial(retry.trial())
        .compose(known -> handOver(address, retry.trial().experiment(), retry));
  }

  /** Asks the owner; an experiment that is over has no machines. */
  private Future<TrainingServices.Machines> machines(TrainingServices.AskMachines asked) {
    return record(asked.experiment())
        .compose(record ->
            record.over()
                ? Future.succeededFuture(new TrainingServices.Machines(List.of()))
                : router().handOver(TrainingServices.MACHINES, record.id(), asked));
  }

  private Future<Trials.LogPiece> readLog(Trials.ReadLog wanted) {
    return record(wanted.trial().experiment())
        .compose(record ->
            trial(wanted.trial())
                .compose(trial -> {
                  Integer attempt = wanted.attempt();
                  AttemptRef which =
                      attempt == null ? trial.attempt() : new AttemptRef(wanted.trial(), attempt);
                  return services
                      .platforms()
                      .service(record.spec().job().trainingService().platform())
                      .compose(service ->
                          service.readLog(which, wanted.stream(), wanted.offset(), wanted.limit()));
                }));
  }

  // ---- looking up ----------------------------------------------------------------------------

  private Experiment view(ExperimentRecord record) {
    return record.view(services.clock().now());
  }

  private Future<ExperimentRecord> record(ExperimentId id) {
    return Owners.stored(experiments, id);
  }

  /** Where there are trials there is an experiment, which goes last. */
  private Future<Trials.Page> known(Trials.ListSome wanted, Trials.Page found) {
    return found.items().isEmpty()
        ? record(wanted.experiment()).map(known -> found)
        : Future.succeededFuture(found);
  }

  /** Finds the experiment or trial of a note or tag; NotFound when it does not exist. */
  private Future<?> annotated(Annotations.Of of) {
    return of.trial() == null
        ? record(of.experiment())
        : trial(new TrialRef(of.experiment(), of.trial()));
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
