package io.orrery.orchestrator.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import org.junit.jupiter.api.Test;

class JobNameTest {
  @Test
  void aNameIsTheIdsOfTheAttemptInLowerCase() {
    assertThat(JobName.dashed(attempt("Ab12cd34", "xK3f9", 1)))
        .isEqualTo("nni-exp-ab12cd34-trial-xk3f9");
    assertThat(JobName.dashed(attempt("ab12cd34", "xk3f9", 2)))
        .isEqualTo("nni-exp-ab12cd34-trial-xk3f9-a2");
    assertThat(JobName.plain(attempt("ab12cd34", "xk3f9", 2)))
        .isEqualTo("nniexpab12cd34trialxk3f9a2");
  }

  @Test
  void longIdsAreCutOffAndStayDifferent() {
    String first = JobName.dashed(attempt("a".repeat(32), "trial_one", 1));
    String second = JobName.dashed(attempt("a".repeat(32), "trial_two", 1));

    assertThat(first).hasSizeLessThan(50).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    assertThat(first).isNotEqualTo(second);
    assertThat(JobName.plain(attempt("a".repeat(32), "trial_one", 12)))
        .hasSizeLessThan(64)
        .matches("[a-z0-9]+");
  }

  private static AttemptRef attempt(String experiment, String trial, int number) {
    return new AttemptRef(new TrialRef(new ExperimentId(experiment), new TrialId(trial)), number);
  }
}
