package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.SqliteFile;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what NNI's tools ask of its manager: to start, to be found, to bring results in, to end.
 */
@Timeout(120)
class NniManagerIT {
  /** As NNI's Python client sends it: complete, in canonical form. */
  private static final String CANONICAL =
      """
      {"experimentName": "posted", "experimentType": "hpo", "trialCommand": "%s",
       "trialCodeDirectory": "/tmp", "trialConcurrency": 1, "maxTrialNumber": %d,
       "useAnnotation": false, "debug": false, "logLevel": "info",
       "experimentWorkingDirectory": "/tmp", "searchSpace": {"x": {"_type": "choice", "_value": [1, 2, 3]}},
       "tuner": {"name": "Random", "classArgs": {"optimize_mode": "maximize"}},
       "trainingService": {"platform": "local", "trialCommand": "%s", "trialCodeDirectory": "/tmp",
         "debug": false, "maxTrialNumberPerGpu": 1, "reuseMode": false}}
      """;

  private static final String QUICK = "echo out; echo orrery: final 0.5";
  private static final String LONG = "sleep 1000";

  @TempDir static Path directory;
  private static ServerProcess server;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(directory.resolve("home"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aManagerWithoutAnExperimentIsReadyForOne() throws Exception {
    try (ServerProcess fresh = ServerProcess.start(directory.resolve("fresh"))) {
      assertThat(send("GET", fresh.url() + "/api/v1/nni/check-status", "").body())
          .isEqualTo("{\"status\":\"INITIALIZED\",\"errors\":[]}");
      assertThat(send("GET", fresh.url() + "/api/v1/nni/experiments-info", "").body())
          .isEqualTo("[]");
      assertThat(send("GET", fresh.url() + "/api/v1/nni/experiment", "").statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void aCanonicalConfigurationStartsAnExperiment() throws Exception {
    String id = posted(config(QUICK, 1));

    server.awaitStatus(id, Duration.ofSeconds(30), "DONE");
    JsonNode job = Json.parse(send("GET", nni(id, "/trial-jobs"), "").body()).get(0);
    String trial = job.path("trialJobId").asText();
    assertThat(send("GET", nni(id, "/trial-file/" + trial + "/stdout"), "").body())
        .isEqualTo("out\norrery: final 0.5\n");
    assertThat(send("GET", nni(id, "/trial-file/" + trial + "/stderr"), "").body())
        .isEqualTo("stderr is empty.");
    assertThat(send("GET", nni(id, "/trial-log/" + trial + "/TRIAL_ERROR"), "").body())
        .isEqualTo("stderr is empty.");
    assertThat(send("GET", nni(id, "/trial-file/" + trial + "/passwd"), "").statusCode())
        .isEqualTo(404);
    assertThat(send("GET", nni(id, "/trial-file/zzzzz/stdout"), "").statusCode()).isEqualTo(404);

    assertThat(send("DELETE", nni(id, "/trial-jobs/" + trial), "").statusCode()).isEqualTo(200);
    assertThat(send("DELETE", nni(id, "/trial-jobs/zzzzz"), "").statusCode()).isEqualTo(404);

    HttpResponse<String> again = send("POST", nni(id, "/experiment"), "{}");
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void anOlderClientSaysPieceByPieceWhatToRun() throws Exception {
    String base = server.url() + "/api/v1/nni/experiment";
    for (String piece :
        new String[] {
          "{\"local_config\": {\"useActiveGpu\": true}}",
          "{\"version_check\": true}",
          "{\"nni_manager_ip\": {\"nniManagerIp\": \"127.0.0.1\"}}",
          "{\"trial_config\": {\"command\": \""
              + QUICK
              + "\", \"codeDir\": \"/tmp\", \"gpuNum\": 0}}",
        }) {
      HttpResponse<String> put = send("PUT", base + "/cluster-metadata", piece);
      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
      assertThat(put.body()).isEmpty();
    }
    assertThat(send("PUT", base + "/cluster-metadata", "{\"trial_confg\": {}}").body())
        .contains("did you mean 'trial_config'");
    String id =
        posted(
            """
            {"authorName": "a", "experimentName": "old", "trialConcurrency": 1,
             "maxExecDuration": 3600, "maxTrialNum": 1, "trainingServicePlatform": "local",
             "searchSpace": "{\\"x\\": {\\"_type\\": \\"choice\\", \\"_value\\": [1, 2]}}",
             "tuner": {"builtinTunerName": "Random", "classArgs": {"optimize_mode": "maximize"}},
             "versionCheck": true,
             "clusterMetaData": [{"key": "codeDir", "value": "/tmp"},
               {"key": "command", "value": "replaced by trial_config"}]}
            """);

    JsonNode done = server.awaitStatus(id, Duration.ofSeconds(30), "DONE");
    assertThat(done.path("maxExperimentDuration").asInt()).isEqualTo(3600);
    assertThat(done.path("trialCounts").path("SUCCEEDED").asInt()).isEqualTo(1);
    assertThat(send("PUT", nni(id, "/experiment/cluster-metadata"), "{}").statusCode())
        .isEqualTo(500);
  }

  @Test
  void whatIsWrongWithAConfigurationIsSaid() throws Exception {
    HttpResponse<String> refused =
        send("POST", server.url() + "/api/v1/nni/experiment", "{\"trialComand\": \"x\"}");

    assertThat(refused.statusCode()).isEqualTo(500);
    assertThat(Json.parse(refused.body()).path("error").asText()).contains("trialCommand");
  }

  @Test
  void resultsOfElsewhereComeInAndAreShown() throws Exception {
    String id = posted(config(LONG, 9));

    assertThat(send("GET", nni(id, "/experiment/imported-data"), "").body()).isEqualTo("[]");
    HttpResponse<String> taken =
        send(
            "POST",
            nni(id, "/experiment/import-data"),
            "[{\"parameter\": {\"x\": 2}, \"value\": 0.25}]");
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    assertThat(taken.body()).isEmpty();
    JsonNode texts = Json.parse(send("GET", nni(id, "/experiment/imported-data"), "").body());
    assertThat(texts).hasSize(1);
    assertThat(Json.parse(texts.get(0).textValue()))
        .isEqualTo(Json.parse("[{\"parameter\": {\"x\": 2}, \"value\": 0.25}]"));
    assertThat(send("POST", nni(id, "/experiment/import-data"), "{}").statusCode()).isEqualTo(500);
    // NNI's test runner looks for the text of the whole file.
    String two =
        "[{\"parameter\":{\"x\":1},\"value\":0.6},{\"parameter\":{\"x\":3},\"value\":0.75}]";
    send("POST", nni(id, "/experiment/import-data"), two);
    texts = Json.parse(send("GET", nni(id, "/experiment/imported-data"), "").body());
    assertThat(texts).hasSize(2);
    assertThat(texts.get(1).textValue()).isEqualTo(two);
    // NNI's export with intermediate results looks every trial of the one up in the other.
    JsonNode exported = Json.parse(send("GET", nni(id, "/export-data"), "").body());
    JsonNode finals = Json.parse(send("GET", nni(id, "/metric-data"), "").body());
    assertThat(finals.findValuesAsText("trialJobId"))
        .isEqualTo(exported.findValuesAsText("trialJobId"))
        .hasSize(3);
    assertThat(finals.at("/0/data").textValue()).isEqualTo("\"0.25\"");
    assertThat(send("GET", nni(id, "/metric-data?type=PERIODICAL"), "").body()).isEqualTo("[]");

    HttpResponse<String> ended = send("DELETE", nni(id, "/experiment"), "");
    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(ended.body()).isEmpty();
    server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
  }

  @Test
  void theIndexNamesAProcessWhoseEndStopsTheExperiment() throws Exception {
    int port = FreePort.take();
    String id = server.post("/experiments?port=" + port, config(LONG, 9)).get("id").asText();
    String base = "http://localhost:" + port + "/api/v1/nni";

    JsonNode entry = index().path(id);
    assertThat(entry.path("port").asInt()).isEqualTo(port);
    assertThat(entry.path("status").asText()).isIn("INITIALIZED", "RUNNING");
    assertThat(entry.path("endTime").asText()).isEqualTo("N/A");
    assertThat(entry.path("prefixUrl").isNull()).isTrue();
    assertThat(Path.of(entry.path("logDir").asText()).resolve(id)).isDirectory();
    JsonNode metadata = Json.parse(send("GET", base + "/experiment-metadata", "").body());
    assertThat(metadata.path("pid")).isEqualTo(entry.path("pid"));
    ProcessHandle standIn = ProcessHandle.of(entry.path("pid").asLong()).orElseThrow();
    await().until(() -> index().path(id).path("status").asText().equals("RUNNING"));

    standIn.destroy();

    server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
    await().until(() -> index().path(id).path("status").asText().equals("STOPPED"));
    assertThat(index().path(id).path("pid").isNull()).isTrue();

    server.post("/experiments/" + id + "/resume", "");
    await().until(() -> index().path(id).path("pid").asLong() > 0);
    standIn = ProcessHandle.of(index().path(id).path("pid").asLong()).orElseThrow();
    // Its port was closed when it was stopped.
    send("DELETE", nni(id, "/experiment"), "");
    server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
    await().until(() -> index().path(id).path("status").asText().equals("STOPPED"));
    assertThat(standIn.onExit().get()).isNotNull();

    server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody());
    await().until(() -> !index().has(id));
    await().until(() -> Files.notExists(server.home().resolve("nni-experiments").resolve(id)));
  }

  @Test
  void whatNnisToolsReadInFilesIsWhereTheIndexSays() throws Exception {
    int port = FreePort.take();
    String id = server.post("/experiments?port=" + port, config(LONG, 9)).get("id").asText();
    String base = "http://localhost:" + port + "/api/v1/nni";
    Path folder = Path.of(index().path(id).path("logDir").asText()).resolve(id);

    assertThat(folder).isEqualTo(server.home().resolve("nni-experiments").resolve(id));
    JsonNode profile = Json.parse(send("GET", base + "/experiment", "").body());
    assertThat(params(folder)).isEqualTo(profile.path("params"));
    assertThat(folder.resolve("log/nnictl_stdout.log")).isNotEmptyFile();
    assertThat(folder.resolve("log/nnictl_stderr.log")).isNotEmptyFile();

    send(
        "PUT",
        base + "/experiment?update_type=MAX_TRIAL_NUM",
        "{\"params\": {\"maxTrialNum\": 7}}");
    await().until(() -> params(folder).path("maxTrialNumber").asInt() == 7);
    send("DELETE", base + "/experiment", "");
    server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
  }

  /** As NNI's tools read the configuration of an experiment. */
  private static JsonNode params(Path folder) throws Exception {
    try (SqliteFile database = SqliteFile.open(folder.resolve("db/nni.sqlite"))) {
      return Json.parse(
          database
              .read(
                  "select params from ExperimentProfile order by revision desc",
                  row -> row.text("params"))
              .getFirst());
    }
  }

  @Test
  void aKilledServerTakesItsStandInsAlongAndTheNextOneHasNewOnes() throws Exception {
    Path home = directory.resolve("killed");
    String id;
    ProcessHandle standIn;
    try (ServerProcess first = ServerProcess.start(home)) {
      int port = first.url().getPort();
      Files.createDirectories(home.resolve("nni-experiments"));
      Files.writeString(
          home.resolve("nni-experiments/.experiment"), "{\"foreign\": {\"status\": \"DONE\"}}");
      id = first.post("/experiments?port=" + port, config(LONG, 9)).get("id").asText();
      JsonNode entry = Json.parse(Files.readString(home.resolve("nni-experiments/.experiment")));
      assertThat(entry.path("foreign").path("status").asText()).isEqualTo("DONE");
      assertThat(entry.path(id).path("prefixUrl").asText()).isEqualTo("experiments/" + id);
      standIn = ProcessHandle.of(entry.path(id).path("pid").asLong()).orElseThrow();
      first.kill();
    }
    standIn.onExit().get();
    try (ServerProcess second = ServerProcess.start(home)) {
      await()
          .until(() ->
              ProcessHandle.of(
                      Json.parse(Files.readString(home.resolve("nni-experiments/.experiment")))
                          .path(id)
                          .path("pid")
                          .asLong())
                  .isPresent());
      assertThat(second.get("/experiments/" + id).path("status").asText()).isEqualTo("RUNNING");
      second.post("/experiments/" + id + "/stop", "");
      second.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
    }
  }

  private static String config(String command, int trials) {
    return CANONICAL.formatted(command, trials, command);
  }

  private String posted(String config) throws Exception {
    HttpResponse<String> answer = send("POST", server.url() + "/api/v1/nni/experiment", config);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body()).get("experiment_id").textValue();
  }

  private static JsonNode index() throws Exception {
    return Json.parse(Files.readString(server.home().resolve("nni-experiments/.experiment")));
  }

  private static String nni(String id, String path) {
    return server.url() + "/experiments/" + id + "/api/v1/nni" + path;
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(30));
  }

  private HttpResponse<String> send(String method, String uri, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(uri))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }
}
