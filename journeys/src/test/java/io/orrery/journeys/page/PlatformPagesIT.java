package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The pages of services, pipelines, runs and models, with programs that really run. */
@Timeout(120)
class PlatformPagesIT extends OwnServer {
  private static final String SERVICE =
      """
      kind: Service
      name: %s
      command: echo it begins; exec python3 -m http.server --bind 127.0.0.1 $PORT
      ports: [8080]
      health: 8080:/
      """;

  @AfterAll
  static void stopServices() throws Exception {
    if (server == null) {
      return;
    }
    for (JsonNode service : server.get("/services").get("items")) {
      send("DELETE", "/services/" + service.get("name").textValue(), "");
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get("/workloads").get("items").isEmpty());
  }

  private static Locator editor(Visit visit) {
    return visit.at("config-editor textarea");
  }

  private static void deploy(String name) throws Exception {
    HttpResponse<String> put = send("PUT", "/services/" + name, SERVICE.formatted(name));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
  }

  private static Page.GetByLabelOptions exactly() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  @Test
  void aServiceIsWrittenCheckedDeployedScaledReadAndStoppedOnThePage() {
    try (Visit visit = visit("/services")) {
      visit.link("New service").first().click();
      editor(visit).fill(SERVICE.formatted("written") + "bogus: 1\n");
      assertThat(visit.at(".findings")).containsText("Line 6");
      assertThat(visit.at(".findings")).containsText("there is no key 'bogus' here");
      assertThat(visit.button("Save and deploy")).isDisabled();
      editor(visit).fill(SERVICE.formatted("written"));
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Save and deploy").click();

      assertThat(visit.at("h1")).hasText("written");
      assertThat(visit.at(".title .pill")).hasText("Ready");
      visit.page().getByLabel("Replicas").fill("2");
      visit.button("Scale").click();
      assertThat(visit.at(".replicas li .pill.good")).hasCount(2);

      assertThat(visit.at("section[aria-label=Traffic]")).containsText("Last hour");
      visit.link("Log").last().click();
      assertThat(visit.at("pre.log")).containsText("it begins");
      visit.link("Events").click();
      assertThat(visit.at("table[aria-label=Events]")).containsText("Ready");
      assertThat(visit.at("table[aria-label=Scaling]")).containsText("root scaled it");
      assertThat(visit.at("section[aria-label='Replicas over time'] canvas")).isVisible();

      visit.button("Stop").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at(".title .pill")).hasText("Offline");
      visit.button("Deploy").click();
      assertThat(visit.at(".title .pill")).hasText("Ready");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServiceThatFallsSaysWhyFirstAndWithItsLastLines() throws Exception {
    send(
        "PUT",
        "/services/falls",
        "{\"kind\": \"Service\", \"name\": \"falls\", \"command\": \"echo no such model >&2; exit 3\","
            + " \"ports\": [8080]}");
    deploy("stands");
    try (Visit visit = visit("/services")) {
      assertThat(visit.at("tr[data-name=falls] .fault")).containsText("3");
      assertThat(visit.at("table[aria-label=Services] tbody tr").first().locator(".name"))
          .hasText("falls");
      visit.link("falls").click();
      assertThat(visit.at(".trouble")).containsText("3");
      assertThat(visit.at(".replicas pre")).containsText("no such model");
      visit.to("/overview");
      assertThat(visit.at("section:has(h2:text-is('Needs attention'))")).containsText("falls");
    }
    send("DELETE", "/services/falls", "");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whatAnotherPersonSavedMeanwhileIsShownAndNotOverwritten() throws Exception {
    deploy("shared");
    try (Visit visit = visit("/documents/service/change?name=shared")) {
      editor(visit).fill(editor(visit).inputValue() + "title: mine\n");
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      send("PATCH", "/services/shared", "{\"title\": \"theirs\"}");
      visit.button("Save and deploy").click();
      assertThat(visit.at(".trouble")).containsText("Another person changed it");
      assertThat(visit.at(".trouble pre .bad")).hasText("- title: theirs");
      assertThat(visit.at(".trouble pre .good")).hasText("+ title: mine");
      assertThat(server.get("/services/shared").get("title").textValue()).isEqualTo("theirs");
      visit.button("Keep mine over theirs").click();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      visit.button("Save and deploy").click();
      assertThat(visit.at("h1")).hasText("shared");
      assertThat(server.get("/services/shared").get("title").textValue()).isEqualTo("mine");
    }
  }

  @Test
  void requestsOfADomainAreDividedAndASumThatIsNotAHundredIsNotSent() throws Exception {
    for (String version : List.of("v1", "v2")) {
      String name = "serving-split-" + version.substring(1);
      HttpResponse<String> put =
          send(
              "PUT",
              "/services/" + name,
              SERVICE.formatted(name)
                  + "type: serving\nmodel: {name: split, version: %s, path: /}\n".formatted(version)
                  + "host: split.service.orrery.localhost\n");
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              server.get("/services/" + name).at("/state/status").textValue().equals("READY"));
    }
    try (Visit visit = visit("/domains/split.service.orrery.localhost")) {
      Locator first = visit.page().getByLabel("Share of serving-split-1");
      Locator second = visit.page().getByLabel("Share of serving-split-2");
      assertThat(first).isVisible();
      assertThat(visit.at(".title .pill")).not().hasText("Rolling out");
      first.fill("70");
      second.fill("20");
      assertThat(visit.button("Divide")).isDisabled();
      second.fill("30");
      visit.button("Divide").click();
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(
                      server
                          .get("/domains/split.service.orrery.localhost")
                          .get("backends")
                          .toString())
                  .contains("{\"service\":\"serving-split-1\",\"percent\":70}"));
      assertThat(visit.at(".share-bar")).containsText("serving-split-2 30 %");

      visit.to("/services");
      assertThat(visit.at("tr[data-name=serving-split-2]")).isVisible();
      assertThat(visit.at("tr[data-name=serving-split-1]")).hasCount(0);
      visit.button("1 other version of split").click();
      assertThat(visit.at("tr[data-name=serving-split-1]")).isVisible();
    }
  }

