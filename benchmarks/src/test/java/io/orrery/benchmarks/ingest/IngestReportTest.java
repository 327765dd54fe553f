package io.orrery.benchmarks.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.benchmarks.ingest.IngestBenchmark.Keeping;
import io.orrery.benchmarks.ingest.IngestBenchmark.Transport;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class IngestReportTest {
  private static final ServerTotals OURS =
      new ServerTotals(
          "orrery",
          true,
          List.of(
              new Round(50_000, 10, 6, 14),
              new Round(40_000, 12, 8, 16),
              new Round(20_000, 30, 7, 15)),
          OptionalLong.of(0));
  private static final ServerTotals PEER =
      new ServerTotals(
          "victoriametrics",
          false,
          List.of(
              new Round(25_000, 20, 20, 40),
              new Round(20_000, 40, 30, 60),
              new Round(10_000, 60, 25, 50)),
          OptionalLong.of(0));
  private static final ServerTotals LAST_ONLY =
      new ServerTotals("pushgateway", false, PEER.rounds(), OptionalLong.empty());

  private final IngestReport report = new IngestReport();

  @Test
  void theMedianStandsBesideLowestAndHighest() {
    report.add(Transport.HTTP, Keeping.EMBEDDED, 1, OURS);
    assertThat(row("orrery"))
        .startsWith("http")
        .contains("40,000 (20,000 to 50,000)", "12.00 (10.00 to 30.00)", "12 µs, 40,000/s");
  }

  @Test
  void ourLineHasItsKeysAndNoPeer() {
    report.add(Transport.HTTP, Keeping.EMBEDDED, 1, OURS);
    assertThat(report.lines()).hasSize(1);
    assertThat(report.lines().getFirst())
        .containsEntry("transport", "http")
        .containsEntry("store", "embedded")
        .containsEntry("batch", 1)
        .containsEntry("pointsPerSecond", 40_000L)
        .containsEntry("cpuMicrosPerPoint", 12.0)
        .containsEntry("p50Ms", 7.0)
        .containsEntry("p99Ms", 15.0)
        .containsEntry("lost", 0L)
        .doesNotContainKey("peer");
  }

  /** 10 to 20, 12 to 40 and 30 to 60 are 0.5, 0.3 and 0.5; the medians alone would say 0.3. */
  @Test
  void aPeerIsComparedWithinItsRounds() {
    report.addPeers(Transport.HTTP, 1, OURS, List.of(PEER));
    Map<String, Object> line = report.lines().getFirst();
    assertThat(line).containsEntry("peer", "victoriametrics").containsEntry("oursToIt", 0.5);
    assertThat(line).doesNotContainKey("store");
  }

  @Test
  void oneThatKeepsTheLastSaysNothingOfLosses() {
    report.addPeers(Transport.HTTP, 1, OURS, List.of(LAST_ONLY));
    assertThat(report.lines().getFirst()).doesNotContainKey("lost");
  }

  @Test
  void whoIsNotInstalledIsNamedWithAFigureFromElsewhere() {
    report.addPeers(Transport.HTTP, 1, OURS, List.of(PEER));
    assertThat(row("influxdb")).contains("influxdb, not installed", "77.0, reference");
    assertThat(row("nni")).contains("nni, not run here", "650.0, reference");
    assertThat(row("pushgateway")).contains("361.0, reference");
    assertThat(report.text().lines().filter(line -> line.contains("victoriametrics"))).hasSize(1);
    assertThat(report.lines()).hasSize(1);
  }

  @Test
  void whoIsNotInstalledIsNamedWithoutAFigureToo() {
    report.addPeers(Transport.HTTP, 100, OURS, List.of(PEER));
    assertThat(row("pushgateway")).contains("pushgateway, not installed");
    assertThat(report.text()).doesNotContain("nni");
  }

  @Test
  void theTableSaysWhoSyncsBeforeItAnswers() {
    report.add(Transport.HTTP, Keeping.EMBEDDED, 1, OURS);
    report.addPeers(Transport.HTTP, 1, OURS, List.of(PEER));
    assertThat(row("orrery")).contains("  yes  ");
    assertThat(row("victoriametrics")).contains("  no  ");
  }

  private String row(String server) {
    return report.text().lines().filter(line -> line.contains(server)).findFirst().orElseThrow();
  }
}
