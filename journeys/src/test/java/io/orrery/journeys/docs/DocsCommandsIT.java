package io.orrery.journeys.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every command of README, tutorial and how-to pages, in the order of its page in a fresh
 * home. A page says itself which commands are left out, and why. {@code
 * -Dorrery.docs.page=tutorial} runs the pages of that name alone.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "orrery.docs.commands", matches = "true")
class DocsCommandsIT {
  private static final Path ROOT = Path.of("..");

  @TempDir Path folder;

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> howTos = Files.list(ROOT.resolve("docs/how-to"))) {
      List<Path> pages =
          Stream.concat(
                  Stream.of(ROOT.resolve("README.md"), ROOT.resolve("docs/tutorial.md")),
                  howTos.filter(page -> page.toString().endsWith(".md")).sorted())
              .toList();
      String name = System.getProperty("orrery.docs.page", "");
      return pages.stream().filter(page -> page.getFileName().toString().startsWith(name));
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPageDoWhatItSays(Path path) throws Exception {
    DocsPage page = DocsPage.read(path);
    DocsWorkspace workspace = DocsWorkspace.in(folder.toRealPath());
    boolean ran = false;
    try {
      for (DocsPage.Block block : page.blocks()) {
        switch (block) {
          case DocsPage.Block.Written file -> workspace.write(file.path(), file.text());
          case DocsPage.Block.Run run -> {
            ran = true;
            check(page, run, workspace.run(run.commands()));
          }
          case DocsPage.Block.LeftOut leftOut -> assertThat(leftOut.reason()).isNotBlank();
        }
      }
    } finally {
      if (ran) {
        workspace.close();
      }
    }
  }

  private static void check(
      DocsPage page, DocsPage.Block.Run run, List<DocsWorkspace.Outcome> outcomes) {
    for (int i = 0; i < run.commands().size(); i++) {
      DocsPage.Command command = run.commands().get(i);
      String place = page.path() + ":" + run.line() + ": " + command.text();
      assertThat(outcomes.size())
          .as("%s was not run; before it: %s", place, outcomes)
          .isGreaterThan(i);
      DocsWorkspace.Outcome outcome = outcomes.get(i);
      String printed = String.join("\n", outcome.printed());
      if (command.fails()) {
        assertThat(outcome.code()).as("%s printed:\n%s", place, printed).isPositive();
      } else {
        assertThat(outcome.code()).as("%s printed:\n%s", place, printed).isZero();
      }
      assertThat(PrintedText.firstMissing(command.expected(), outcome.printed()))
          .as("the first line of the page that is not there: %s printed:\n%s", place, printed)
          .isNull();
    }
  }
}
