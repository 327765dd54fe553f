package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Download;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Does on the page what commands do to runs, tasks, services, models, files and the audit log. */
@Timeout(180)
class PageCommandsIT extends OwnServer {
  private static final String SERVICE =
      """
      command: exec python3 -m http.server --bind 127.0.0.1 $PORT
      ports: [8080]
      health: 8080:/
      title: %s
      """;

  private static void awaitEnd(String run) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/runs/" + run).path("endedAt").isTextual());
  }

  private static void agree(Visit visit) {
    visit.at("dialog[open] button.danger").click();
  }

  @Test
  void aRunIsDeletedATaskIsClearedAndAPipelineIsTakenToArgo() throws Exception {
    put("/pipelines/brief", "{\"tasks\": [{\"name\": \"say\", \"command\": \"echo 1\"}]}");
    String run = server.post("/pipelines/brief/run", "{}").get("id").textValue();
    String alone = server.post("/pipelines/brief/tasks/say/run", "{}").get("id").textValue();
    awaitEnd(run);
    awaitEnd(alone);
    try (Visit visit = visit("/pipelines/brief")) {
      Download workflow = visit.page().waitForDownload(() -> visit.button("Argo workflow").click());
      Path file = home.resolve("workflow.yaml");
      workflow.saveAs(file);
      assertThat(Files.readString(file)).contains("kind: Workflow", "echo 1");

      visit.at("pipeline-graph .task").first().click();
      visit.button("Clear its runs alone").click();
      agree(visit);
      assertThat(visit.at(".toast").last()).containsText("1 run deleted");
      assertThat(send("GET", "/runs/" + alone, "").statusCode()).isEqualTo(404);

      visit.to("/runs/" + run);
      visit.button("Delete").click();
      agree(visit);
      assertThat(visit.at("h1")).hasText("brief");
    }
    assertThat(send("GET", "/runs/" + run, "").statusCode()).isEqualTo(404);
  }

  @Test
  void aServiceIsRolledBackToTheDocumentBefore() throws Exception {
    put("/services/turned", SERVICE.formatted("first"));
    put("/services/turned", SERVICE.formatted("second"));
    try (Visit visit = visit("/services/turned")) {
      visit.button("Roll back").click();
      agree(visit);
      // Not the whole page: it says when the first request comes into the curves.
      assertThat(visit.at(".title")).containsText("first");
    }
    assertThat(server.get("/services/turned").get("title").textValue()).isEqualTo("first");
    send("DELETE", "/services/turned", "");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get("/workloads").get("items").isEmpty());
  }

  @Test
  void aVersionOfAModelGetsAStage() throws Exception {
    put("/models/staged", "{\"description\": \"reads digits\"}");
    send("POST", "/models/staged/versions", "{\"path\": \"/models/staged\"}");
    try (Visit visit = visit("/models/staged")) {
      visit.at("tr[data-version='1'] button.name").click();
      visit.at(".version-detail select").selectOption("archived");
      assertThat(visit.at("tr[data-version='1'] .who")).containsText("archived");
    }
    assertThat(server.get("/models/staged/versions/1").get("stage").textValue())
        .isEqualTo("archived");
  }

  @Test
  void aFileIsMovedAndNotOverAnother() throws Exception {
    String user = server.get("/me").get("user").textValue();
    for (String name : new String[] {"one.txt", "other.txt"}) {
      assertThat(send("PUT", "/files/" + user + "/" + name, name).statusCode()).isBetween(200, 204);
    }
    try (Visit visit = visit("/files")) {
      visit.button("Move one.txt").click();
      assertThat(visit.page().getByLabel("New path of one.txt")).hasValue("one.txt");
      visit.page().getByLabel("New path of one.txt").fill("other.txt");
      visit.button("Move").click();
      assertThat(visit.at(".toast.bad")).isVisible();
      visit.page().getByLabel("New path of one.txt").fill("new.txt");
      visit.button("Move").click();
      assertThat(visit.at("tr[data-name='new.txt']")).isVisible();
      assertThat(visit.at("tr[data-name='one.txt']")).hasCount(0);
    }
    assertThat(send("GET", "/files/" + user + "/new.txt", "").body()).isEqualTo("one.txt");
    assertThat(send("GET", "/files/" + user + "/other.txt", "").body()).isEqualTo("other.txt");
  }

  @Test
  void theAuditLogIsAFileWithWhatTheFiltersLeave() throws Exception {
    put("/projects/noted", "{\"title\": \"Noted\"}");
    try (Visit visit = visit("/audit?kind=project")) {
      Download log = visit.page().waitForDownload(() -> visit.link("As a file").click());
      Path file = home.resolve("audit.ndjson");
      log.saveAs(file);
      assertThat(Files.readAllLines(file))
          .isNotEmpty()
          .allMatch(line -> line.contains("\"kind\":\"project\""))
          .anyMatch(line -> line.contains("\"name\":\"noted\""));
    }
  }
}
