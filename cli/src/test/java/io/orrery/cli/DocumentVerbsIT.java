package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.cli.CommandLineRun.Result;
import io.orrery.core.schema.DocumentSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the commands that work on documents against prepared answers. */
final class DocumentVerbsIT {
  private static final String SERVICES = "GET /api/v1/services";
  private static final String ONE =
      """
      {"name":"%s","project":"%s","owner":"%s","state":{"status":"%s","replicas":[],"wanted":1}}\
      """;

  @TempDir Path directory;
  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
    server.on("GET /api/v1/me", 200, "{\"user\":\"ann\"}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String one(String name, String project, String owner, String status) {
    return ONE.formatted(name, project, owner, status);
  }

  private static String list(String... items) {
    return "{\"items\":[" + String.join(",", items) + "],\"next\":null}";
  }

  private Path document(String name, String project) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".yml"),
        "kind: Service\nname: %s\nproject: %s\ncommand: x\n".formatted(name, project));
  }

  @Test
  void aKeyIsExplainedByTheSchema() {
    assertThat(run.run("explain", "service").out())
        .startsWith("service  object")
        .contains("replicas ", "integer or object", "hold ");
    assertThat(run.run("explain", "Services.rollout.gates.errors").out())
        .isEqualTo(
            """
            service.rollout.gates.errors  string
              the share of answers 5xx
              example: <1%
            """);
    assertThat(run.run("explain", "pipeline.tasks.retry.attempts").out())
        .contains("tries in all", "at least: 1", "at most: 100");
    assertThat(run.run("explain", "experiment.trialConcurrency").out()).contains("at once");
    assertThat(run.run("explain", "ImageBuild.context.workspace").out())
        .startsWith("imagebuild.context.workspace  string");
    assertThat(run.run("explain", "registries").out()).contains("a secret of the project");
    assertThat(run.run("explain", "Domain.backends.percent").out()).contains("at most: 100");
    assertThat(run.run("explain", "Model.versions.framework").out()).contains("example: onnx");
    assertThat(run.run("explain", "service.type", "--json").out()).contains("\"tfserving\"");
  }

  @Test
  void aPlatformIsCheckedForTheDocumentsOfServices() throws IOException {
    document("hello", "vision");
    String missing =
        """
        {"title":"Invalid","status":400,"errors":[
         {"pointer":"/cluster","message":"may not create pods in namespace service"}]}\
        """;
    server
        .on("PUT /api/v1/services/hello", 200, "{\"outcome\":\"created\"}")
        .on("PUT /api/v1/services/hello", 200, "{\"outcome\":\"created\"}")
        .on("PUT /api/v1/services/hello", 400, missing);

    Result good = run.run("platform", "check", "hello.yml");
    Result json = run.run("platform", "check", "hello.yml", "--json");
    Result bad = run.run("platform", "check", "hello.yml");

    assertThat(good.out()).isEqualTo("\u2713  Service/hello could run\n");
    assertThat(good.code()).isZero();
    assertThat(json.out()).contains("\"works\":true").contains("Service/hello could run");
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).contains("hello.yml:1: /cluster: may not create pods");
    assertThat(server.lines())
        .filteredOn(line -> line.contains("/services/hello"))
        .allMatch(line -> line.contains("dryRun=true"));
  }

  @ParameterizedTest
  @CsvSource({
    "servce, did you mean 'service'",
    "service.replcas, did you mean 'replicas'",
    "service.name.x, service.name has no keys of its own"
  })
  void aKeyThatIsNotThereIsRefusedWithTheNearestOne(String asked, String sentence) {
    Result result = run.run("explain", asked);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(sentence);
  }

  @Test
  void theSchemaOfEachKindIsPrinted() {
    for (String kind : DocumentSchemas.KINDS) {
      assertThat(run.run("schema", "document", kind).out()).contains("json-schema.org/draft/2020");
    }
    assertThat(run.run("schema", "document", "servce").err()).contains("'service'");
  }

  @Test
  void objectsArePrintedAsYaml() {
    server
        .on(SERVICES, 200, list(one("a", "public", "ann", "READY")))
        .on("GET /api/v1/services/a", 200, one("a", "public", "ann", "READY"));

    assertThat(run.run("get", "services", "-o", "yaml").out())
        .startsWith("---\nname: \"a\"\n")
        .contains("state:\n  status: \"READY\"\n");
    assertThat(run.run("get", "service", "a", "-o", "yaml").out()).startsWith("name: \"a\"\n");
  }

  @Test
  void onlyWhatChangesIsPrintedOnWatchUntilAnInterrupt() throws Exception {
    String still = one("still", "public", "ann", "READY");
    server
        .on(SERVICES, 200, list(still, one("a", "public", "ann", "STARTING")))
        .on(SERVICES, 200, list(still, one("a", "public", "ann", "STARTING")))
        .on(SERVICES, 200, list(still, one("a", "public", "ann", "READY")))
        .on(SERVICES, 200, list(still));

    CompletableFuture<Result> watching =
        CompletableFuture.supplyAsync(() -> run.run("get", "services", "--watch"));
    await()
        .atMost(20, TimeUnit.SECONDS)
        .until(() -> server.lines().stream().filter(l -> l.startsWith(SERVICES)).count() >= 5);
    run.interrupts.arrived();
    Result result = watching.get(20, TimeUnit.SECONDS);

    assertThat(result.code()).isZero();
    assertThat(result.out().lines().map(line -> line.replaceAll(" .*", "")))
        .containsExactly("NAME", "still", "a", "a");
    assertThat(result.err()).contains("a is gone");
  }

  @Test
  void watchingOneObjectGoesOnWhenItIsDeleted() throws Exception {
    String look = SERVICES + "/a";
    server
        .on(look, 200, one("a", "public", "ann", "READY"))
        .on(look, 404, "{\"status\":404,\"detail\":\"There is no service a.\"}");

    CompletableFuture<Result> watching =
        CompletableFuture.supplyAsync(() -> run.run("get", "service", "a", "--watch"));
    await()
        .atMost(20, TimeUnit.SECONDS)
        .until(() -> server.lines().stream().filter(l -> l.startsWith(look)).count() >= 3);
    run.interrupts.arrived();
    Result result = watching.get(20, TimeUnit.SECONDS);

    assertThat(result.code()).isZero();
    assertThat(result.err()).containsOnlyOnce("a is gone").doesNotContain("There is no service");
  }

  @Test
  void theReasonWhyAShellDidNotStartIsToldThoughTheRunCannotBeStopped() {
    server
        .on(
            "POST /api/v1/pipelines/p/tasks/t/debug",
            201,
            "{\"id\":\"r1\",\"workload\":\"shell-r1\"}")
        .on("GET /api/v1/runs/r1", 200, "{\"status\":\"FAILED\",\"error\":\"no image x\"}")
        .on("POST /api/v1/runs/r1/stop", 409, "{\"status\":409,\"detail\":\"It is over.\"}");

    Result result = run.run("task", "debug", "p", "t");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("the shell did not start: no image x");
    assertThat(server.lines()).contains("POST /api/v1/runs/r1/stop");
  }

  @Test
  void pruningDeletesOnlyWhatIsOnesOwnInTheSameProjectAndKind() throws Exception {
    server
        .on(
            SERVICES,
            200,
            list(
                one("kept", "vision", "ann", "READY"),
                one("old", "vision", "ann", "READY"),
                one("bobs", "vision", "bob", "READY"),
                one("elsewhere", "public", "ann", "READY")))
        .on("PUT /api/v1/services/kept", 200, "{\"outcome\":\"unchanged\"}")
        .on("DELETE /api/v1/services/old", 204, "");
    String file = document("kept", "vision").toString();

    Result check = run.run("apply", "-f", file, "--prune", "--dry-run");
    assertThat(check.out()).isEqualTo("unchanged Service/kept\ndeleted Service/old\n");
    assertThat(server.lines()).noneMatch(line -> line.startsWith("DELETE"));

    Result result = run.run("apply", "-f", file, "--prune");
    assertThat(result.out()).isEqualTo("unchanged Service/kept\ndeleted Service/old\n");
    assertThat(server.lines().stream().filter(line -> line.startsWith("DELETE")))
        .containsExactly("DELETE /api/v1/services/old");
    assertThat(server.lines()).noneMatch(line -> line.contains("notebooks"));
  }

  @Test
  void aDocumentThatIsWrongPrunesNothing() throws Exception {
    server.on("PUT /api/v1/services/kept", 400, "{\"status\":400,\"detail\":\"no\"}");

    assertThat(run.run("apply", "-f", document("kept", "vision").toString(), "--prune").code())
        .isEqualTo(2);
    assertThat(server.lines()).noneMatch(line -> line.startsWith("DELETE"));
  }

  @Test
  void filesOfAModelAreCopiedAndOpenedInTheOwnNotebook() {
    String own = "{\"name\":\"ann-1\",\"owner\":\"ann\",\"ide\":\"jupyter\"}";
    String board = "{\"name\":\"ann-2\",\"owner\":\"ann\",\"ide\":\"tensorboard\"}";
    server
        .on("GET /api/v1/me", 200, "{\"user\":\"ann\"}")
        .on("GET /api/v1/notebooks", 200, "{\"items\":[" + board + "," + own + "],\"next\":null}")
        .on("GET /api/v1/notebooks/ann-1", 200, "{\"state\":{\"status\":\"RUNNING\"}}")
        .on("GET /api/v1/notebooks/ann-2", 200, board)
        .on("GET /api/v1/notebooks/ann-1/enter", 200, "{\"url\":\"http://ann-1/tree/x\"}")
        .on(
            "POST /api/v1/files/ann",
            201,
            "{\"path\":\"/mnt/ann/x\",\"copied\":true,\"files\":1,\"bytes\":2}");

    Result opened = run.run("notebook", "open", "--from-model", "digits@1", "--no-browser");

    assertThat(opened.out()).isEqualTo("http://ann-1/tree/x\n");
    assertThat(opened.err()).contains("are in /mnt/ann/x");
    assertThat(server.requests())
        .anySatisfy(request ->
            assertThat(request.body())
                .isEqualTo("{\"from\":{\"model\":\"digits\",\"version\":\"1\"}}"));
    assertThat(server.lines())
        .anyMatch(
            line -> line.contains("/ann-1/enter?follow=false&open=") && line.endsWith("ann%2Fx"));

    assertThat(run.run("notebook", "open", "ann-2", "--from-run", "r1/train").err())
        .contains("does not show your files");
    assertThat(run.run("notebook", "open", "--from-run", "r1").err()).contains("RUN/STEP");
    assertThat(server.lines().stream().filter(line -> line.startsWith("POST"))).hasSize(1);
  }

  @Test
  void aDeploymentThatIsClearedMeanwhileEndsWithItsReason() {
    server
        .on("GET /api/v1/models/digits", 200, "{\"aliases\":{\"production\":\"1\"}}")
        .on(
            "GET /api/v1/services/serving-digits-production",
            200,
            "{\"state\":{\"status\":\"OFFLINE\",\"reason\":\"it was cleared\"}}")
        .on("POST /api/v1/services/serving-digits-production/deploy", 200, "{}");

    Result result = run.run("model", "deploy", "digits@production");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("is not ready, but OFFLINE: it was cleared");
  }

  @Test
  void aProjectWhoseSettingIsEmptyIsUnchanged() throws IOException {
    server.on(
        "GET /api/v1/projects/vision",
        200,
        "{\"name\":\"vision\",\"title\":\"V\",\"settings\":{\"cluster\":\"here\"},\"quota\":{}}");
    Path file =
        Files.writeString(
            directory.resolve("project.yml"),
            "kind: Project\nname: vision\ntitle: V\nsettings: {cluster: here, volume_mount: ''}\n");

    assertThat(run.run("apply", "-f", file.toString()).out())
        .isEqualTo("unchanged Project/vision\n");
  }

  @Test
  void anExperimentStaysInItsProject() throws IOException {
    server.on(
        "GET /api/v1/experiments/tune",
        200,
        "{\"id\":\"tune\",\"project\":\"public\",\"config\":{}}");
    server.on("POST /api/v1/experiments", 200, "{\"valid\":true,\"config\":{}}");
    Path file =
        Files.writeString(
            directory.resolve("tune.yml"), "kind: Experiment\nname: tune\nproject: vision\n");

    Result moved = run.run("apply", "-f", file.toString());

    assertThat(moved.code()).isEqualTo(2);
    assertThat(moved.err()).contains("tune.yml:3: /project").contains("in the project public");
  }

  @Test
  void theOutputsOfARunAreListedAndOneIsPrinted() {
    server.on(
        "GET /api/v1/runs/r1",
        200,
        """
        {"id":"r1","steps":[{"name":"prepare","outputs":{
          "rows":{"kind":"value","value":"200","digest":null,"bytes":3},
          "data":{"kind":"directory","value":null,"digest":"ce51","bytes":2048}}},
          {"name":"train","outputs":{"loss":{"kind":"value","value":"0.1","bytes":3}}}]}
        """);
    server.on("GET /api/v1/runs/r1/artifacts/prepare/rows", 200, "200");

    assertThat(run.run("run", "artifacts", "r1").out())
        .contains("rows")
        .contains("ce51")
        .contains("loss");
    assertThat(run.run("run", "artifacts", "r1", "prepare", "--json").out())
        .contains("\"step\":\"prepare\",\"name\":\"data\"")
        .doesNotContain("loss");
    assertThat(run.run("run", "artifacts", "r1", "prepare", "rows").out()).isEqualTo("200");
    assertThat(run.run("run", "artifact", "r1", "prepare", "rows").out()).isEqualTo("200");
    assertThat(run.run("run", "artifacts", "r1", "none").code()).isEqualTo(1);
  }

  @Test
  void theFileOfATemplateIsCheckedAndNotStored() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("t.yml"), "kind: Template\nname: fit\ncommand: [python3, fit.py]\n");
    server.on("GET /api/v1/templates/fit", 404, "{\"title\":\"not there\"}");
    server.on(
        "PUT /api/v1/templates/fit",
        400,
        """
        {"title":"The input was refused","errors":[{"pointer":"/command","message":"too short"}]}\
        """);
    Result wrong = run.run("template", "check", file.toString());
    assertThat(wrong.code()).as(wrong.err()).isEqualTo(2);
    assertThat(wrong.err()).contains(file + ":3", "too short");

    Files.writeString(file, Files.readString(file).replace("fit", "good"));
    server.on("GET /api/v1/templates/good", 404, "{\"title\":\"not there\"}");
    server.on("PUT /api/v1/templates/good", 200, "{\"name\":\"good\"}");
    Result right = run.run("template", "check", file.toString());
    assertThat(right.code()).as(right.err()).isZero();
    assertThat(right.err()).contains("template good is right");
    assertThat(run.run("template", "check", file.toString(), "--arg=--depth=4").err())
        .contains("--arg goes with the name of a template");
  }

  @Test
  void aPipelineIsExportedAsTheDocumentThatWasApplied() {
    server.on("GET /api/v1/pipelines/digits", 200, "{\"name\":\"digits\",\"revision\":3}");
    server.on(
        "GET /api/v1/pipelines/digits/versions",
        200,
        list("{\"version\":2,\"document\":{\"kind\":\"Pipeline\",\"name\":\"digits\"}}"));

    assertThat(run.run("pipeline", "export", "digits").out())
        .isEqualTo("kind: \"Pipeline\"\nname: \"digits\"\n");
  }
}
