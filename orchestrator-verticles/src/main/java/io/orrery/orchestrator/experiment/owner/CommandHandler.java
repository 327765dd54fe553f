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
import java.util.Map;
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
            serve(Experiments.CHECK_COMMAND, this::checkCommand),
            serve(Experiments.CHANGE, change -> change(change).map(done -> view())),
            serve(Experiments.CHECK_CHANGE, this::checkChange),
            serve(Trials.ADD, this::add),
            serve(Trials.CHECK_ADD, this::checkAdd),
            serve(Trials.IMPORT, this::take),
            serve(Trials.CHECK_IMPORT, wanted -> judgeInTurn(wanted).map(Judged::outcome)),
            serve(Trials.CANCEL, this::cancel),
            serve(Trials.CHECK_CANCEL, this::checkCancel),
            serve(Trials.RETRY, this::retry),
            serve(Trials.CHECK_RETRY, this::checkRetry),
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
        .map(service -> MachineView.of(id, service.machines(id, spec.job())));
  }

  /** Refuses a request that the model would refuse; nothing happens. */
  private void check(Occurrence.Request request) {
    model.check(request, services.clock().now());
  }

  private Future<Void> command(Experiments.Command command) {
    return happenFor.apply(request(command));
  }

  private Future<Experiment> checkCommand(Experiments.Command command) {
    check(request(command));
    return Future.succeededFuture(view());
  }

  private static Occurrence.Request request(Experiments.Command command) {
    return switch (command.action()) {
      case STOP -> new Occurrence.StopAsked();
      case PAUSE -> new Occurrence.PauseAsked();
      case RESUME -> new Occurrence.ResumeAsked();
    };
  }

  private Future<Void> change(Experiments.Change change) {
    return changed(change).compose(changed -> happenFor.apply(new Occurrence.SpecChanged(changed)));
  }

  private Future<Experiment> checkChange(Experiments.Change change) {
    return changed(change)
        .map(changed -> {
          check(new Occurrence.SpecChanged(changed));
          Instant now = services.clock().now();
          return model.record(now).with(changed).view(now);
        });
  }

  /** The patch is applied when it has been checked, to what is asked for by then. */
  private Future<ExperimentSpec> changed(Experiments.Change change) {
    ExperimentSpec before = model.spec();
    LimitsPatch patch = LimitsPatch.read(change.patch(), before.search().tuner());
    return checkSpace(before, patch.applyTo(before)).map(checked -> patch.applyTo(model.spec()));
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

  private Future<Trials.Checked> checkAdd(Trials.Add add) {
    Map<String, Object> values = add.parameters().values();
    ParameterShape shape = model.spec().search().parameterShape();
    shape.require(values);
    check(new Occurrence.TrialAdded(add.parameters()));
    return Future.succeededFuture(new Trials.Checked(shape.judge(values).notices()));
  }

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
        judgeInTurn(wanted)
            .compose(judged ->
                happenFor
                    .apply(new Occurrence.ResultsImported(judged.fresh()))
                    .map(judged.outcome()));
    lastImport = taken.<Void>mapEmpty().otherwiseEmpty();
    return taken;
  }

  private Future<Judged> judgeInTurn(Trials.Import wanted) {
    return lastImport.compose(before -> writer.durable()).compose(durable -> judge(wanted));
  }

  /** The results of a document that are not there yet, and what their import comes to. */
  private record Judged(List<ImportedResult> fresh, Trials.Imported outcome) {}

  private Future<Judged> judge(Trials.Import wanted) {
    ParameterShape shape = model.spec().search().parameterShape();
    Objectives objectives = model.spec().search().objectives();
    return vertx
        .executeBlocking(() -> ImportedResults.read(wanted.document(), shape, objectives))
        .compose(read ->
            trials
                .results(id)
                .map(known -> {
                  List<ImportedResult> fresh = read.without(known);
                  int duplicates = read.all().size() - fresh.size();
                  return new Judged(
                      fresh, new Trials.Imported(fresh.size(), duplicates, read.notices()));
                }));
  }

  private Future<Trial> cancel(Trials.Cancel cancel) {
    return happenFor
        .apply(new Occurrence.TrialCancelAsked(cancel.trial().trial()))
        .compose(durable -> trial(cancel.trial()));
  }

  private Future<Trial> checkCancel(Trials.Cancel cancel) {
    check(new Occurrence.TrialCancelAsked(cancel.trial().trial()));
    return trial(cancel.trial());
  }

  private Future<Trial> retry(Trials.Retry retry) {
    return ended(retry)
        .compose(trial -> happenFor.apply(new Occurrence.TrialRetryAsked(trial)))
        .compose(durable -> trial(retry.trial()));
  }

  private Future<Trial> checkRetry(Trials.Retry retry) {
    return ended(retry)
        .compose(trial -> {
          check(new Occurrence.TrialRetryAsked(trial));
          return trial(retry.trial());
        });
  }

  private Future<TrialState> ended(Trials.Retry retry) {
    return writer.stored(retry.trial()).compose(found -> known(retry.trial(), found));
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
