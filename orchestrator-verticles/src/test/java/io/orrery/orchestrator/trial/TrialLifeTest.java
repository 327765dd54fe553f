package io.orrery.orchestrator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialLife.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TrialLifeTest {
  @Test
  void aSignalThatTheTableDoesNotHaveChangesNothing() {
    assertThat(TrialLife.next(Phase.SETTLED, Signal.END)).isEmpty();
    assertThat(TrialLife.next(Phase.RUNNING, Signal.START)).isEmpty();
  }

  @Test
  void fromEveryPhaseTheEndCanBeReached() {
    for (Phase phase : Phase.values()) {
      Phase now = phase;
      for (Signal signal : new Signal[] {Signal.SUBMIT, Signal.END, Signal.SETTLE}) {
        now = TrialLife.next(now, signal).orElse(now);
      }
      assertThat(now).as("from %s", phase).isEqualTo(Phase.SETTLED);
    }
  }

  @Test
  void noTwoRowsOfTheTableContradictEachOther() {
    assertThat(TrialLife.TABLE.stream().map(t -> t.from() + " " + t.signal()))
        .doesNotHaveDuplicates();
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "architecture.md"));

    assertThat(page).contains(TrialLife.diagram());
  }
}
