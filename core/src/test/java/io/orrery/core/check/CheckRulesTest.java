package io.orrery.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.check.CheckResult.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which a check is good, doubtful or bad. */
class CheckRulesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"2048, OK", "1023, WARNING", "63, FAILED"})
  void aDiskNeedsSomeRoom(long megabytes, State state) {
    DiskRoom room = new DiskRoom(directory, "/ (/dev/vda1)", megabytes << 20, 1L << 40);

    CheckResult result = room.check("disk");

    assertThat(result.state()).isEqualTo(state);
    assertThat(result.found()).contains("/ (/dev/vda1)");
    assertThat(result.advice().isEmpty()).isEqualTo(state == State.OK);
  }

  @ParameterizedTest
  @CsvSource({"5, OK", "51, WARNING", "501, FAILED"})
  void aSyncIsWaitedFor(long millis, State state) {
    DiskSync sync = new DiskSync(Duration.ofMillis(millis), Duration.ZERO);

    assertThat(sync.check("sync").state()).isEqualTo(state);
  }

  @Test
  void aMeasurementLeavesNoFile() throws Exception {
    DiskSync measured = DiskSync.measure(directory.resolve("probe"), InstantSource.fixed(NOW));

    assertThat(measured.median()).isPositive();
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"-2, OK", "2, OK", "3, WARNING", "-3, WARNING"})
  void clocksMayBeTwoSecondsApart(long seconds, State state) {
    CheckResult result =
        ClockSkew.check("clock", Duration.ofSeconds(seconds), "the database's", "good");

    assertThat(result.state()).isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({"400, OK", "29, WARNING", "-1, FAILED"})
  void aCertificateIsRenewedAMonthBefore(long days, State state) {
    Instant end = NOW.plus(Duration.ofDays(days));

    CheckResult result = CertificateEnd.check("x", "CN=x", Instant.MIN, end, NOW, "x.pem");

    assertThat(result.state()).isEqualTo(state);
  }

  @Test
  void aCertificateThatHasNotBegunIsNotValid() {
    Instant begin = NOW.plusSeconds(1);

    CheckResult result =
        CertificateEnd.check("x", "CN=x", begin, begin.plus(Duration.ofDays(365)), NOW, "x.pem");

    assertThat(result.state()).isEqualTo(State.FAILED);
  }

  @Test
  void anEngineThatIsNotThereIsNamed() {
    CheckResult result = Reach.engine("cluster box", directory.resolve("podman.sock"));

    assertThat(result.state()).isEqualTo(State.FAILED);
    assertThat(result.found()).contains("podman.sock");
  }

  @Test
  void theWorstOfSomeIsTheirState() {
    assertThat(State.worst(List.of(State.OK, State.FAILED, State.WARNING))).isEqualTo(State.FAILED);
    assertThat(State.worst(List.of(State.OK, State.UNKNOWN))).isEqualTo(State.UNKNOWN);
    assertThat(State.worst(List.of())).isEqualTo(State.OK);
  }
}
