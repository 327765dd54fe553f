package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the notice about reports that went to stderr (B3). */
class MisplacedReportsTest {
  @TempDir Path directory;

  private String complaint(String stderr) throws IOException {
    Files.writeString(directory.resolve("stderr"), stderr);
    return MisplacedReports.complaint(new AttemptFiles(directory));
  }

  @Test
  void aReportOnStderrIsQuoted() throws Exception {
    assertThat(complaint("loading\norrery: final 0.9\n"))
        .isEqualTo(
            "this line of stderr is no report, because reports are read from stdout: orrery: final"
                + " 0.9");
    assertThat(complaint("orrery: intermediate 0.1\norrery: final 0.9\n"))
        .startsWith("2 lines of stderr")
        .endsWith("the first: orrery: intermediate 0.1");
    assertThat(complaint("50% NNISDK_MEb'{\"type\": \"FINAL\", \"value\": \"1\"}'"))
        .contains("NNISDK_MEb");
  }

  @Test
  void otherLinesOfStderrAreNoReports() throws Exception {
    assertThat(complaint("")).isNull();
    assertThat(complaint("orrery: its code directory is gone\nsaid orrery: final 0.9\n")).isNull();
    Files.delete(directory.resolve("stderr"));
    Files.createSymbolicLink(directory.resolve("stderr"), directory.resolve("other"));
    Files.writeString(directory.resolve("other"), "orrery: final 0.9");
    assertThat(MisplacedReports.complaint(new AttemptFiles(directory))).isNull();
  }

  @Test
  void ofAnEndlessFileTheEndIsSearched() throws Exception {
    assertThat(complaint("x".repeat(3_000_000) + "\norrery: final 0.9")).contains("final 0.9");
  }
}
