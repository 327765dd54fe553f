package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual pages are what {@code --help} says, in troff that has no fault. */
final class ManPagesTest {
  @TempDir Path directory;
  private Path pages;

  @BeforeEach
  void write() {
    pages = directory.resolve("man 1");
    assertThat(new CommandLineRun(directory).run("man", pages.toString()).code()).isZero();
  }

  @Test
  void aVerbHasAPageWithItsOptionsAndExamples() throws IOException {
    assertThat(Files.readString(pages.resolve("orrery-experiment-run.1")))
        .startsWith(".TH \"ORRERY\\-EXPERIMENT\\-RUN\" \"1\"")
        .contains(".SH \"OPTIONS\"", "\\fB\\-\\-keep", ".SH \"EXAMPLES\"")
        .contains("  orrery experiment run experiment.yml\n")
        .contains("orrery\\-experiment(1)");
    assertThat(Files.readString(pages.resolve("orrery.1"))).contains("orrery\\-up(1)");
  }

  @Test
  void everyCommandOfTheHelpHasOne() throws IOException {
    Result help = new CommandLineRun(directory).run("--help");
    List<String> verbs =
        help.out()
            .lines()
            .dropWhile(line -> !line.equals("Verbs:"))
            .skip(1)
            .takeWhile(line -> !line.isBlank())
            .filter(line -> line.matches("  [a-z].*"))
            .map(line -> line.strip().split("[ ,]")[0])
            .toList();

    assertThat(verbs).contains("experiment", "up", "man");
    assertThat(verbs)
        .allSatisfy(verb -> assertThat(pages.resolve("orrery-" + verb + ".1")).exists());
  }

  @Test
  void noLineIsARequestThatTroffDoesNotKnow() throws IOException {
    try (Stream<Path> files = Files.list(pages)) {
      for (Path page : files.toList()) {
        assertThat(Files.readAllLines(page))
            .as(page.toString())
            .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
            .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|nf|fi)( \".*\")?"));
      }
    }
  }

  @Test
  void groffHasNothingToSayAboutThem() throws Exception {
    assumeThat(Path.of("/usr/bin/groff")).exists();
    List<String> command = new ArrayList<>(List.of("groff", "-man", "-Tascii", "-ww", "-z"));
    try (Stream<Path> files = Files.list(pages)) {
      files.map(Path::toString).forEach(command::add);
    }
    Process groff = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(groff.waitFor()).isZero();
    assertThat(said).isEmpty();
  }
}