  @Test
  void aPipelineIsWrittenRunAndFollowedStepByStep() {
    try (Visit visit = visit("/documents/pipeline")) {
      assertThat(editor(visit)).isVisible();
      visit.button("Save").click();
      assertThat(visit.at("h1")).hasText("first");
      assertThat(visit.at(".graph .task")).hasCount(2);
      Locator prepare = visit.at(".graph [data-task=prepare]");
      prepare.focus();
      visit.page().keyboard().press("ArrowRight");
      assertThat(visit.at(".graph [data-task=train]")).isFocused();
      visit.page().keyboard().press("Enter");
      assertThat(visit.at("pre[aria-label='Task train as YAML']")).containsText("after");

      visit.page().getByLabel("count", exactly()).fill("11");
      visit.button("Run").click();
      // The browser's own check of the range.
      assertThat(visit.page().getByLabel("count", exactly())).isFocused();
      visit.page().getByLabel("count", exactly()).fill("7");
      visit.button("Run").click();

      assertThat(visit.at(".title .pill")).hasText("Succeeded");
      assertThat(visit.at(".graph .task.good")).hasCount(2);
      visit.at(".graph [data-task=train]").click();
      assertThat(visit.at(".panel pre.log")).containsText("training on 7 rows");
      visit.page().keyboard().press("Escape");
      assertThat(visit.at(".panel")).hasCount(0);
      visit.at("tr[data-step=prepare] button").click();
      assertThat(visit.at(".panel table.pairs")).containsText("rows");
      assertThat(visit.at(".panel table.pairs")).containsText("7");
    }
  }

