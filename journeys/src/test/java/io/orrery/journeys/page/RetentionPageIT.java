package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page of the rules by which old objects are removed. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class RetentionPageIT {
  @TempDir Path temp;

  @Test
  void aRuleIsPreviewedAndSetAndStaysSet() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    try (Chromium chromium = Chromium.launch();
        ServerProcess server = ServerProcess.start(home);
        Visit visit = new Visit(chromium, server.url())) {
      visit.to("/retention");
      Locator runs = visit.at("form[aria-label='Runs that are over']");
      assertThat(runs).containsText("Those that a model or a waiting due run names stay.");
      assertThat(visit.at("form[aria-label='Unused environments']")).containsText("names stay.");
      assertThat(visit.at("form[aria-label='Entries of the audit log'] input")).hasValue("360");

      runs.locator("input").fill("30");
      runs.locator("button[aria-label^=Preview]").click();
      assertThat(visit.at("retention-page section")).containsText("Nothing is that old.");
      runs.locator("button").first().click();
      assertThat(runs).containsText("Set by");

      visit.page().reload();
      assertThat(runs.locator("input")).hasValue("30");
    }
  }
}
