package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobNameTest {
  private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  /** Each once had the name of another one, with dashes or without. */
  private static final List<AttemptRef> ALIKE =
      List.of(
          attempt("ab12cd34", "xk3f9", 1),
          attempt("Ab12cd34", "xk3f9", 1),
          attempt("ab12cd34", "xk3F9", 1),
          attempt("ab12cd34", "xk3f9-", 1),
          attempt("ab12cd34", "xk3f9_", 1),
          attempt("ab12cd34", "xk-3f9", 1),
          attempt("ab12cd34", "xk_3f9", 1),
          attempt("ab12cd-34", "xk3f9", 1),
          attempt("ab12cd_34", "xk3f9", 1),
          attempt("ab12cd34", "xk3f9", 2),
          attempt("ab12cd34", "xk3f9-a2", 1),
          attempt("ab12cd34", "xk3f9_a2", 1),
          attempt("ab12cd34", "xk3f9a2", 1),
          attempt("ab12cd34", "xk3f9A2", 1),
          attempt("ab12cd34", "xk3a2", 1),
          attempt("ab12cd34", "xk3", 2),
          attempt("ab12cd34-trial-b", "xk3f9", 1),
          attempt("ab12cd34", "b-trial-xk3f9", 1),
          attempt("ab12cd34trialb", "xk3f9", 1),
          attempt("ab12cd34", "btrialxk3f9", 1),
          attempt("ab12cd34", "-", 1),
          attempt("ab12cd34", "_", 1),
          attempt("ab12cd34", "--", 1));

  @Test
  void aNameIsTheIdsOfTheAttempt() {
    assertThat(JobName.dashed(attempt("ab12cd34", "xk3f9", 1)))
        .isEqualTo("nni-exp-ab12cd34-trial-xk3f9");
    assertThat(JobName.dashed(attempt("ab12cd34", "xk3f9", 2)))
        .isEqualTo("nni-exp-ab12cd34-trial-xk3f9-a2");
    assertThat(JobName.plain(attempt("ab12cd34", "xk3f9", 2)))
        .isEqualTo("nniexpab12cd34trialxk3f9a2");
    assertThat(JobName.shared(new ExperimentId("ab12cd34"), "azure"))
        .isEqualTo("nni-exp-ab12cd34-azure");
  }

  @Test
  void idsThatAreChangedAreToldApartByADigest() {
    assertThat(JobName.dashed(attempt("Ab12cd34", "xK3f9", 1)))
        .isEqualTo("nni-exp-ab12cd34-trial-xk3f9-6b8da01c");
    assertThat(JobName.plain(attempt("Ab12cd34", "xK3f9", 1)))
        .isEqualTo("nniexpab12cd34trialxk3f96b8da01c");
    assertThat(JobName.plain(attempt("my-mnist", "xk3f9", 1)))
        .startsWith("nniexpmymnisttrialxk3f9");
  }

  @Test
  void noTwoAttemptsHaveTheSameName() {
    assertThat(ALIKE.stream().map(JobName::dashed))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches(DNS_LABEL) && name.length() <= 48);
    assertThat(ALIKE.stream().map(JobName::plain))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9]+") && name.length() <= 48);
  }

  @Test
  void noTwoExperimentsShareWhatIsTheirsAlone() {
    assertThat(
            Stream.of("ab12cd34", "Ab12cd34", "ab12cd_34", "ab12cd-34", "ab12cd34-", "ab12cd34_")
                .map(ExperimentId::new)
                .map(experiment -> JobName.shared(experiment, "azure")))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches(DNS_LABEL) && name.length() <= 48);
    assertThat(JobName.shared(new ExperimentId("a-trial-b"), "azure"))
        .isNotEqualTo(JobName.dashed(attempt("a", "b-azure", 1)));
  }

  /** The jobs of a server that is updated go on, and are found by their names. */
  @Test
  void idsOfOursMakeTheNamesThatTheyAlwaysMade() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      String experiment = ExperimentId.random(random).value();
      String trial = TrialId.random(random).value();
      int number = random.nextInt(1, 30);
      String later = number == 1 ? "" : "a" + number;
      AttemptRef attempt = attempt(experiment, trial, number);

      assertThat(JobName.dashed(attempt))
          .isEqualTo(
              "nni-exp-%s-trial-%s%s".formatted(experiment, trial, number == 1 ? "" : "-" + later));
      assertThat(JobName.plain(attempt))
          .isEqualTo("nniexp%strial%s%s".formatted(experiment, trial, later));
    }
    assertThat(JobName.plain(attempt("ab12cd34", "xk3a2", 1)))
        .as("a trial that ends like the number of an attempt")
        .isEqualTo("nniexpab12cd34trialxk3a2");
    AttemptRef environment = attempt("ab12cd34", "env-kubernetes-mmtk01ab", 1);
    assertThat(JobName.dashed(environment))
        .isEqualTo("nni-exp-ab12cd34-trial-env-kubernetes-mmtk01ab");
    environment = attempt("ab12cd34", "env-frameworkcontroller-mmtk01ab", 1);
    assertThat(JobName.plain(environment)).isEqualTo("nniexpab12cd34trialenvframeworkconbccab415");
  }

  @Test
  void longIdsAreCutOffAndStayDifferent() {
    String first = JobName.dashed(attempt("a".repeat(32), "trial_one", 1));
    String second = JobName.dashed(attempt("a".repeat(32), "trial_two", 1));

    assertThat(first).hasSizeLessThan(50).matches(DNS_LABEL);
    assertThat(first).isNotEqualTo(second);
    assertThat(JobName.dashed(attempt("a".repeat(32), "trial-one", 1))).isNotEqualTo(first);
    assertThat(JobName.plain(attempt("a".repeat(32), "trial_one", 12)))
        .hasSizeLessThan(64)
        .matches("[a-z0-9]+");
  }

  private static AttemptRef attempt(String experiment, String trial, int number) {
    return new AttemptRef(new TrialRef(new ExperimentId(experiment), new TrialId(trial)), number);
  }
}