  @Test
  void aStepThatAsksIsApprovedOnThePageWithAReason() throws Exception {
    HttpResponse<String> put =
        send(
            "PUT",
            "/pipelines/asks",
            "{name: asks, tasks: [{name: ask, approval: 'Deploy <b>it</b>?'}]}");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    String run = server.post("/pipelines/asks/run", "{}").get("id").textValue();
    try (Visit visit = visit("/runs/" + run)) {
      visit.at("tr[data-step=ask] button").click();
      assertThat(visit.at(".panel .reason")).hasText("waits for an approval: Deploy <b>it</b>?");
      visit.at(".panel input[name=why]").fill("all is well");
      visit.button("Approve").click();
      assertThat(visit.at(".title .pill")).hasText("Succeeded");
      assertThat(visit.at(".panel .reason")).containsText(": all is well");
    }
  }

  @Test
  void aRunIsPausedStoppedAndRetriedAndAFailedStepShowsItsStderr() throws Exception {
    Path gate = home.resolve("gate").toAbsolutePath();
    HttpResponse<String> put =
        send(
            "PUT",
            "/pipelines/gated",
            """
            kind: Pipeline
            name: gated
            tasks:
              - {name: wait, command: 'echo waiting >&2; test -e "%s" || exit 7'}
              - {name: then, command: echo done, after: [wait]}
            """
                .formatted(gate));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    String run = server.post("/pipelines/gated/run", "{}").get("id").textValue();
    try (Visit visit = visit("/runs/" + run)) {
      assertThat(visit.at(".title .pill")).hasText("Failed");
      assertThat(visit.at("tr[data-step=then] .pill")).hasText("Omitted");
      visit.at("tr[data-step=wait] button").click();
      assertThat(visit.at(".panel select")).hasValue("stderr");
      assertThat(visit.at(".panel pre.log")).containsText("waiting");
      assertThat(visit.at(".panel .facts")).containsText("7");
      Files.createFile(gate);
      visit.button("Retry").click();
      assertThat(visit.at(".title .pill")).hasText("Succeeded");
      visit.to("/pipelines");
      assertThat(visit.at("tr[data-name=gated] .pill")).hasText("Succeeded");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aScheduleIsWrittenPausedAndBackfilledAndSaysWhatWaits() throws Exception {
    HttpResponse<String> put =
        send(
            "PUT",
            "/pipelines/hourly",
            "{\"name\": \"hourly\", \"tasks\": [{\"name\": \"a\", \"command\": \"exit 3\"}]}");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    try (Visit visit = visit("/pipelines/hourly")) {
      visit.link("Schedule").click();
      assertThat(visit.at("schedule-form h2")).hasText("No schedule yet");
      visit.at("[name=cron]").fill("0 25 * * *");
      assertThat(visit.at("schedule-form")).containsText("25");
      assertThat(visit.at("[name=cron]")).hasAttribute("aria-invalid", "true");
      visit.at("[name=cron]").fill("0 * * * *");
      visit.at("[name=timeZone]").fill("UTC");
      assertThat(visit.at("schedule-form [role=status]")).containsText("Due");
      visit.page().getByLabel("Wait until the one before").check();
      visit.button("Save").click();
      assertThat(visit.at("schedule-form h2")).hasText("Schedule");
      assertThat(visit.at(".next li")).hasCount(5);

      visit.page().getByLabel("From", exactly()).fill("2026-03-01T00:00");
      visit.page().getByLabel("To", exactly()).fill("2026-03-01T01:00");
      visit.button("Preview").click();
      visit.button("Create 2 due runs").click();
      assertThat(visit.at("tr[data-due]")).hasCount(2);
      assertThat(visit.at("tr[data-due]").last()).containsText("Failed");
      assertThat(visit.at("tr[data-due]").first()).containsText("FAILED: retry it, or skip it");
      visit.at("tr[data-due]").last().getByText("Skip").click();
      assertThat(visit.at("tr[data-due]").last()).containsText("skipped by");
      assertThat(visit.at("tr[data-due]").first()).containsText("Failed");
      visit.at("tr[data-due]").last().getByText("Run again").click();
      assertThat(visit.at("tr[data-due]").last()).containsText("Failed");

      visit.button("Pause").click();
      assertThat(visit.at("aside")).containsText("not made up for");
      visit.button("Resume").click();
      assertThat(visit.at(".next li")).hasCount(5);
      visit.button("Remove").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at("schedule-form h2")).hasText("No schedule yet");
    }
  }

  @Test
  void aModelsVersionGetsAnAliasOnThePage() throws Exception {
    HttpResponse<String> put = send("PUT", "/models/seen", "{\"description\": \"reads digits\"}");
    assertThat(put.statusCode()).as(put.body()).isIn(200, 201);
    HttpResponse<String> version =
        send(
            "POST",
            "/models/seen/versions",
            "{\"path\": \"/models/seen\", \"metrics\": {\"acc\": 0.97},"
                + " \"source\": {\"run\": \"r-7\", \"step\": \"train\"}}");
    assertThat(version.statusCode()).as(version.body()).isEqualTo(201);
    put(
        "/services/serving-seen-1",
        SERVICE.formatted("serving-seen-1")
            + "type: serving\nmodel: {name: seen, version: '1'}\nstage: none\n");
    try (Visit visit = visit("/models")) {
      visit.link("seen").click();
      assertThat(visit.at("tr[data-version='1']")).containsText("0.97");
      visit.at("tr[data-version='1'] button.name").click();
      Locator lineage = visit.at("ol[aria-label='Lineage of version 1'] li");
      assertThat(lineage).hasCount(4);
      assertThat(lineage.first()).hasText("Runr-7");
      assertThat(lineage.last()).hasText("Served byserving-seen-1");
      visit.page().getByLabel("Alias for this version").fill("production");
      visit.button("Set").click();
      assertThat(visit.at("tr[data-version='1'] .tag")).hasText("production");
      visit.to("/models");
      assertThat(visit.at("tr[data-name=seen] .tag")).hasText("production → 1");
    }
  }

  @Test
  void answersOfAShadowThatDifferAreShownAtTheirPlaceAndLinkToIt() throws Exception {
    putAnswering("copied-to", 5, "");
    putAnswering("copied", 3, "shadow: copied-to:100%\ncompareBodies: [copied-to]\n");
    try (Visit visit = visit("/services/copied")) {
      assertThat(visit.at(".title .pill")).hasText("Ready");
      String url = server.get("/services/copied").at("/state/url").textValue();
      try (Page client = visit.page().context().newPage()) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> {
              client.navigate(url + "answer.json");
              return server.get("/services/copied/shadows").toString().contains("/class");
            });
      }
      Locator shadow = visit.at("section[aria-label='Shadow copied-to']");
      Locator row = shadow.locator("tr", new Locator.LocatorOptions().setHasText("/class")).first();
      assertThat(row.locator("td")).containsText(new String[] {"", "", "/class", "3", "5"});
      assertThat(shadow.locator("dd.bad")).hasText(Pattern.compile("[1-9]\\d* \\(\\d+ %\\)"));
      shadow.getByText("copied-to").first().click();
      assertThat(visit.at("h1")).hasText("copied-to");
    }
  }

  private static void putAnswering(String name, int answer, String more) throws Exception {
    Path files = Files.createDirectories(home.resolve(name));
    Files.writeString(files.resolve("answer.json"), "{\"class\": " + answer + "}");
    String document = SERVICE.formatted(name).replace("exec", "cd '" + files + "'; exec") + more;
    HttpResponse<String> put = send("PUT", "/services/" + name, document);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
  }

  @Test
  void whatDoesNotExistIsSaidOnEveryPageOfAnObject() {
    try (Visit visit = visit("/")) {
      for (String collection :
          List.of("services", "domains", "pipelines", "runs", "models", "projects")) {
        visit.to("/" + collection + "/nowhere1");
        assertThat(visit.at("h1"))
            .hasText(Pattern.compile("No such " + collection.replaceAll("s$", "")));
      }
    }
  }
}
