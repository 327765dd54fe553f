package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The conversation with a tuner that gives less than it was asked for. */
class TunerDialogueTest {
  private static final Suggestion FIRST = new Suggestion("0", Parameters.EMPTY);

  private final List<Decision> decisions = new ArrayList<>();
  private final TunerDialogue tuner = new TunerDialogue(0, decisions::add);

  private void answer(boolean last, Suggestions suggestions) {
    tuner.opened(0);
    tuner.ask(2);
    tuner.answered(suggestions, last);
  }

  @Test
  void oneThatIsAtWorkIsAskedAgainAtOnce() {
    answer(false, new Suggestions(List.of(FIRST), false, true));
    assertThat(tuner.starved()).isFalse();
    assertThat(tuner.listens()).isTrue();
    assertThat(tuner.nextNumber()).isEqualTo(1);
  }

  @Test
  void oneThatIsAtWorkIsNotExhaustedThoughNothingRuns() {
    answer(true, new Suggestions(List.of(), false, true));
    assertThat(tuner.exhausted()).isFalse();
    assertThat(tuner.listens()).isTrue();
  }

  @Test
  void oneThatHasGivenAllThatItWasAskedForIsNotAtWork() {
    answer(false, new Suggestions(List.of(FIRST), false, true));
    assertThat(tuner.thinks()).isTrue();
    tuner.ask(1);
    tuner.answered(new Suggestions(List.of(FIRST), false, true), false);
    assertThat(tuner.thinks()).as("all that it was asked for is there").isFalse();
  }

  @Test
  void oneThatIsIdleIsAskedWhenAResultCame() {
    answer(false, new Suggestions(List.of(FIRST), false));
    assertThat(tuner.starved()).isTrue();
    assertThat(tuner.listens()).isFalse();
  }

  @Test
  void oneThatIsIdleAndHasNothingWhileNothingRunsIsExhausted() {
    answer(true, new Suggestions(List.of(), false));
    assertThat(tuner.exhausted()).isTrue();
  }
}
