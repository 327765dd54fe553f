package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes code in the editor. A style or script that the policy of the page refuses is a complaint
 * of the console, which each visit fails for.
 */
@Timeout(180)
class CodeFieldIT extends OwnServer {
  @BeforeAll
  static void template() throws Exception {
    put(
        "/templates/program",
        """
        {"command": ["python3", "-c", "pass"], "arguments": {"Program": {
          "--code": {"type": "text", "item_type": "python", "label": "Code"},
          "--query": {"type": "text", "item_type": "sql", "label": "Query", "require": 0},
          "--settings": {"type": "json", "label": "Settings", "require": 0}}}}
        """);
    put(
        "/pipelines/coded",
        """
        {"tasks": [{"name": "one", "template": "program",
          "arguments": {"--code": "def f(x):\\n    return \\"a\\" + str(1)  # why\\n"}}]}
        """);
  }

  private static Locator field(Visit visit, String argument) {
    return visit.at("[data-argument='" + argument + "']");
  }

  private static void choose(Visit visit) {
    visit.at("g[data-task=one]").click();
    assertThat(field(visit, "--code").locator(".cm-content")).isVisible();
  }

  @Test
  void codeHasLineNumbersColoursIndentsByTabAndIsLeftByEscape() throws Exception {
    try (Visit visit = visit("/editor?name=coded")) {
      choose(visit);
      Locator code = field(visit, "--code");
      assertThat(code.locator(".cm-lineNumbers .cm-gutterElement:visible"))
          .containsText(new String[] {"1", "2", "3"});
      Locator keyword =
          code.locator(".cm-line span", new Locator.LocatorOptions().setHasText("def"));
      String plain =
          (String) code.locator(".cm-content").evaluate("e => getComputedStyle(e).color");
      assertThat(keyword.first().evaluate("e => getComputedStyle(e).color")).isNotEqualTo(plain);
      assertThat(
              (Boolean)
                  code.locator(".code-host")
                      .evaluate(
                          "e => e.shadowRoot.adoptedStyleSheets.length > 0 && e.shadowRoot.querySelector('style') === null"))
          .isTrue();

      code.locator(".cm-content").click();
      visit.page().keyboard().press("Control+End");
      visit.page().keyboard().press("Tab");
      visit.page().keyboard().type("y = f(2)");
      visit.button("Save").click();
      assertThat(visit.at(".title .pill.warn")).hasCount(0);
    }
    assertThat(server.get("/pipelines/coded").at("/tasks/0/arguments/--code").textValue())
        .isEqualTo("def f(x):\n    return \"a\" + str(1)  # why\n    y = f(2)");
  }

  @Test
  void aFaultIsSaidAtItsFieldAndUndoIsThatOfTheText() {
    try (Visit visit = visit("/editor?name=coded")) {
      choose(visit);
      Locator settings = field(visit, "--settings").locator(".cm-content");
      settings.click();
      visit.page().keyboard().type("{\"a\": ");
      assertThat(field(visit, "--settings").locator(".fault")).isVisible();
      assertThat(settings).hasAttribute("aria-invalid", "true");
      assertThat(settings).hasAttribute("aria-label", "Settings");
      visit.page().keyboard().press("Control+a");
      visit.page().keyboard().press("Delete");
      assertThat(field(visit, "--settings").locator(".fault")).hasCount(0);
      visit.page().keyboard().press("Control+z");
      assertThat(settings).containsText("a");
      visit.page().keyboard().press("Control+a");
      visit.page().keyboard().press("Delete");
      visit.page().keyboard().press("Escape");
      visit.page().keyboard().press("Tab");
      assertThat((Boolean) settings.evaluate("e => e.getRootNode().activeElement === e")).isFalse();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void itStandsOnNarrowAndWideScreensInBothColours() {
    for (int width : List.of(390, 1440)) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        var options =
            new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(scheme);
        try (Visit visit = new Visit(chromium, server.url(), options).to("/editor?name=coded")) {
          choose(visit);
          field(visit, "--code").scrollIntoViewIfNeeded();
          String shots = System.getProperty("orrery.shots");
          if (shots != null) {
            visit
                .page()
                .screenshot(
                    new Page.ScreenshotOptions()
                        .setPath(Path.of(shots, "code-" + width + "-" + scheme + ".png")));
          }
          assertThat(
                  (Boolean)
                      visit
                          .page()
                          .evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
              .isTrue();
        }
      }
    }
  }
}
