package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pages of tracked runs: what a client of MLflow logged, with trials beside it. */
@Timeout(240)
class TrackingPagesIT extends OwnServer {
  private static final int RUNS = 60;

  private static String logged;
  private static String first;
  private static String search;

  @BeforeAll
  static void log() throws Exception {
    logged = mlflow("experiments/create", "{\"name\": \"letters\"}").get("experiment_id").asText();
    for (int i = 0; i < RUNS; i++) {
      String run =
          mlflow(
                  "runs/create",
                  "{\"experiment_id\": \"%s\", \"run_name\": \"net-%d\", \"start_time\": %d}"
                      .formatted(logged, i, 1_700_000_000_000L + i))
              .at("/run/info/run_id")
              .asText();
      first = i == 0 ? run : first;
      mlflow(
          "runs/log-batch",
          """
          {"run_id": "%s",
           "params": [{"key": "lr", "value": "0.%d"}, {"key": "kind", "value": "cnn"}],
           "tags": [{"key": "team", "value": "vision"}],
           "metrics": [{"key": "loss", "value": %d.5, "step": 0, "timestamp": 1700000000000},
                       {"key": "loss", "value": %d, "step": 10, "timestamp": 1700000001000},
                       {"key": "odd", "value": "NaN", "step": 0, "timestamp": 1700000001000}]}
          """
              .formatted(run, i, i, i));
    }
    mlflow("runs/update", "{\"run_id\": \"%s\", \"status\": \"FINISHED\"}".formatted(first));
    artifact("model/weights.txt", "w".repeat(2_000));
    artifact("notes.txt", "read me");
    search = startedSearch();
  }

