package io.orrery.core.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialRunIdTest {
  private static final String LETTERS = "ab0-_Z9";

  private static String random(Random random) {
    StringBuilder id = new StringBuilder();
    int length = 1 + random.nextInt(32);
    while (id.length() < length) {
      id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return id.toString();
  }

  @Test
  void eachIdIsReadAsTheOneThatItIsOfHoweverManyHyphensItHas() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String experiment = random(random);
      String trial = random(random);
      if (ExperimentId.valid(experiment) && TrialId.valid(trial)) {
        ExperimentId id = new ExperimentId(experiment);
        TrialRef ref = new TrialRef(id, new TrialId(trial));

        String run = TrialRunId.of(ref);

        assertThat(TrialRunId.trial(run)).contains(ref);
        assertThat(run.length()).isLessThanOrEqualTo(TrialRunId.MOST);
        assertThat(TrialRunId.experiment(TrialRunId.of(id))).contains(id);
        assertThat(TrialRunId.named(TrialRunId.name("a (b) c", id))).contains(id);
        assertThat(TrialRunId.named(TrialRunId.name(null, id))).contains(id);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "abababababababababababababababab",
        "trial-",
        "trial-8",
        "trial-8-abc-x",
        "trial-3-abc",
        "trial-3-abc-",
        "trial-03-abc-x",
        "trial-x-abc-x",
        "trial-99-abc-x",
        "trial--3-abc-x",
        "trial-3-abc-x/y",
        "Trial-3-abc-x",
      })
  void whatIsOfNoTrialIsNone(String id) {
    assertThat(TrialRunId.trial(id)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"digits", "digits ()", " (abc)", "digits (a b)", "digits (abc) ", "(abc)"})
  void aNameWithoutAnIdAtItsEndIsOfNoExperiment(String name) {
    assertThat(TrialRunId.named(name)).isEmpty();
  }
}
