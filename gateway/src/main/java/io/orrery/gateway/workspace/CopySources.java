package io.orrery.gateway.workspace;

import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.id.TrialRef;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepOutput;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.model.ModelAccess;
import io.orrery.gateway.pipeline.RunApi;
import io.orrery.gateway.workspace.CopySource.Form;
import io.orrery.gateway.workspace.CopySource.Item;
import io.orrery.gateway.workspace.PieceStream.Pieces;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;

/** Finds the files of steps, trials and versions that a caller may read. */
final class CopySources {
  private static final int MOST_NAME = 200;

  private final Bus bus;
  private final Ownerships experiments;
  private final ModelAccess models;

  CopySources(Bus bus, Ownerships experiments) {
    this.bus = bus;
    this.experiments = experiments;
    this.models = new ModelAccess(bus);
  }

  /** Fails with NotFound, also where it is hidden, or with Conflict when there are no files. */
  Future<CopySource> find(RoutingContext context, CopyRequest.From from) {
    return switch (from) {
      case CopyRequest.OfStep(RunId run, String step) ->
          RunApi.readable(bus, context, run).map(view -> step(view, RunApi.step(view, step)));
      case CopyRequest.OfTrial(TrialRef trial) ->
          experiments
              .require(Callers.of(context), Need.READ, trial.experiment())
              .compose(allowed ->
                  bus.request(TrialKeepers.FILES, new TrialKeepers.ListFiles(trial, null)))
              .map(list -> trial(trial, list));
      case CopyRequest.OfVersion(ModelName model, String version) ->
          version(context, model, version)
              .compose(found ->
                  bus.request(Artifacts.LIST, new Artifacts.ListFiles(Models.tree(found.id()), ""))
                      .map(files -> version(found, files)));
    };
  }

  // ---- steps ---------------------------------------------------------------------------------

  private CopySource step(RunView view, Step step) {
    RunId run = view.run().id();
    String description = "step %s of run %s".formatted(step.name(), run);
    if (step.outputs().isEmpty()) {
      throw none("%s has no outputs: it is %s".formatted(description, step.status()));
    }
    return new CopySource(
        description,
        name("run", run.value(), step.name()),
        step.outputs().stream().map(output -> item(run, step.name(), output)).toList());
  }

  private Item item(RunId run, String step, StepOutput output) {
    Pieces stored =
        offset ->
            bus.request(
                    PipelineRuns.READ_OUTPUT,
                    new PipelineRuns.ReadOutput(
                        run, step, output.name(), offset, PipelineRuns.MOST_PIECE))
                .map(PipelineRuns.OutputPiece::bytes);
    return switch (output.kind()) {
      case FILE -> new Item(output.name(), Form.FILE, output.bytes(), output.digest(), stored);
      case DIRECTORY -> new Item(output.name(), Form.TAR, output.bytes(), output.digest(), stored);
      case VALUE -> {
        byte[] text = String.valueOf(output.value()).getBytes(StandardCharsets.UTF_8);
        yield new Item(
            output.name(),
            Form.FILE,
            text.length,
            null,
            offset -> Future.succeededFuture(offset == 0 ? text : new byte[0]));
      }
    };
  }

  // ---- trials --------------------------------------------------------------------------------

  private CopySource trial(TrialRef trial, TrialKeepers.FileList list) {
    if (list.files().isEmpty()) {
      throw none("trial %s has no files on this server".formatted(trial));
    }
    if (list.more()) {
      throw tooMany("trial " + trial);
    }
    return new CopySource(
        "trial " + trial,
        name("trial", trial.experiment().value(), trial.trial().value()),
        list.files().stream()
            .map(file ->
                new Item(
                    file.path(),
                    Form.FILE,
                    file.bytes(),
                    null,
                    offset ->
                        bus.request(
                                TrialKeepers.FILE,
                                new TrialKeepers.ReadFile(
                                    trial, null, file.path(), offset, Artifacts.PART))
                            .map(TrialKeepers.Piece::bytes)))
            .toList());
  }

  // ---- versions of models --------------------------------------------------------------------

  /** The version of a name, or the one that an alias points to. */
  private Future<Version> version(RoutingContext context, ModelName model, String named) {
    Future<Version> byName =
        VersionName.valid(named)
            ? models.version(context, model, new VersionName(named), Need.READ)
            : Future.failedFuture(new Problem.NotFound(named).toException());
    return byName.recover(failure ->
        Problem.of(failure) instanceof Problem.NotFound && ModelAlias.valid(named)
            ? byAlias(context, model, named)
            : Future.failedFuture(failure));
  }

  private Future<Version> byAlias(RoutingContext context, ModelName model, String named) {
    return models
        .model(context, model, Need.READ)
        .compose(seen -> {
          VersionName version = seen.aliases().get(new ModelAlias(named));
          return version == null
              ? Future.failedFuture(
                  new Problem.NotFound(
                          "Model '%s' has no version and no alias '%s'.".formatted(model, named))
                      .toException())
              : models.version(context, model, version, Need.READ);
        });
  }

  private CopySource version(Version version, Artifacts.Files stored) {
    String description = "version %s of model '%s'".formatted(version.version(), version.model());
    if (version.content().path() != null) {
      throw none(
          "the files of %s are not kept here, but at %s"
              .formatted(description, version.content().path()));
    }
    if (stored.files().isEmpty()) {
      throw none(description + " has no files");
    }
    if (stored.files().size() > CopySource.MOST_FILES) {
      throw tooMany(description);
    }
    return new CopySource(
        description,
        name("model", version.model().value(), version.version().value()),
        stored.files().stream()
            .map(file ->
                new Item(
                    file.path(),
                    Form.FILE,
                    file.bytes(),
                    file.digest(),
                    offset ->
                        bus.request(
                                Artifacts.READ,
                                new Artifacts.Read(file.digest(), offset, Artifacts.PART))
                            .map(TrialKeepers.Piece::bytes)))
            .toList());
  }

  // ---- helpers -------------------------------------------------------------------------------

  /** A name of a directory, of plain characters alone. */
  private static String name(String kind, String of, String part) {
    String name = "%s-%s-%s".formatted(kind, of, part).replaceAll("[^A-Za-z0-9._-]+", "-");
    return name.length() > MOST_NAME ? name.substring(0, MOST_NAME) : name;
  }

  private static ProblemException none(String why) {
    return new Problem.Conflict("There is nothing to open: " + why + ".").toException();
  }

  private static ProblemException tooMany(String description) {
    return new Problem.Conflict(
            "There are more than %,d files in %s, which is the most that is copied."
                .formatted(CopySource.MOST_FILES, description))
        .toException();
  }
}
