package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.trial.Trial;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ImportedResult;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.experiment.model.UserRequests;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.spec.LimitsPatch;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Handles requests to an experiment over the bus: checks them, passes them to the model, and
 * answers when the effect is durable. The model decides which are allowed ({@link UserRequests}).
 */
final class CommandHandler {
  private final Vertx vertx;
  private final ExperimentServices services;
  private final ExperimentId id;
  private final String place;
  private final TrialTable trials;
  private final ExperimentModel model;
  private final StateWriter writer;
  private final Function<Occurrence, Future<Void>> happenFor;
  private Future<Void> lastImport = Future.succeededFuture();

  /**
   * @param place where it is reached
   * @param happenFor lets something happen, and completes when it is durable
   */
  CommandHandler(
      Vertx vertx,
      ExperimentServices services,
      ExperimentId id,
      String place,
      TrialTable trials,
      ExperimentModel model,
      StateWriter writer,
      Function<Occurrence, Future<Void>> happenFor) {
    this.vertx = vertx;
    this.services = services;
    this.id = id;
    this.place = place;
    this.trials = trials;
    this.model = model;
    this.writer = writer;
    this.happenFor = happenFor;
  }

  /** Serves the commands; completes when they can reach it. */
  Future<?> serve() {
    return Future.all(
        List.of(
            serve(Experiments.COMMAND, command -> command(command).map(done -> view())),
            serve(Experiments.CHANGE, change -> change(change).map(done -> view())),
            serve(Trials.ADD, this::add),
            serve(Trials.IMPORT, this::take),
            serve(Trials.CANCEL, this::cancel),
            serve(Trials.RETRY, this::retry),
            serve(TrainingServices.MACHINES, this::machines)));
  }

  private <Q, A> Future<?> serve(Address<Q, A> address, Function<Q, Future<A>> handler) {
    return services.bus().serve(address.of(place), handler);
  }

  // ---- the experiment ------------------------------------------------------------------------

  private Experiment view() {
    Instant now = services.clock().now();
    return model.record(now).view(now);
  }

  private Future<TrainingServices.Machines> machines(TrainingServices.AskMachines asked) {
    ExperimentSpec spec = model.spec();
    return services
        .platforms()
        .service(spec.job().trainingService().platform())
        .map(service -> MachineView.of(id, service.machines(id, spec)));
  }

  private Future<Void> command(Experiments.Command command) {
    return switch (command.action()) {
      case STOP -> happenFor.apply(new Occurrence.StopAsked());
      case PAUSE -> happenFor.apply(new Occurrence.PauseAsked());
      case RESUME -> happenFor.apply(new Occurrence.ResumeAsked());
    };
  }

  /** The patch is applied when it has been checked, to what is asked for by then. */
  private Future<Void> change(Experiments.Change change) {
    ExperimentSpec before = model.spec();
    LimitsPatch patch = LimitsPatch.read(change.patch(), before.search().tuner());
    return checkSpace(before, patch.applyTo(before))
        .compose(
            checked -> happenFor.apply(new Occurrence.SpecChanged(patch.applyTo(model.spec()))));
  }

  private Future<ExperimentSpec> checkSpace(ExperimentSpec before, ExperimentSpec changed) {
    if (changed.search().space().equals(before.search().space())) {
      return Future.succeededFuture(changed);
    }
    return services
        .bus()
        .request(
            Tuners.CHECK,
            new Tuners.Check(
                "tuner",
                changed.search().tuner(),
                changed.search().space(),
                changed.search().objectives().all().size()))
        .compose(checked ->
            checked.findings().isEmpty()
                ? Future.succeededFuture(changed)
                : Future.failedFuture(Problem.Refused.of(checked.findings()).toException()));
  }

  // ---- its trials ----------------------------------------------------------------------------

  private Future<Trial> add(Trials.Add add) {
    model.spec().search().parameterShape().require(add.parameters().values());
    Future<Void> durable = happenFor.apply(new Occurrence.TrialAdded(add.parameters()));
    if (durable.failed()) {
      return Future.failedFuture(durable.cause());
    }
    TrialRef added = model.moving().getLast().ref;
    return durable.compose(stored -> trial(added));
  }

  /** One import after the other: the next must find in the table what this one brought. */
  private Future<Trials.Imported> take(Trials.Import wanted) {
    Future<Trials.Imported> taken =
        lastImport.compose(before -> writer.durable()).compose(durable -> takeNow(wanted));
    lastImport = taken.<Void>mapEmpty().otherwiseEmpty();
    return taken;
  }

  private Future<Trials.Imported> takeNow(Trials.Import wanted) {
    ParameterShape shape = model.spec().search().parameterShape();
    Objectives objectives = model.spec().search().objectives();
    return vertx
        .executeBlocking(() -> ImportedResults.read(wanted.document(), shape, objectives))
        .compose(read ->
            trials
                .results(id)
                .compose(known -> {
                  List<ImportedResult> fresh = read.without(known);
                  int duplicates = read.all().size() - fresh.size();
                  return happenFor
                      .apply(new Occurrence.ResultsImported(fresh))
                      .map(new Trials.Imported(fresh.size(), duplicates, read.notices()));
                }));
  }

  private Future<Trial> cancel(Trials.Cancel cancel) {
    return happenFor
        .apply(new Occurrence.TrialCancelAsked(cancel.trial().trial()))
        .compose(durable -> trial(cancel.trial()));
  }

  private Future<Trial> retry(Trials.Retry retry) {
    return writer
        .stored(retry.trial())
        .compose(found -> known(retry.trial(), found))
        .compose(trial -> happenFor.apply(new Occurrence.TrialRetryAsked(trial)))
        .compose(durable -> trial(retry.trial()));
  }

  private Future<Trial> trial(TrialRef ref) {
    return model
        .moving(ref.trial())
        .map(trial -> Future.succeededFuture(trial.view()))
        .orElseGet(() -> stored(ref).map(TrialState::view));
  }

  private Future<TrialState> stored(TrialRef ref) {
    return trials.find(ref).compose(found -> known(ref, found));
  }

  private static Future<TrialState> known(TrialRef ref, Optional<TrialState> found) {
    return found
        .map(Future::succeededFuture)
        .orElseGet(() -> Future.failedFuture(Owners.noTrial(ref)));
  }
}
