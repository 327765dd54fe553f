package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes, checks, changes and deletes a template of tasks on the page. */
@Timeout(120)
class TemplatePagesIT extends OwnServer {
  private static final String DOCUMENT =
      """
      kind: Template
      name: grow
      title: Grow a tree
      command: [echo]
      version: Release
      arguments:
        Model:
          --depth: {type: int, range: [1, 20], default: 6, label: Depth}
      """;

  @Test
  void aTemplateIsWrittenCheckedWithArgumentsChangedAndDeleted() throws Exception {
    try (Visit visit = visit("/pipelines")) {
      visit.link("Templates").click();
      assertThat(visit.at("tr[data-name=python]")).containsText("the server");
      visit.link("New template").click();
      Locator editor = visit.at("config-editor textarea");
      editor.fill(DOCUMENT + "bogus: 1\n");
      assertThat(visit.at(".findings")).containsText("Line 9");
      editor.fill(DOCUMENT);
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Save").click();

      assertThat(visit.at("h1")).hasText("grow");
      assertThat(visit.at("pre.document")).containsText("label: Depth");
      Locator depth = visit.at("[data-argument='--depth'] input");
      depth.fill("99");
      assertThat(visit.at("[data-argument='--depth'] .fault")).containsText("20");
      depth.fill("4");
      assertThat(visit.at("section[aria-label=Arguments] code")).hasText("echo --depth 4");

      visit.link("Change").click();
      editor.fill(editor.inputValue().replace("Grow a tree", "Grow two trees"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Save").click();
      // The document of the stored template: the editor has the text before it is saved.
      assertThat(visit.at("pre.document")).containsText("Grow two trees");
      assertThat(server.get("/templates/grow").get("title").textValue())
          .isEqualTo("Grow two trees");

      visit.button("Delete").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at("h1")).hasText("Templates");
    }
    assertThat(send("GET", "/templates/grow", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aTemplateOfTheServerIsShownAndNotChanged() {
    try (Visit visit = visit("/templates/http")) {
      assertThat(visit.at("h1")).hasText("http");
      assertThat(visit.at(".object-head")).containsText("of the server");
      assertThat(visit.link("Change")).hasCount(0);
      assertThat(visit.button("Delete")).hasCount(0);
      visit.button("Check arguments").click();
      assertThat(visit.at("section[aria-label=Arguments] code")).containsText("--url");
    }
  }
}
