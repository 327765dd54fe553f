package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.orrery.core.json.Json;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Shows what steps have made, compares two runs, and filters the list of runs. */
@Timeout(180)
class RunResultsIT extends OwnServer {
  /** Makes one output of each kind that is shown. */
  private static final String PROGRAM =
      """
      import os, struct, zlib
      out = os.environ["ORRERY_OUTPUTS"]
      epochs = int(os.environ["ORRERY_PARAM_EPOCHS"])
      def write(name, data):
          open(os.path.join(out, name), "wb").write(data)
      rows = ["epoch,loss,accuracy"]
      rows += ["%d,%.4f,%.4f" % (n, 1 / n, 1 - 0.5 / n) for n in range(1, epochs + 1)]
      write("metric", "\\n".join(rows).encode())
      write("output", b'[{"label": "seven", "right": 97}, {"label": "one", "right": 99}]')
      write("words", b"plain words\\n")
      write("page", b"<!doctype html><title>t</title><h1>Report</h1>"
          b"<script>document.querySelector('h1').textContent = 'Changed'</script>")
      def part(kind, data):
          return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
      pixels = zlib.compress(b"".join(b"\\0" + bytes([200, 60, n]) * 64 for n in range(64)))
      write("picture", b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
          + part(b"IDAT", pixels) + part(b"IEND", b""))
      print("orrery: output score %.2f" % (1 - 0.5 / epochs))
      """;

  private static String first;
  private static String second;

  @BeforeAll
  static void runTwice() throws Exception {
    String outputs =
        """
        {"metric": {"path": "metric"}, "output": {"path": "output"}, "words": {"path": "words"},
         "page": {"path": "page"}, "picture": {"path": "picture"}, "score": {"value": "score"}}
        """;
    put(
        "/pipelines/shown",
        """
        {"parameters": {"epochs": {"type": "int", "default": 5}},
         "tasks": [{"name": "make", "template": "python", "arguments": {"code": %s}, "outputs": %s}]}
        """
            .formatted(Json.write(PROGRAM), outputs));
    put("/pipelines/broken", "{\"tasks\": [{\"name\": \"a\", \"command\": \"exit 3\"}]}");
    first = run("shown", "{}");
    second = run("shown", "{\"parameters\": {\"epochs\": 8}}");
    run("broken", "{}");
  }

  private static String run(String pipeline, String wanted) throws Exception {
    String id = server.post("/pipelines/" + pipeline + "/run", wanted).get("id").textValue();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/runs/" + id).path("endedAt").isTextual());
    return id;
  }

  @Test
  void aMetricIsDrawnAndAnOutputIsShownWithoutBeingAskedFor() throws Exception {
    try (Visit visit = visit("/runs/" + first + "?step=make")) {
      assertThat(visit.at("output-view [data-series=loss] canvas")).isVisible();
      assertThat(visit.at("output-view [data-series=accuracy] h4")).containsText("0.9");
      assertThat(visit.at("output-view [data-series=epoch]")).hasCount(0);
      assertThat(visit.at("table[aria-label='Output output'] tbody tr")).hasCount(2);
      assertThat(visit.at("table[aria-label='Output output']")).containsText("seven");
      assertThat(visit.at("output-view")).hasCount(2);
      visit.at("button[data-show=output]").click();
      assertThat(visit.at("output-view")).hasCount(1);

      visit.at("button[data-show=words]").click();
      assertThat(visit.at("pre[aria-label='Output words']")).hasText("plain words\n");
      visit.at("button[data-show=picture]").click();
      Locator image = visit.at("output-view img");
      assertThat(image).isVisible();
      await().until(() -> image.evaluate("one => one.naturalWidth").equals(64));
    }
  }

  @Test
  void htmlOfAStepIsShownInAFrameWithoutScriptsAndWithoutOurOrigin() throws Exception {
    HttpResponse<String> sent = send("GET", "/runs/" + first + "/artifacts/make/page?as=PAGE", "");
    assertThat(sent.headers().allValues("Content-Security-Policy"))
        .singleElement()
        .asString()
        .startsWith("sandbox; default-src 'none'");
    assertThat(sent.headers().firstValue("Content-Disposition")).isEmpty();
    HttpResponse<String> file = send("GET", "/runs/" + first + "/artifacts/make/page", "");
    assertThat(file.headers().firstValue("Content-Disposition").orElse("")).contains("attachment");
    assertThat(send("GET", "/runs/" + first + "/artifacts/make/page?as=SITE", "").statusCode())
        .isEqualTo(400);
    // Not a Visit: the browser complains about the script that it did not run.
    try (var context = chromium.browser().newContext()) {
      Page page = context.newPage();
      page.navigate(server.url() + "/#/runs/" + first + "?step=make");
      page.locator("button[data-show=page]").click();
      Locator heading = page.frameLocator("iframe").locator("h1");
      assertThat(heading).hasText("Report");
      Frame frame = page.frames().get(1);
      assertThat(frame.evaluate("self.origin")).isEqualTo("null");

      page.navigate(server.url() + "/api/v1/runs/" + first + "/artifacts/make/page?as=PAGE");
      assertThat(page.locator("h1")).hasText("Report");
      assertThat(page.evaluate("self.origin")).isEqualTo("null");
    }
  }

