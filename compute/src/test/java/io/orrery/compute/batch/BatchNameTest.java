package io.orrery.compute.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchNameTest {
  @Test
  void aNameIsTheIdsOfTheAttempt() {
    assertThat(BatchName.of(attempt("ab12cd34", "xk3f9", 1)))
        .isEqualTo("nni_exp_ab12cd34_trial_xk3f9");
    assertThat(BatchName.of(attempt("my_Mnist-2", "first_one", 2)))
        .isEqualTo("nni_exp_my_Mnist-2_trial_first_one_a2");
  }

  /** The jobs of a server that is updated go on, and are found by their names. */
  @Test
  void idsOfOursMakeTheNamesThatTheyAlwaysMade() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      String experiment = ExperimentId.random(random).value();
      String trial = TrialId.random(random).value();
      int number = random.nextInt(2, 30);

      assertThat(BatchName.of(attempt(experiment, trial, number)))
          .isEqualTo("nni_exp_%s_trial_%s_a%d".formatted(experiment, trial, number));
    }
  }

  @Test
  void noTwoAttemptsHaveTheSameName() {
    assertThat(
            Stream.of(
                    attempt("a", "t", 2),
                    attempt("a", "t_a2", 1),
                    attempt("a_trial_b", "t", 1),
                    attempt("a", "b_trial_t", 1),
                    attempt("a_trial", "t", 1),
                    attempt("a", "trial_t", 1))
                .map(BatchName::of))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[A-Za-z0-9_-]{1,110}"));
  }

  private static AttemptRef attempt(String experiment, String trial, int number) {
    return new AttemptRef(new TrialRef(new ExperimentId(experiment), new TrialId(trial)), number);
  }
}
