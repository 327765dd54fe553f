package io.orrery.router.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.telemetry.Differences.Answer;
import io.orrery.router.telemetry.Differences.Difference;
import io.orrery.router.telemetry.Differences.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the last differences of each kind, and no more than it says. */
class DifferencesTest {
  private static final long MILLI = 1_000_000;

  private static Difference of(Kind kind, long at) {
    Answer answer = new Answer(200, 5 * MILLI, 1, new byte[] {1});
    return new Difference(kind, at, "GET /", answer, answer);
  }

  @Test
  void aStatusCountsBeforeABodyAndABodyBeforeATime() {
    assertThat(Differences.kind(false, false, MILLI, 900 * MILLI)).isEqualTo(Kind.STATUS);
    assertThat(Differences.kind(true, false, MILLI, 900 * MILLI)).isEqualTo(Kind.BODY);
    assertThat(Differences.kind(true, true, MILLI, 900 * MILLI)).isEqualTo(Kind.TIME);
    assertThat(Differences.kind(true, true, MILLI, 9 * MILLI)).as("less than 10 ms").isNull();
    assertThat(Differences.kind(true, true, 100 * MILLI, 190 * MILLI)).as("not twice").isNull();
    assertThat(Differences.kind(true, true, 900 * MILLI, MILLI)).as("faster").isNull();
  }

  @Test
  void theLastOnesOfEachKindAreKeptAndAFloodOfOneKindLeavesTheOthers() {
    Differences kept = new Differences(true);
    kept.add(of(Kind.STATUS, 0));
    for (int i = 0; i < 1_000; i++) {
      kept.add(of(Kind.TIME, i * Differences.PAUSE_MILLIS));
    }

    List<Difference> all = kept.all();
    assertThat(all).hasSize(Differences.MOST + 1);
    assertThat(all.getFirst().at()).isEqualTo(999 * Differences.PAUSE_MILLIS);
    assertThat(all.getLast().kind()).isEqualTo(Kind.STATUS);
  }

  @Test
  void ofThoseThatComeAtOnceOneIsKept() {
    Differences kept = new Differences(true);
    for (int i = 0; i < Differences.PAUSE_MILLIS; i++) {
      kept.add(of(Kind.BODY, i));
    }

    assertThat(kept.all()).hasSize(1);
  }

  @Test
  void bodiesAreKeptOnlyWhereTheyDifferAndMayBe() {
    Differences kept = new Differences(true);
    kept.add(of(Kind.BODY, 0));
    kept.add(of(Kind.TIME, 1));
    Differences without = new Differences(false);
    without.add(of(Kind.BODY, 0));

    assertThat(kept.all().get(1).told().beginning()).containsExactly(1);
    assertThat(kept.all().get(0).told().beginning()).isNull();
    assertThat(without.all().getFirst().said().beginning()).isNull();
  }
}