  @Test
  void twoRunsAreComparedByParametersMetricsDurationsAndArtifacts() throws Exception {
    JsonNode compared = server.get("/runs/" + first + "/compare/" + second);
    Map<String, JsonNode> lines = new HashMap<>();
    compared
        .path("lines")
        .forEach(line ->
            lines.put(line.path("step").asText("run") + " " + line.path("name").asText(), line));
    assertThat(lines.get("run parameters.epochs").path("change").asDouble()).isEqualTo(3.0);
    assertThat(lines.get("make outputs.score").path("kind").asText()).isEqualTo("metric");
    assertThat(lines.get("make outputs.score").path("left").asDouble()).isEqualTo(0.9);
    assertThat(lines.get("make duration").path("left").asDouble()).isPositive();
    assertThat(lines.get("make outputs.words").path("same").asBoolean()).isTrue();
    assertThat(lines.get("make outputs.metric").path("same").asBoolean()).isFalse();
    assertThat(send("GET", "/runs/" + first + "/compare/r000000000", "").statusCode())
        .isEqualTo(404);

    try (Visit visit = visit("/runs/" + first)) {
      visit.link("Compare").click();
      assertThat(visit.at("tr[data-line='parameters.epochs']")).containsText("+3");
      assertThat(visit.at("tr[data-line='make outputs.score']")).containsText("0.94");
      assertThat(visit.at("tr[data-line='make outputs.words']")).hasCount(0);
      assertThat(visit.at("run-comparison [data-series='make loss'] canvas")).isVisible();
      visit.page().getByLabel("What is the same too").check();
      assertThat(visit.at("tr[data-line='make outputs.words']")).hasCount(1);
    }
  }

  @Test
  void runsAreFilteredByPipelineStatusAndText() throws Exception {
    try (Visit visit = visit("/runs")) {
      Locator rows = visit.at("runs-list tr[data-run]");
      assertThat(rows).hasCount(3);
      visit.page().getByLabel("Status").selectOption("FAILED");
      assertThat(rows).hasCount(1);
      assertThat(rows).containsText("broken");
      visit.page().getByLabel("Status").selectOption("");
      visit.page().getByLabel("Run or pipeline").fill("shown");
      assertThat(rows).hasCount(2);
      visit.to("/pipelines/broken/runs");
      assertThat(rows).hasCount(1);
    }
  }

  /** For eyes: {@code -Dorrery.pictures=DIRECTORY}. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void thePagesFitScreensOfPhonesAndOfDesks() throws Exception {
    String folder = System.getProperty("orrery.pictures");
    for (int width : List.of(390, 1440)) {
      for (ColorScheme scheme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
        var options =
            new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(scheme);
        try (Visit visit = new Visit(chromium, server.url(), options)) {
          visit.to("/runs/" + first + "?step=make");
          assertThat(visit.at("output-view [data-series=loss] canvas")).isVisible();
          look(visit, folder, "step-" + width + "-" + scheme);
          visit.to("/runs/" + first + "/compare");
          assertThat(visit.at("run-comparison [data-series='make loss'] canvas")).isVisible();
          look(visit, folder, "compare-" + width + "-" + scheme);
          visit.to("/runs");
          assertThat(visit.at("runs-list tr[data-run]")).hasCount(3);
          look(visit, folder, "runs-" + width + "-" + scheme);
        }
      }
    }
  }

  private static void look(Visit visit, String folder, String name) throws Exception {
    assertThat(visit.page().evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
        .as(name)
        .isEqualTo(true);
    if (folder != null) {
      Files.createDirectories(Path.of(folder));
      visit
          .page()
          .screenshot(
              new Page.ScreenshotOptions()
                  .setPath(Path.of(folder, name + ".png"))
                  .setFullPage(true));
    }
  }
}