  private static HttpResponse<String> call(String method, String path, String body)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(server.url() + path))
                  .method(method, BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer;
    }
  }

  private static JsonNode mlflow(String name, String body) throws Exception {
    return Json.parse(call("POST", "/api/2.0/mlflow/" + name, body).body());
  }

  private static void artifact(String path, String content) throws Exception {
    call(
        "PUT",
        "/api/2.0/mlflow-artifacts/artifacts/%s/%s/artifacts/%s".formatted(logged, first, path),
        content);
  }

  private static String startedSearch() throws Exception {
    Path code = Files.createDirectories(home.resolve("code")).toAbsolutePath();
    Files.writeString(
        code.resolve("trial.sh"),
        "echo \"orrery: intermediate 0.$ORRERY_PARAM_X\"\necho \"orrery: final $ORRERY_PARAM_X\"\n");
    String id =
        server
            .post(
                "/experiments",
                """
                experimentName: digits
                trialCommand: bash trial.sh
                trialCodeDirectory: %s
                trialConcurrency: 2
                searchSpace: {x: {_type: choice, _value: [1, 2]}}
                tuner: {name: GridSearch}
                trainingService: {platform: local}
                """
                    .formatted(code))
            .get("id")
            .textValue();
    server.awaitStatus(id, Duration.ofSeconds(90), "DONE");
    return id;
  }

  private static Locator rows(Visit visit) {
    return visit.at("table[aria-label='Runs'] tbody tr");
  }

  @Test
  void runsAreFilteredSortedAndReadPageByPage() {
    try (Visit visit = visit("/")) {
      visit.link("Tracked runs").click();
      assertThat(visit.at("tr[data-experiment='0']")).containsText("Default");
      assertThat(visit.at("tr[data-experiment='experiment-" + search + "']"))
          .containsText("trials of this search");
      visit.link("letters").click();
      assertThat(rows(visit)).hasCount(50);
      assertThat(rows(visit).first()).containsText("net-59");
      assertThat(rows(visit).first()).containsText("Running");
      visit.button("Show more").click();
      assertThat(rows(visit)).hasCount(RUNS);

      Locator filter = visit.page().getByLabel("Filter");
      filter.fill("metrics.loss < 3 AND params.kind = 'cnn'");
      assertThat(rows(visit)).hasCount(3);
      visit.page().getByLabel("Order").selectOption("metrics.`loss` ASC");
      assertThat(rows(visit).first()).containsText("net-0");
      assertThat(rows(visit).first()).containsText("Finished");
      filter.fill("metrics.loss <");
      assertThat(visit.at("main [role=alert]")).containsText("compared with a number");
      filter.fill("metrics.loss > 1000");
      assertThat(visit.at("main .state")).hasText("No run fits.");
      visit.page().reload();
      assertThat(filter).hasValue("metrics.loss > 1000");
      visit.to("/tracking/0");
      assertThat(visit.at("main .state")).hasText("There is no run in it yet.");
      visit.to("/tracking?q=nothing");
      assertThat(visit.at("main .state")).hasText("No experiment fits.");
    }
  }

  @Test
  void theFieldStaysWhileExperimentsAreSearched() {
    try (Visit visit = visit("/tracking")) {
      assertThat(visit.at("tr[data-experiment='0']")).isVisible();
      Locator field = visit.at("main input[type=search]");
      field.evaluate("field => field.isTheFirst = true");
      field.fill("lett");
      assertThat(visit.at("tr[data-experiment='0']")).hasCount(0);
      assertThat(visit.link("letters")).isVisible();
      assertThat(field.evaluate("field => field.isTheFirst === true")).isEqualTo(true);
      assertThat(field).isFocused();
    }
  }

  @Test
  void oneMissingRunIsNamedAndTheOthersAreCompared() {
    try (Visit visit = visit("/compare-tracked?r=" + first + "&r=nothing")) {
      assertThat(visit.at("main [role=alert]")).containsText("Run nothing is not shown");
      assertThat(visit.at("thead th[scope=col]")).hasCount(1);
    }
  }

  @Test
  void aRunShowsWhatWasLoggedAndItsFilesAreDownloaded() throws Exception {
    try (Visit visit = visit("/tracked/" + first)) {
      assertThat(visit.at("h1")).hasText("net-0");
      assertThat(visit.at("table[aria-label=Parameters]")).containsText("kind");
      assertThat(visit.at("table[aria-label=Metrics] tr").first()).containsText("at step 10");
      assertThat(visit.at("table[aria-label=Metrics]")).containsText("NaN");
      assertThat(visit.at("table[aria-label=Tags]")).containsText("vision");
      assertThat(visit.at("[data-series=loss] curves-chart canvas").first()).isVisible();
      assertThat(
              visit
                  .page()
                  .evaluate(
                      "() => JSON.stringify(document.querySelector('[data-series=loss]"
                          + " curves-chart').curves[0].points)"))
          .isEqualTo("[[0,0.5],[10,0]]");
      Download notes = visit.page().waitForDownload(() -> visit.at("table.files a").click());
      assertThat(Files.readString(notes.path())).isEqualTo("read me");
      visit.button("model").click();
      assertThat(visit.at("table.files a")).hasText("weights.txt");
      visit.button("Up").click();
      assertThat(visit.at("table.files tr")).hasCount(2);
      visit.to("/tracked/nothing");
      assertThat(visit.at("h1")).hasText("No such run");
    }
  }

  @Test
  void aTrialIsARunThatLeadsToItAndIsComparedWithWhatClientsLogged() {
    try (Visit visit = visit("/tracking/" + logged + "%2Cexperiment-" + search)) {
      visit.page().getByLabel("Filter").fill("attributes.status = 'FINISHED'");
      assertThat(rows(visit)).hasCount(3);
      visit.at("input[aria-label='Tick net-0 to compare']").check();
      visit.at("input[aria-label='Tick trial-1 to compare']").check();
      visit.link("Compare 2").click();
      assertThat(visit.at("thead th[scope=col]")).hasCount(2);
      assertThat(visit.at("tr[data-line=lr]")).hasText("lr0.0–");
      assertThat(visit.at("tr[data-line=x]")).hasText("x–2");
      assertThat(visit.at("[data-series=default] canvas").first()).isVisible();
      visit.at("thead a:text-is('trial-1')").click();
      assertThat(visit.at("h1")).hasText("trial-1");
      assertThat(visit.at("table[aria-label=Metrics]")).containsText("default2 at step 1");
      visit.at(".object-head a:has-text('Trial')").click();
      assertThat(visit.page()).hasURL(Pattern.compile(".*#/experiments/" + search + "\\?trial=.*"));
    }
  }

  @Test
  void aRunThatATrialLoggedLeadsToTheTrial() throws Exception {
    String run =
        mlflow(
                "runs/create",
                """
                {"experiment_id": "0", "run_name": "inner",
                 "tags": [{"key": "orrery.experiment", "value": "%s"},
                          {"key": "orrery.trial", "value": "ab12c"}]}
                """
                    .formatted(search))
            .at("/run/info/run_id")
            .asText();
    try (Visit visit = visit("/tracked/" + run)) {
      assertThat(visit.link("Logged by trial ab12c"))
          .hasAttribute("href", "#/experiments/" + search + "?trial=ab12c");
    }
    mlflow("runs/delete", "{\"run_id\": \"%s\"}".formatted(run));
  }

  @Test
  void theKeyboardAloneLeadsToARun() {
    try (Visit visit = visit("/")) {
      assertThat(visit.link("Tracked runs")).isVisible();
      visit.page().keyboard().press("g");
      visit.page().keyboard().press("t");
      assertThat(visit.link("letters")).isVisible();
      visit.link("letters").focus();
      visit.page().keyboard().press("Enter");
      Locator run = visit.at("a.name:text-is('net-59')");
      assertThat(run).isVisible();
      visit.at("input[aria-label='Tick net-59 to compare']").focus();
      visit.page().keyboard().press("Space");
      assertThat(visit.at(".page-head .hint")).hasText("Tick another one to compare");
      visit.page().keyboard().press("Tab");
      assertThat(run).isFocused();
      visit.page().keyboard().press("Enter");
      assertThat(visit.at("h1")).hasText("net-59");
    }
  }

  @Test
  void nothingIsWiderThanTheWindowInEitherTheme() throws Exception {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(390, 1440)) {
        var options =
            new Browser.NewContextOptions().setViewportSize(width, 844).setColorScheme(scheme);
        try (Visit visit = new Visit(chromium, server.url(), options)) {
          for (String address :
              List.of(
                  "/tracking",
                  "/tracking/" + logged,
                  "/tracked/" + first,
                  "/compare-tracked?r=" + first + "&r=" + trial())) {
            visit.to(address);
            assertThat(visit.at("main h1")).isVisible();
            assertThat(visit.at("main table").first()).isVisible();
            assertThat(visit.at("main .bone")).hasCount(0);
            assertThat(visit.page().evaluate("document.documentElement.scrollWidth"))
                .as("%s at %d", address, width)
                .isEqualTo(width);
            look(visit, address, width, scheme);
          }
        }
      }
    }
  }

  private static String trial() throws Exception {
    return mlflow("runs/search", "{\"experiment_ids\": [\"experiment-%s\"]}".formatted(search))
        .at("/runs/0/info/run_id")
        .asText();
  }

  /** Keeps a picture where the property {@code orrery.shots} names a directory. */
  private static void look(Visit visit, String address, int width, ColorScheme scheme) {
    String shots = System.getProperty("orrery.shots");
    if (shots != null) {
      String name = address.replaceAll("[?].*", "").replaceAll("\\W+", "-");
      visit
          .page()
          .screenshot(
              new Page.ScreenshotOptions()
                  .setFullPage(true)
                  .setPath(Path.of(shots, name + "-" + width + "-" + scheme + ".png")));
    }
  }
}
