package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery;
import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes an experiment in the forms of other programs, and takes those over again. */
@Timeout(180)
class ExchangeIT {
  private static final String CONFIG =
      """
      experimentName: exchanged
      trialCommand: sh trial.sh
      trialCodeDirectory: %s
      trialConcurrency: 1
      maxTrialNumber: 4
      searchSpace:
        rate: {_type: loguniform, _value: [0.001, 1]}
        layers: {_type: randint, _value: [1, 4]}
        noise: {_type: normal, _value: [0, 1]}
        opt:
          _type: choice
          _value:
            - {_name: sgd, momentum: {_type: uniform, _value: [0, 1]}}
            - {_name: adam}
      tuner: {name: Random, classArgs: {optimize_mode: minimize}}
      trainingService: {platform: local}
      """;

  private static final String TRIAL =
      """
      echo 'orrery: intermediate 0.25'
      echo 'orrery: intermediate 0.5'
      case $NNI_TRIAL_SEQ_ID in
        1) echo 'orrery: final {"default": 0.5, "size": 2}' ;;
        2) echo 'orrery: final NaN' ;;
        3) exit 3 ;;
        *) echo 'orrery: final 0.75' ;;
      esac
      """;

  /** Prints what Optuna would find in its tables. */
  private static final String TABLES =
      """
      import json, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      def rows(sql): return [list(row) for row in db.execute(sql)]
      print(json.dumps({
        'version': rows('select version_num from alembic_version') + rows('select schema_version from version_info'),
        'directions': rows('select direction, objective from study_directions'),
        'states': rows('select number, state from trials order by number'),
        'values': rows('select trial_id, value, value_type from trial_values order by trial_id'),
        'steps': rows('select count(*), min(step), max(step) from trial_intermediate_values'),
        'params': {name: json.loads(distribution) for name, distribution in
                   db.execute('select distinct param_name, distribution_json from trial_params')}}))
      """;

  @TempDir Path temp;
  private final HttpClient client = HttpClient.newHttpClient();

  private record Said(int code, String out, String err) {}

