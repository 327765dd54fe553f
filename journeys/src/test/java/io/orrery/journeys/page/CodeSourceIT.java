package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Gives an experiment its code from the browser. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class CodeSourceIT extends InShop {
  private static final String SENT = "/mnt/[a-z]+/code/%s-\\d{8}-\\d{6}";

  /** All of the form but the code. */
  private static Visit form(String name, String command) {
    Visit visit = new Visit(chromium, shop.server().url()).to("/new");
    visit.at("input[name=experimentName]").fill(name);
    visit.at("input[name=trialCommand]").fill(command);
    visit.at("input[name=maxTrialNumber]").fill("1");
    visit.at("select[name=tuner]").selectOption("Random");
    return visit;
  }

  private static void startsAndEndsWell(Visit visit) {
    assertThat(visit.at(".verdict .pill")).hasText("Valid");
    visit.button("Start").click();
    assertThat(visit.at(".page-head .pill"))
        .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(30_000));
  }

  @Test
  void aFolderIsSentWithWhatIsBelowItAndItsTrialRuns() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("digits"));
    Files.createDirectories(folder.resolve("lib"));
    Files.createDirectories(folder.resolve(".git"));
    Files.writeString(folder.resolve("train.sh"), "[ ! -e .git ] && cat lib/result\n");
    Files.writeString(folder.resolve("lib/result"), "orrery: final 0.5\n");
    Files.writeString(folder.resolve(".git/config"), "");
    try (Visit visit = form("a folder", "sh train.sh")) {
      visit.page().getByLabel("Send a folder").setInputFiles(folder);
      assertThat(visit.at("input[name=trialCodeDirectory]"))
          .hasValue(Pattern.compile(SENT.formatted("digits")));
      startsAndEndsWell(visit);
      assertThat(visit.at(".figures")).containsText("0.5");
    }
  }

  @Test
  void filesAreSentAndADirectoryOfThePersonIsChosen() {
    try (Visit visit = form("files", "sh train.sh")) {
      visit
          .page()
          .getByLabel("Send files")
          .setInputFiles(
              new FilePayload(
                  "train.sh",
                  "text/plain",
                  "echo orrery: final 2\n".getBytes(StandardCharsets.UTF_8)));
      assertThat(visit.at("input[name=trialCodeDirectory]"))
          .hasValue(Pattern.compile(SENT.formatted("files")));
      String sent = visit.at("input[name=trialCodeDirectory]").inputValue();
      visit.at("input[name=trialCodeDirectory]").fill("");
      visit.button("Choose in my files").click();
      visit.button("code/").click();
      visit.button(sent.substring(sent.lastIndexOf('/') + 1) + "/").click();
      assertThat(visit.at("[aria-label='Directories of my files']"))
          .containsText("No directories below");
      visit.button("Use this one").click();
      assertThat(visit.at("input[name=trialCodeDirectory]")).hasValue(sent);
      startsAndEndsWell(visit);
    }
  }

  @Test
  void aDirectoryOfAnotherPersonIsRefusedAtItsField() {
    try (Visit visit = form("another's", "sh train.sh")) {
      visit.at("input[name=trialCodeDirectory]").fill("/mnt/another-person/code");
      assertThat(visit.at(".field:has(input[name=trialCodeDirectory]) .fault"))
          .containsText("only your own can be named");
    }
  }

  @Test
  void codeFromARepositoryIsDescribedInTheFormAndFaultsStandAtTheirFields() {
    try (Visit visit = form("from git", "sh train.sh")) {
      visit.button("From a Git repository…").click();
      assertThat(visit.at(".field:has(input[name=code-git]) .fault")).containsText("must be a URL");
      visit.at("input[name=code-git]").fill("https://example.com/team/code.git");
      visit.at("input[name=code-ref]").fill("a..b");
      assertThat(visit.at(".field:has(input[name=code-ref]) .fault")).containsText("ref must be");
      visit.at("input[name=code-ref]").fill("main");
      visit.at("input[name=code-directory]").fill("search");
      visit.at("input[name=code-secret]").fill("secret:none");
      assertThat(visit.at(".field:has(input[name=code-secret]) .fault"))
          .containsText("has no secret none");
      visit.at("input[name=code-secret]").fill("");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(visit.at("config-form")).isVisible();
      visit.button("Take a directory instead").click();
      assertThat(visit.at("input[name=trialCodeDirectory]")).hasValue("");
    }
  }

  @Test
  void whatIsSentAndWhereToIsWorkedOut() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/about")) {
      Pure source = visit.pure("experiments/code-source.js");
      source.gives(
          "directoryOf([{path: 'a/b/c.py'}], new Date(Date.UTC(2026, 10, 28, 4, 5, 6)))",
          "code/a-20261128-040506");
      source.gives("below('a/b/c.py')", "b/c.py");
      source.gives("below('c.py')", "c.py");
      assertThat(
              source.value(
                  "sentOf([{name: 'x', webkitRelativePath: 'a/.git/x'}, {name: 'y', webkitRelativePath: ''}]).map((it) => it.path).join()"))
          .isEqualTo("y");
    }
  }
}
