package io.orrery.compute.attempt;

import io.orrery.compute.service.Keepers;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.nio.file.Path;
import java.util.List;

/** Packs the code of experiments. Blocks. */
public final class ExperimentCode {
  private ExperimentCode() {}

  /**
   * Checks and packs what all attempts of an experiment start with; that of a step is packed with
   * its attempt.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it cannot be shipped
   */
  public static void pack(Keepers keepers, ExperimentId experiment, JobSpec job) throws Exception {
    if (experiment.isOfRun()) {
      return;
    }
    Path code = Path.of(job.codeDirectory());
    List<Finding> findings = keepers.check("/trialCodeDirectory", code);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    Background.await(keepers.pack(experiment, code));
  }
}
