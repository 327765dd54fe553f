package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.microsoft.playwright.Locator;
import java.net.http.HttpResponse;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Drives the pages of images, builds and registries; no registry can be reached from the server.
 */
class ImagePagesIT extends OwnServer {
  private static final String BUILD =
      """
      kind: ImageBuild
      name: %s
      target: hub.example.invalid/vision/tool:1
      dockerfile: |
        FROM scratch
        LABEL a=b
      """;

  @Test
  void anAccountIsSavedCheckedAndDeletedOnThePage() {
    try (Visit visit = visit("/images")) {
      assertThat(section(visit, "Registries")).containsText("An account opens a private registry");
      Locator form = visit.at("form[aria-label='Add an account']");
      form.getByLabel("Name").fill("hub");
      form.getByLabel("Registry").fill("hub.example.invalid/vision");
      form.getByLabel("User").fill("robot");
      form.getByLabel("Secret with the password").fill("nosuch");
      form.locator("button").click();
      Locator row = section(visit, "Registries").locator("tr[data-name=hub]");
      assertThat(row).containsText("hub.example.invalid/vision");
      row.locator("button:has-text('Check')").click();
      assertThat(visit.at(".toast.bad").first()).containsText("no secret nosuch");
      row.locator("button.danger").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(row).hasCount(0);
    }
  }

  @Test
  void anImageThatIsNotThereIsNotAddedAndThePageSaysWhy() {
    try (Visit visit = visit("/images")) {
      Locator form = visit.at("form[aria-label='Add an image']");
      form.getByLabel("Image").fill("other.example.invalid/vision/tool:1");
      form.locator("button").click();
      assertThat(visit.at(".toast.bad").first()).containsText("other.example.invalid");
      assertThat(section(visit, "Catalogue")).containsText("keeps the digest that a tag had");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aBuildIsWrittenFollowedStartedAgainAndDeletedOnThePage() throws Exception {
    HttpResponse<String> made = send("PUT", "/builds/seen", BUILD.formatted("seen"));
    // Needs buildah, and an ordinary user with user namespaces where the server is root.
    assumeFalse(made.statusCode() == 400, made.body());
    Assertions.assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    try (Visit visit = visit("/images")) {
      Locator row = section(visit, "Builds").locator("tr[data-name=seen]");
      assertThat(row.locator(".pill")).hasText("Failed");
      assertThat(row.locator(".fault")).isVisible();
      visit.link("seen").click();
      assertThat(visit.at("h1")).hasText("seen");
      assertThat(visit.at("pre.document")).containsText("FROM scratch");
      assertThat(visit.at("log-view")).isVisible();
      visit.button("Rebuild").click();
      assertThat(visit.at(".toast:has-text('Started again')")).isVisible();
      visit.link("Change").click();
      assertThat(visit.at("h1")).containsText("Change");
      visit.to("/images");
      assertThat(row.locator(".pill[data-status=FAILED]")).hasCount(1);
      row.locator("button.danger").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(row).hasCount(0);
    }
  }

  @Test
  void aNewBuildIsCheckedWhileItIsWritten() {
    try (Visit visit = visit("/documents/build/new")) {
      assertThat(visit.at("h1")).hasText("New build");
      assertThat(visit.at("config-editor")).containsText("ImageBuild");
      visit.link("Cancel").click();
      assertThat(visit.at("h1")).hasText("Images");
    }
  }
}
