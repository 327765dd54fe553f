package io.orrery.studio.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.notebook.NotebookIde;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleModelTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final String STATUS =
      "{\"connections\": 0, \"last_activity\": \"2026-01-31T12:00:00.5Z\"}";

  private static NotebookActivity jupyter(String kernels, String terminals) {
    return NotebookActivity.read(NotebookIde.JUPYTER, List.of(STATUS, kernels, terminals));
  }

  /** The minute at which a notebook is stopped that is looked at each minute; -1 for never. */
  private static int stoppedAt(Duration limit, List<String> kernels, List<Integer> warned) {
    IdleModel model = new IdleModel(limit);
    Instant used = START;
    Instant warnedAt = null;
    for (int minute = 1; minute <= kernels.size(); minute++) {
      Instant now = START.plus(Duration.ofMinutes(minute));
      NotebookActivity activity = jupyter(kernels.get(minute - 1), "[]");
      used = activity.inUse() ? now : used;
      switch (model.step(used, warnedAt, now)) {
        case KEEP -> {}
        case WARN -> {
          warnedAt = now;
          warned.add(minute);
        }
        case STOP -> {
          return minute;
        }
      }
    }
    return -1;
  }

  private static List<String> minutes(int busy, int idle) {
    List<String> all = new ArrayList<>();
    for (int minute = 0; minute < busy + idle; minute++) {
      all.add("[{\"execution_state\": \"%s\"}]".formatted(minute < busy ? "busy" : "idle"));
    }
    return all;
  }

  @Test
  void aKernelThatIsBusyForTwoHoursWithoutOutputIsNotIdle() {
    List<Integer> warned = new ArrayList<>();

    assertThat(stoppedAt(Duration.ofHours(1), minutes(120, 0), warned)).isEqualTo(-1);
    assertThat(warned).isEmpty();
    assertThat(stoppedAt(Duration.ofHours(1), minutes(120, 90), warned)).isEqualTo(180);
    assertThat(warned).containsExactly(165);
  }

  @Test
  void aRenewalAfterTheWarningCountsAndIsWarnedOfAgain() {
    IdleModel model = new IdleModel(Duration.ofHours(24));
    Instant warned = START.plus(Duration.ofHours(23));
    assertThat(model.step(START, null, warned)).isEqualTo(IdleModel.Step.WARN);
    assertThat(model.step(START, warned, warned.plusSeconds(60))).isEqualTo(IdleModel.Step.KEEP);

    Instant renewed = START.plus(Duration.ofHours(23).plusMinutes(30));
    assertThat(model.step(renewed, warned, START.plus(Duration.ofHours(25))))
        .isEqualTo(IdleModel.Step.KEEP);
    assertThat(model.step(renewed, warned, renewed.plus(Duration.ofHours(23))))
        .isEqualTo(IdleModel.Step.WARN);
    assertThat(model.step(renewed, warned, renewed.plus(Duration.ofHours(24))))
        .isEqualTo(IdleModel.Step.STOP);
  }

  @Test
  void aTerminalOfOursCountsAsUse() {
    NotebookActivity idle = jupyter("[]", "[]");

    assertThat(idle.with(NotebookLifeTest.workload(1))).isEqualTo(idle);
    assertThat(idle.with(null)).isEqualTo(idle);
    assertThat(idle.with(NotebookLifeTest.workload(1).with(1)).inUse()).isTrue();
  }

  @Test
  void terminalsAndConnectionsCountAsUse() {
    assertThat(jupyter("[]", "[]").inUse()).isFalse();
    assertThat(jupyter("[]", "").last()).contains(Instant.parse("2026-01-31T12:00:00.5Z"));
    assertThat(jupyter("[]", "[{\"name\": \"1\"}]").inUse()).isTrue();
    assertThat(jupyter("[{\"execution_state\": \"idle\", \"connections\": 1}]", "[]").inUse())
        .isTrue();
    assertThat(
            jupyter(
                    "[{\"execution_state\": \"idle\","
                        + " \"last_activity\": \"2026-01-31T13:00:00Z\"}]",
                    "[]")
                .last())
        .contains(Instant.parse("2026-01-31T13:00:00Z"));
    assertThat(
            NotebookActivity.read(
                    NotebookIde.VSCODE,
                    List.of("{\"status\": \"expired\", \"lastHeartbeat\": 1769860800000}"))
                .last())
        .contains(Instant.parse("2026-01-31T12:00:00Z"));
  }
}
