package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.id.TrialId;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.search.Spaces;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An algorithm that makes parameters in threads of its own, as it is asked. */
class CustomTunerTest {
  private final Threads threads = new Threads();
  private final CustomTuner tuner = new CustomTuner(threads, Spaces.one("randint", "[0, 100]"));

  @Test
  void whileATrialRunsAnswersAreNotWaitedFor() throws Exception {
    threads.answers(List.of(suggestion(0)));
    tuner.suggest(1, 0);
    threads.answers(List.of(), List.of(suggestion(1)));

    assertThat(tuner.suggest(1, 1)).isEqualTo(new Suggestions(List.of(), false, true));
    assertThat(tuner.suggest(1, 1).items()).containsExactly(suggestion(1));
  }

  @Test
  void whileATrialOfBeforeRunsAnswersAreNotWaitedFor() throws Exception {
    tuner.remember(suggestion(0));
    threads.answers(List.of());

    assertThat(tuner.suggest(1, 1)).isEqualTo(new Suggestions(List.of(), false, true));
  }

  @Test
  void whenNoResultIsToComeItOwesAnAnswer() throws Exception {
    threads.answers(List.of(), List.of(), List.of(suggestion(0)));
    assertThat(tuner.suggest(1, 0).items()).containsExactly(suggestion(0));

    tuner.learn(
        new Settled(
            1, new TrialId("trial"), "0", suggestion(0).parameters(), TrialStatus.FAILED, null));
    threads.answers(List.of(), List.of(suggestion(1)));
    assertThat(tuner.suggest(1, 1).items()).containsExactly(suggestion(1));
  }

  private static Suggestion suggestion(int number) {
    return new Suggestion("" + number, new Parameters(Map.of("p", number)));
  }

  /** Gives what it is told to give, one after the other, and is at work on more. */
  private static final class Threads implements NniAlgorithm {
    private final Deque<List<Suggestion>> answers = new ArrayDeque<>();

    @SafeVarargs
    final void answers(List<Suggestion>... next) {
      for (List<Suggestion> each : next) {
        answers.add(each);
      }
    }

    @Override
    public List<Suggestion> suggest(int count) {
      return answers.remove();
    }

    @Override
    public boolean thinks() {
      return true;
    }

    @Override
    public void importData(ArrayNode data) {}

    @Override
    public void unfinished(Map<String, Parameters> records, long lastNumber) {}

    @Override
    public void result(
        @Nullable String id,
        Parameters parameters,
        String trial,
        JsonNode value,
        TrialStatus event) {}

    @Override
    public boolean isBad(@Nullable String id, String trial, ArrayNode history) {
      return false;
    }

    @Override
    public void close() {}
  }
}
