package io.orrery.orchestrator.run;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Makes what a training service is given of a step. */
final class StepSubmission {
  private static final String PREFIX = "s";

  private StepSubmission() {}

  /** The name of an attempt of a step at its training service. */
  static AttemptRef ref(RunId run, int step, int attempt) {
    return new AttemptRef(new TrialRef(run.owner(), new TrialId(PREFIX + step)), attempt);
  }

  /** The number of the step of an attempt. */
  static int step(AttemptRef attempt) {
    return Integer.parseInt(attempt.trial().trial().value().substring(PREFIX.length()));
  }

  /**
   * An attempt that can be submitted.
   *
   * @param more variables besides those of the step
   */
  static Submission of(
      RunSpec run,
      StepSpec step,
      AttemptRef attempt,
      ResolvedStep resolved,
      StepDirectories directories,
      Map<String, String> more) {
    Map<String, String> environment = environment(run, step, resolved, directories, more);
    return new Submission(
        attempt,
        step(attempt),
        new ParameterSet(0, null, ParameterSource.CUSTOMIZED, run.parameters()),
        job(step, resolved.command(), directories),
        new StepSetup(environment, directories.inputs(), directories.outputs(), run.project()),
        run.runner());
  }

  /**
   * The variables of a step.
   *
   * @param more besides those of the step
   */
  static Map<String, String> environment(
      RunSpec run,
      StepSpec step,
      ResolvedStep resolved,
      StepDirectories directories,
      Map<String, String> more) {
    Map<String, String> environment = new LinkedHashMap<>(more);
    environment.putAll(step.context());
    environment.putAll(resolved.environment());
    environment.put("ORRERY_RUN", run.id().value());
    environment.put("ORRERY_STEP", step.name());
    environment.put("ORRERY_INPUTS", directories.inputs().toString());
    environment.put("ORRERY_OUTPUTS", directories.outputs().toString());
    return environment;
  }

  /**
   * The same where its training service is, with the secrets of the project in the place of
   * references to them.
   *
   * @param references the variables that are such references
   */
  static Future<Submission> filled(
      Submission submission,
      RunSpec run,
      TrainingServiceSpec service,
      Set<String> references,
      ProjectSecrets secrets) {
    StepSetup setup = Objects.requireNonNull(submission.step());
    Map<String, String> environment = new LinkedHashMap<>(setup.environment());
    Map<String, String> sealed = new LinkedHashMap<>(environment);
    sealed.keySet().retainAll(references);
    Future<Map<String, String>> filled =
        run.trigger().equals(RunSpec.BUILD)
            ? secrets.fillSealed(run.project(), environment)
            : secrets.fill(run.project(), sealed);
    return filled.map(opened -> {
      environment.putAll(opened);
      return new Submission(
          submission.attempt(),
          submission.sequenceId(),
          submission.parameters(),
          submission.job().onPlatform(service),
          new StepSetup(environment, setup.inputs(), setup.outputs(), setup.project()),
          submission.user());
    });
  }

  /** The job of one attempt. */
  static JobSpec job(StepSpec step, String command, StepDirectories directories) {
    return JobSpec.of(
        command,
        directories.work().toString(),
        step.gpus(),
        new TrainingServiceSpec(step.platform(), step.settings()));
  }
}
