package io.orrery.benchmarks.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.benchmarks.search.Records.Entry;
import io.orrery.benchmarks.search.problem.Folders;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SearchBenchmarkTest {
  @TempDir Path folder = Path.of(".");

  private SearchOptions options(String... more) {
    SearchOptions options = new SearchOptions();
    CommandLine command = new CommandLine(new Holder(options));
    command.parseArgs(
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of("--problems", folder.toString(), "--seeds", "3"),
                java.util.stream.Stream.of(more))
            .toArray(String[]::new));
    return options;
  }

  @CommandLine.Command
  private record Holder(@CommandLine.Mixin SearchOptions options) {}

  @Test
  void eachRunHasALineWithItsRegrets() throws IOException, InterruptedException {
    Folders.formulas(folder);
    SearchReport report = new SearchBenchmark(options("--tuners", "TPE,random")).run();
    assertThat(report.lines()).hasSize(2 * 2 * 3);
    assertThat(report.lines().getFirst())
        .containsKeys("tuner", "problem", "seed", "mode", "cpuMsPerSuggestion", "error", "regret")
        .containsEntry("error", null);
    assertThat(report.text()).contains("* TPE", "* Random", "sphere2_shifted", "no problem");
    assertThat(report.passed()).isTrue();
  }

  @Test
  void theSameSeedsGiveTheSameRegrets() throws IOException, InterruptedException {
    Folders.formulas(folder);
    assertThat(regrets(options("--mode", "parallel", "--threads", "2", "--tuners", "TPE")))
        .isEqualTo(regrets(options("--mode", "parallel", "--threads", "1", "--tuners", "TPE")));
  }

  private static List<Object> regrets(SearchOptions options)
      throws IOException, InterruptedException {
    return new SearchBenchmark(options)
        .run().lines().stream().map(line -> (Object) Map.of("r", line.get("regret"))).toList();
  }

  @Test
  void aTunerThatDoesNotTakeASpaceHasFailedThere() throws IOException, InterruptedException {
    Folders.tables(folder);
    SearchReport report =
        new SearchBenchmark(options("--tuners", "Batch", "--only", "curves")).run();
    assertThat(report.text()).contains("Batch failed on curves");
  }

  @Test
  void whatIsWrongWithTheOptionsIsSaid() throws IOException {
    Folders.formulas(folder);
    assertThatThrownBy(() -> new SearchBenchmark(options("--mode", "backwards")))
        .hasMessageContaining("sequential, sequential200, parallel");
    assertThatThrownBy(() -> new SearchBenchmark(options("--tuners", "TPP")))
        .hasMessageContaining("TPP");
    assertThatThrownBy(
            () -> new SearchBenchmark(options("--tuners", "TPE", "--args", "{\"sed\": 1}")))
        .hasMessageContaining("sed");
    assertThatThrownBy(() -> new SearchBenchmark(options("--only", "riddle3")).run())
        .hasMessageContaining("riddle3");
  }

  @Test
  void ranksAndRatiosFollowTheRule() {
    Scores scores =
        new Scores(List.of("p", "q"), (problem, k) -> 0.1)
            .with("a", (problem, k) -> problem.equals("p") ? 0.01 : 0.1)
            .with("b", (problem, k) -> problem.equals("p") ? 0.02 : 0.1)
            .with("c", (problem, k) -> problem.equals("p") ? 0.03 : Double.NaN);
    assertThat(scores.rank("a", 100)).isEqualTo((1 + 1.5) / 2);
    assertThat(scores.rank("c", 100)).isEqualTo(3);
    assertThat(scores.ratio("a", 100)).isCloseTo(Math.sqrt(0.0101 / 0.1001), within(1e-12));
    assertThat(scores.ratio("c", 100))
        .isCloseTo(Math.sqrt(0.0301 * 1.0001) / 0.1001, within(1e-12));
  }

  @Test
  void oneGotWorseWhenTheDifferenceExceedsTheSpread() {
    Entry earlier = new Entry(List.of("p"), 20, -2.0, 0.2);
    assertThat(new Entry(List.of("p"), 20, -1.9, 0.2).worseThan(earlier)).isFalse();
    assertThat(new Entry(List.of("p"), 20, -1.8, 0.2).worseThan(earlier)).isTrue();
    assertThat(new Entry(List.of("q"), 20, -1.0, 0.2).worseThan(earlier)).isFalse();
  }

  @Test
  void aRecordIsWrittenAndFoundAgain() throws IOException, InterruptedException {
    Folders.formulas(folder);
    Path file = folder.resolve("records.json");
    new SearchBenchmark(options("--tuners", "TPE", "--record", file.toString())).run();
    assertThat(
            Json.parse(Files.readString(file)).path("sequential").path("TPE").path("seeds").asInt())
        .isEqualTo(3);
  }

  @Test
  void withoutPeersThereAreNone() {
    Peers none = new Peers(MissingNode.getInstance(), "sequential");
    assertThat(none.on(List.of("p"))).isEmpty();
    assertThat(none.groups()).isEmpty();
    assertThat(none.mean("random", "p", 100)).isNaN();
  }
}
