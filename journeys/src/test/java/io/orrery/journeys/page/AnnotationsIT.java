package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Notes and tags on the page (G3). */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class AnnotationsIT extends InShop {
  private static void addTag(Locator editor, String tag) {
    editor.locator("input.new-tag").fill(tag);
    editor.locator("input.new-tag").press("Enter");
    assertThat(editor.locator(".chip b").getByText(tag)).isVisible();
  }

  @Test
  void anExperimentIsGivenANoteAndTagsAndIsFoundByThem() throws Exception {
    String id = shop.finished("with a note", "1", "quick");
    shop.finished("without", "1", "quick");
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/experiments/" + id);
        Visit other = new Visit(chromium, shop.server().url()).to("/")) {
      assertThat(other.at("tr[data-id=" + id + "]")).isVisible();
      Locator editor = visit.at(".card.notes");
      addTag(editor, "baseline");
      addTag(editor, "keep");
      visit.button("Write a note").click();
      assertThat(editor.locator("textarea")).isFocused();
      editor.locator("textarea").fill("First run.\nThe <b>loader</b> was slow.");
      visit.button("Save").click();
      assertThat(editor.locator(".note")).hasText("First run.\nThe <b>loader</b> was slow.");
      assertThat(visit.at(".experiment-head .tag")).hasText(new String[] {"baseline", "keep"});
      editor.getByLabel("Remove the tag keep").click();
      assertThat(visit.at(".experiment-head .tag")).hasText(new String[] {"baseline"});

      assertThat(other.at("tr[data-id=" + id + "] .tag")).hasText(new String[] {"baseline"});
      other.at("select[aria-label=Tag]").selectOption("baseline");
      assertThat(other.at("table.experiments tbody tr")).hasCount(1);
      assertThat(other.page().url()).contains("tag=baseline");
    }
  }

  @Test
  void aTrialIsGivenANoteAndTagsAndTheTableIsNarrowedByThem() throws Exception {
    String id = shop.finished("with notes of trials", "1, 2, 3", "quick");
    String trial = shop.trial(id, "2");
    try (Visit visit =
        new Visit(chromium, shop.server().url())
            .to("/experiments/" + id + "/trials?trial=" + trial)) {
      Locator editor = visit.at("trial-panel annotation-editor");
      addTag(editor, "odd");
      editor.getByText("Write a note").click();
      editor.locator("textarea").fill("Its loss jumps.");
      editor.locator("textarea").press("Control+Enter");
      assertThat(editor.locator(".note")).hasText("Its loss jumps.");
      assertThat(visit.row(trial).locator(".tag")).hasText("odd");
      editor.getByText("Edit the note").click();
      editor.locator("textarea").press("Escape");
      assertThat(visit.at("trial-panel aside")).isVisible();

      visit.to("/experiments/" + id + "/trials?where=tag%3Dodd");
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(1);
      assertThat(visit.row(trial)).isVisible();
      assertThat(visit.at(".chip").first()).containsText("Tags");
    }
  }

  @Test
  void aTagOfOneTrialOfTenThousandIsFound() throws Exception {
    String id = shop.large("ten thousand with a tag", 10_000);
    String trial =
        shop.server()
            .get("/experiments/" + id + "/trials?sort=-metric&limit=1")
            .at("/items/0/id")
            .textValue();
    shop.server()
        .patch("/experiments/" + id + "/trials/" + trial + "/annotation", "{\"tags\": [\"best\"]}");
    try (Visit visit =
        new Visit(chromium, shop.server().url())
            .to("/experiments/" + id + "/trials?where=tag%3Dbest")) {
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(1);
      assertThat(visit.row(trial).locator(".tag")).hasText("best");
      visit.to("/experiments/" + id + "/trials?sort=tag");
      assertThat(visit.at(".rows .row[data-trial]").first().locator(".tag")).hasText("best");
    }
  }
}
