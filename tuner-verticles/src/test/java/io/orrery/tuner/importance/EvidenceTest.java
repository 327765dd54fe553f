package io.orrery.tuner.importance;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.importance.Evidence.Share;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvidenceTest {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]}, "n": {"_type": "randint", "_value": [0, 5]}}
          """);

  private static Parameters at(double x, int n) {
    return new Parameters(Map.of("x", x, "n", n));
  }

  @Test
  void theMostImportantComesFirst() {
    Evidence evidence = new Evidence(PLANE);
    Rng rng = Rng.keyed(1, 1);
    for (int i = 0; i < 200; i++) {
      double x = rng.nextDouble();
      int n = rng.nextInt(5);
      evidence.put("t" + i, at(x, n), x + 2 * n);
    }

    List<Share> shares = evidence.importance();

    assertThat(shares).extracting(Share::path).containsExactly("n", "x");
    assertThat(shares.getFirst().importance()).isGreaterThan(0.9);
  }

  @Test
  void parametersOfBranchesAreNamedByTheirPath() {
    Evidence evidence =
        new Evidence(
            Spaces.of(
                """
                {"opt": {"_type": "choice", "_value": [
                  {"_name": "sgd", "lr": {"_type": "uniform", "_value": [0, 1]}},
                  {"_name": "adam", "lr": {"_type": "uniform", "_value": [0, 1]}}]}}
                """));
    Rng rng = Rng.keyed(2, 2);
    for (int i = 0; i < 100; i++) {
      double lr = rng.nextDouble();
      String name = i % 2 == 0 ? "sgd" : "adam";
      Parameters parameters = new Parameters(Map.of("opt", Map.of("_name", name, "lr", lr)));
      evidence.put("t" + i, parameters, i % 2 == 0 ? lr : 0.5);
    }

    assertThat(evidence.importance())
        .extracting(Share::path)
        .startsWith("opt/sgd/lr")
        .containsExactlyInAnyOrder("opt", "opt/sgd/lr", "opt/adam/lr");
  }

  @Test
  void ofVeryManyResultsAnEvenSampleAndTheExtremesAreKept() {
    Evidence evidence = new Evidence(PLANE);
    for (int i = 0; i < 50_000; i++) {
      evidence.put("t" + i, at(i / 50_000.0, i % 5), i == 33_333 ? -5 : i == 7_777 ? 99 : 1);
      assertThat(evidence.size()).isLessThanOrEqualTo(Evidence.MOST);
    }
    assertThat(evidence.size()).isGreaterThan(Evidence.MOST / 2);
    assertThat(evidence.varies()).isTrue();
    evidence.drop("t33333");
    evidence.drop("t7777");
    assertThat(evidence.varies()).as("nothing else differs").isFalse();
  }

  @Test
  void manyEqualResultsAreThinnedOutAsWell() {
    Evidence evidence = new Evidence(PLANE);
    for (int i = 0; i < 5_000; i++) {
      evidence.put("t" + i, at(0.5, 1), 1);
    }
    assertThat(evidence.size()).isLessThanOrEqualTo(Evidence.MOST);
  }

  @Test
  void theLaterResultOfATrialHolds() {
    Evidence evidence = new Evidence(PLANE);
    evidence.put("a", at(0.1, 1), 1);
    evidence.put("b", at(0.9, 1), 2);
    evidence.put("b", at(0.9, 1), 1);
    assertThat(evidence.size()).isEqualTo(2);
    assertThat(evidence.varies()).isFalse();
    evidence.put("b", at(0.9, 1), Double.NaN);
    assertThat(evidence.size()).isEqualTo(1);
  }

  @Test
  void whatLiesElsewhereIsLeftOut() {
    Evidence evidence = new Evidence(PLANE);
    evidence.put("a", at(1.5, 1), 1);
    evidence.put("b", Parameters.EMPTY, 1);
    evidence.put("c", at(0.5, 1), Double.POSITIVE_INFINITY);
    assertThat(evidence.size()).isEqualTo(0);
  }
}
