package io.orrery.orchestrator.run;

import io.orrery.compute.service.Submission;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepStatus;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes what the training services are given of the steps of one run. */
final class SubmissionMaker {
  private final StepRunner.Surroundings with;
  private final RunSpec run;
  private final RunModel model;

  /**
   * @param model read only
   */
  SubmissionMaker(StepRunner.Surroundings with, RunSpec run, RunModel model) {
    this.with = with;
    this.run = run;
    this.model = model;
  }

  /** An attempt whose directories are made, and whose training service is ready for it. */
  Future<Submission> prepared(int number, int attempt, StepSpec step, ResolvedStep resolved) {
    return directories(number, attempt, step, resolved)
        .compose(made -> again(number, attempt, step, resolved))
        .compose(submission ->
            with.platforms()
                .service(submission.job().trainingService().platform())
                .compose(service -> service.prepare(run.id().owner(), submission.job()))
                .map(submission));
  }

  /** Makes the directories of an attempt; where nothing runs, nothing would be read from them. */
  private Future<?> directories(int number, int attempt, StepSpec step, ResolvedStep resolved) {
    return with.platforms().rehearses(step.platform())
        ? Future.succeededFuture()
        : StepDirectories.of(with.home(), run.id(), number, attempt)
            .make(with, resolved.inputs(), step.code(), false);
  }

  /**
   * An attempt as it was submitted, with the settings of its training service and the secrets that
   * its document names.
   */
  Future<Submission> again(int number, int attempt, StepSpec step, ResolvedStep resolved) {
    Map<String, String> more = new LinkedHashMap<>(with.variables());
    more.put("K8S_POD_NAME", "run-" + run.id() + "-" + step.name());
    if (number == model.graph().ordinary()) {
      more.put("ORRERY_RUN_STATUS", outcome().name());
    }
    Submission bare =
        StepSubmission.of(
            run,
            step,
            StepSubmission.ref(run.id(), number, attempt),
            resolved,
            StepDirectories.of(with.home(), run.id(), number, attempt),
            more);
    return with.services()
        .of(run, step, !resolved.secrets().isEmpty())
        .compose(service ->
            StepSubmission.filled(
                bare, run, service, resolved.secrets(), with.services().secrets()));
  }

  /** How the run ends as far as its steps have said, for the exit step. */
  private RunStatus outcome() {
    if (model.state().status() == RunStatus.STOPPING) {
      return RunStatus.STOPPED;
    }
    for (int i = 0; i < model.graph().ordinary(); i++) {
      if (model.step(i).status() == StepStatus.FAILED) {
        return RunStatus.FAILED;
      }
    }
    return RunStatus.SUCCEEDED;
  }
}