  @Test
  void anExperimentGoesToEachProgramAndBack() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    try (ServerProcess server = ServerProcess.start(temp.resolve("home"))) {
      String id = server.post("/experiments", CONFIG.formatted(code)).get("id").asText();
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      optuna(server, id);
      mlflow(server, id);
      wandb(server, id);
    }
  }

  private void optuna(ServerProcess server, String id) throws Exception {
    assertThat(run(server, "export", "optuna", id, "--output", "study.db").code()).isZero();
    assertThat(run(server, "export", "optuna", id, "--output", "study.db").err())
        .contains("study.db is there already");
    Process python =
        new ProcessBuilder("python3", "-c", TABLES, temp.resolve("study.db").toString()).start();
    JsonNode tables =
        Json.parse(new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    assertThat(tables.get("version").toString()).isEqualTo("[[\"v3.2.0.a\"],[12]]");
    assertThat(tables.get("directions").toString()).isEqualTo("[[\"MINIMIZE\",0]]");
    assertThat(tables.get("states").toString())
        .isEqualTo("[[0,\"COMPLETE\"],[1,\"COMPLETE\"],[2,\"FAIL\"],[3,\"FAIL\"]]");
    assertThat(tables.get("values").toString())
        .isEqualTo("[[1,0.75,\"FINITE\"],[2,0.5,\"FINITE\"]]");
    assertThat(tables.get("steps").toString()).isEqualTo("[[8,0,1]]");
    JsonNode params = tables.get("params");
    assertThat(params.at("/rate/name").asText()).isEqualTo("FloatDistribution");
    assertThat(params.at("/rate/attributes/log").asBoolean()).isTrue();
    assertThat(params.at("/layers/attributes/high").asInt()).isEqualTo(3);
    assertThat(params.at("/opt/attributes/choices").toString()).isEqualTo("[\"sgd\",\"adam\"]");
    assertThat(params.at("/noise/attributes/low").asDouble())
        .isLessThanOrEqualTo(params.at("/noise/attributes/high").asDouble());

    Said back = run(server, "import", "optuna", "study.db");
    assertThat(back.code()).as(back.err()).isZero();
    List<JsonNode> trials = server.trials(back.out().strip());
    assertThat(trials).hasSize(4);
    assertThat(trials.get(1).path("metric").asDouble()).isEqualTo(0.5);
  }

  private void mlflow(ServerProcess server, String id) throws Exception {
    assertThat(run(server, "export", "mlflow", id, "--output", "mlruns").code()).isZero();
    // As a client would have logged it beside the run.
    try (Stream<Path> all = Files.walk(temp.resolve("mlruns"))) {
      Path artifacts = all.filter(each -> each.endsWith("artifacts")).findFirst().orElseThrow();
      Files.writeString(Files.createDirectories(artifacts.resolve("a b")).resolve("m.txt"), "hi");
      oddities(artifacts);
      Path params = Files.createDirectories(artifacts.resolveSibling("params"));
      oddities(params);
      Path run = artifacts.getParent();
      Files.createSymbolicLink(run.resolveSibling("again"), run);
    }
    Said imported = run(server, "import", "mlflow", "mlruns");
    assertThat(imported.out()).isEqualTo("4 runs added\n");
    assertThat(imported.err())
        .contains("artifacts/pipe: it is a FIFO", "artifacts/link: it is a symbolic link")
        .contains("params/pipe: it is a FIFO", "params/link: it is a symbolic link")
        .contains("again: it is a symbolic link");
    assertThat(run(server, "import", "mlflow", "mlruns").out())
        .isEqualTo("0 runs added, 4 were here already\n");
    JsonNode runs = runs(server, "exchanged-" + id);
    assertThat(runs).hasSize(4);
    assertThat(runs.findValuesAsText("status"))
        .containsExactlyInAnyOrder("FINISHED", "FINISHED", "FINISHED", "FAILED");
    assertThat(runs.toString())
        .contains("\"key\":\"rate\"", "\"key\":\"size\",\"value\":2")
        .contains("\"key\":\"orrery.trial\",\"value\":\"" + id + "/")
        .doesNotContain("marmalade");
    int found = 0;
    for (JsonNode each : runs) {
      String run = each.at("/info/run_id").asText();
      JsonNode listed = mlflow(server, "artifacts/list?run_id=" + run + "&path=a%20b", null);
      found += listed.toString().contains("m.txt") ? 1 : 0;
    }
    assertThat(found).isEqualTo(1);
    assertThat(run(server, "import", "mlflow", "code").err()).contains("holds no experiment");
  }

  private void wandb(ServerProcess server, String id) throws Exception {
    assertThat(run(server, "export", "wandb", id, "--output", "wandb").code()).isZero();
    // A run as wandb itself leaves it, without a history.
    Path files =
        Files.createDirectories(temp.resolve("wandb/offline-run-20240301_100000-abc/files"));
    Files.writeString(
        files.resolve("config.yaml"),
        "wandb_version: 1\n_wandb:\n  desc: null\n  value: {cli_version: 0.16.3}\n"
            + "lr:\n  desc: null\n  value: 0.01\nnet:\n  value: [1, 2]\n");
    Files.writeString(
        files.resolve("wandb-summary.json"),
        "{\"loss\": 0.125, \"val\": {\"acc\": 0.9}, \"_step\": 7, \"_timestamp\": 1709287500.5,"
            + " \"_runtime\": 60, \"_wandb\": {\"runtime\": 60}, \"worst\": \"NaN\"}");
    Files.writeString(
        files.resolve("wandb-metadata.json"),
        "{\"startedAt\": \"2024-03-01T10:00:00.250000\", \"program\": \"train.py\"}");

    oddities(files);
    Files.createSymbolicLink(temp.resolve("wandb/latest-run"), files.getParent());
    Path piped = Files.createDirectories(temp.resolve("wandb/piped"));
    fifo(piped.resolve("config.yaml"));
    Files.createSymbolicLink(
        files.resolve("wandb-history.jsonl"),
        Files.writeString(temp.resolve("secret.jsonl"), "{\"marmalade\": 1}"));

    Said imported = run(server, "import", "wandb-export", "wandb", "--experiment", "w");
    assertThat(imported.out()).isEqualTo("5 runs added\n");
    assertThat(imported.err())
        .contains("latest-run: it is a symbolic link", "piped/config.yaml: it is a FIFO")
        .contains("wandb-history.jsonl: it is a symbolic link");
    assertThat(run(server, "import", "wandb-export", "wandb", "--experiment", "w").out())
        .isEqualTo("0 runs added, 5 were here already\n");
    JsonNode runs = runs(server, "w");
    assertThat(runs).hasSize(5);
    assertThat(runs.toString())
        .contains("\"key\":\"lr\",\"value\":\"0.01\"", "\"key\":\"net\",\"value\":\"[1,2]\"")
        .contains("\"key\":\"val/acc\",\"value\":0.9", "\"step\":7")
        .contains("\"start_time\":1709287200250", "\"end_time\":1709287260250")
        .contains("\"key\":\"wandb.program\",\"value\":\"train.py\"")
        .doesNotContain("cli_version", "marmalade");
  }

  /** Entries of a stranger's folder that a command must neither follow nor wait for. */
  private void oddities(Path directory) throws Exception {
    Path secret = Files.writeString(temp.resolve("secret"), "marmalade");
    Files.createSymbolicLink(directory.resolve("link"), secret);
    fifo(directory.resolve("pipe"));
  }

  private static void fifo(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  private JsonNode runs(ServerProcess server, String experiment) throws Exception {
    JsonNode found = mlflow(server, "experiments/get-by-name?experiment_name=" + experiment, null);
    String body =
        "{\"experiment_ids\": [\"%s\"]}".formatted(found.at("/experiment/experiment_id").asText());
    return mlflow(server, "runs/search", body).path("runs");
  }

  private JsonNode mlflow(ServerProcess server, String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/2.0/mlflow/" + path));
    if (body != null) {
      request.POST(BodyPublishers.ofString(body));
    }
    return Json.parse(client.send(request.build(), BodyHandlers.ofString()).body());
  }

  private Said run(ServerProcess server, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("ORRERY_HOME", server.home().toString()),
            temp,
            InstantSource.system(),
            false,
            Prompt.NONE);
    int code =
        Orrery.run(
            "orrery",
            arguments,
            options -> 1,
            (file, followed) -> 1,
            new ServerProgram(List.of("false")),
            terminal,
            () -> new Interrupts(status -> {}));
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
