package io.orrery.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressTest {
  private static final Progress HALFWAY =
      new Progress("RUNNING", 12, 20L, 2, "0.9567 (abcde)", Duration.ofSeconds(48));
  private static final String TEXT = "12/20 trials · 2 running · best 0.9567 (abcde) · 48 s left";

  @Test
  void theBarTakesTheRoomThatTheTextLeaves() {
    assertThat(HALFWAY.line(72)).isEqualTo("▕██████░░░░▏ " + TEXT);
    assertThat(HALFWAY.line(200)).isEqualTo("▕" + "█".repeat(14) + "░".repeat(10) + "▏ " + TEXT);
    assertThat(HALFWAY.line(60)).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 40, 59, 60, 65, 66, 67, 80, 500})
  void theLineNeverReachesTheLastColumn(int columns) {
    assertThat(HALFWAY.line(columns).length()).isLessThan(Math.max(2, columns));
  }

  @Test
  void aTerminalWithoutTheseCharactersGetsAscii() {
    assertThat(Progress.plain(HALFWAY.line(72)))
        .isEqualTo("[######....] 12/20 trials - 2 running - best 0.9567 (abcde) - 48 s left")
        .isASCII();
  }

  @Test
  void everyEndOfATrialCounts() {
    Progress progress =
        read(
            """
            {"status":"RUNNING","maxTrialNumber":10,"best":null,"trialCounts":
             {"SUCCEEDED":2,"FAILED":1,"EARLY_STOPPED":1,"USER_CANCELED":1,"RUNNING":3,"WAITING":1}}\
            """,
            Duration.ofSeconds(50));

    assertThat(progress.text()).isEqualTo("5/10 trials · 3 running · 50 s left");
  }

  @Test
  void theTimeLimitBoundsTheTimeLeft() {
    Progress progress =
        read(
            """
            {"status":"RUNNING","maxTrialNumber":1000,"maxExperimentDuration":60,
             "executionSeconds":40,"trialCounts":{"SUCCEEDED":1},"best":null}\
            """,
            Duration.ZERO);

    assertThat(progress.left()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void withoutALimitThereIsNeitherBarNorTime() {
    Progress progress =
        read(
            """
            {"status":"PAUSED","maxTrialNumber":null,"trialCounts":{"SUCCEEDED":7},
             "best":{"trial":"abcde","metric":"NaN","parameters":{}}}\
            """,
            Duration.ofSeconds(9));

    assertThat(progress.line(100)).isEqualTo("7 trials · PAUSED · 0 running · best NaN (abcde)");
  }

  @Test
  void whatWasImportedCountsToNoLimit() {
    String counts =
        "{\"status\":\"DONE\",\"maxTrialNumber\":%s,\"importedTrials\":300,"
            + "\"trialCounts\":{\"SUCCEEDED\":330},\"best\":null}";

    assertThat(read(counts.formatted("30"), Duration.ZERO).count()).isEqualTo("30/30");
    assertThat(read(counts.formatted("null"), Duration.ZERO).count()).isEqualTo("330");
  }

  private static Progress read(String experiment, Duration watched) {
    return Progress.of(Json.parse(experiment), watched);
  }
}
