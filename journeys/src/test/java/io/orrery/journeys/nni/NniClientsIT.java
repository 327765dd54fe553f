package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what clients of NNI see of real trials on a real server. */
class NniClientsIT {
  /** Four trials: with a number as result, with an object, with NaN, and one that fails. */
  private static final String EXPERIMENT =
      """
      experimentName: seen from outside
      trialCommand: |
        echo "orrery: intermediate 0.25"
        echo "orrery: intermediate 0.5"
        case $NNI_TRIAL_SEQ_ID in
          1) echo 'orrery: final {"default": 0.5, "size": 2}' ;;
          2) echo "orrery: final NaN" ;;
          3) exit 3 ;;
          *) echo "orrery: final 0.75" ;;
        esac
      trialCodeDirectory: .
      trialConcurrency: 1
      maxTrialNumber: 4
      searchSpace: {x: {_type: randint, _value: [0, 1000000]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir static Path temp;
  private static ServerProcess server;
  private static String experiment;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
    experiment = create();
    server.awaitStatus(experiment, Duration.ofSeconds(50), "DONE");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theStatusIsInNnisWords() throws Exception {
    assertThat(get("/check-status").body()).isEqualTo("{\"status\":\"DONE\",\"errors\":[]}");
  }

  @Test
  void theVersionIsPlainText() throws Exception {
    HttpResponse<String> answer = get("/version");

    assertThat(answer.body()).isEqualTo("3.0.0");
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
  }

  @Test
  void theProfileHasNnisMembersAndUnits() throws Exception {
    JsonNode profile = json("/experiment");
    JsonNode ours = server.get("/experiments/" + experiment);

    assertThat(names(profile))
        .containsExactlyInAnyOrder(
            "params",
            "id",
            "execDuration",
            "logDir",
            "startTime",
            "endTime",
            "nextSequenceId",
            "revision");
    assertThat(profile.get("params")).isEqualTo(ours.get("config"));
    assertThat(profile.get("id").textValue()).isEqualTo(experiment);
    assertThat(profile.get("execDuration").isIntegralNumber()).isTrue();
    assertThat(profile.get("startTime").longValue()).isEqualTo(millis(ours.get("startedAt")));
    assertThat(profile.get("endTime").longValue()).isEqualTo(millis(ours.get("endedAt")));
    assertThat(profile.get("nextSequenceId").intValue()).isEqualTo(4);
    assertThat(Path.of(profile.get("logDir").textValue())).isDirectory();
  }

  @Test
  void anEntryOfTheIndexNamesNoProcessToKill() throws Exception {
    JsonNode entry = json("/experiment-metadata");

    assertThat(names(entry))
        .containsExactlyInAnyOrder(
            "id",
            "port",
            "startTime",
            "endTime",
            "status",
            "platform",
            "experimentName",
            "tag",
            "pid",
            "webuiUrl",
            "logDir",
            "prefixUrl");
    assertThat(entry.get("id").textValue()).isEqualTo(experiment);
    assertThat(entry.get("port").intValue()).isEqualTo(server.url().getPort());
    assertThat(entry.get("status").textValue()).isEqualTo("DONE");
    assertThat(entry.get("platform").textValue()).isEqualTo("local");
    assertThat(entry.get("experimentName").textValue()).isEqualTo("seen from outside");
    assertThat(entry.get("pid").isNull()).isTrue();
    assertThat(entry.get("prefixUrl").textValue()).isEqualTo("experiments/" + experiment);
    assertThat(json("/experiments-info")).contains(entry);
  }

  @Test
  void trialsAreCountedByStatus() throws Exception {
    assertThat(get("/job-statistics").body())
        .isEqualTo(
            "[{\"trialJobStatus\":\"SUCCEEDED\",\"trialJobNumber\":3},"
                + "{\"trialJobStatus\":\"FAILED\",\"trialJobNumber\":1}]");
  }

  @Test
  void aTrialThatSucceededHasItsResultEncodedTwice() throws Exception {
    JsonNode trial = json("/trial-jobs").get(0);
    JsonNode ours = server.trials(experiment).getFirst();

    assertThat(names(trial))
        .containsExactlyInAnyOrder(
            "trialJobId",
            "sequenceId",
            "status",
            "startTime",
            "endTime",
            "hyperParameters",
            "logPath",
            "finalMetricData");
    assertThat(trial.get("trialJobId")).isEqualTo(ours.get("id"));
    assertThat(trial.get("sequenceId").intValue()).isZero();
    assertThat(trial.get("status").textValue()).isEqualTo("SUCCEEDED");
    assertThat(trial.get("startTime").longValue()).isEqualTo(millis(ours.get("startedAt")));
    assertThat(trial.get("endTime").longValue()).isEqualTo(millis(ours.get("endedAt")));
    assertThat(trial.get("logPath").textValue())
        .isEqualTo("file://localhost:" + ours.get("directory").textValue());
    assertThat(trial.get("hyperParameters")).hasSize(1);
    assertThat(Json.parse(trial.at("/hyperParameters/0").textValue()))
        .isEqualTo(
            Json.parse(
                "{\"parameter_id\":0,\"parameter_source\":\"algorithm\",\"parameters\":"
                    + ours.get("parameters")
                    + ",\"parameter_index\":0}"));
    JsonNode result = trial.at("/finalMetricData/0");
    assertThat(result.get("trialJobId")).isEqualTo(ours.get("id"));
    assertThat(result.get("parameterId").textValue()).isEqualTo("0");
    assertThat(result.get("type").textValue()).isEqualTo("FINAL");
    assertThat(result.get("sequence").intValue()).isZero();
    assertThat(result.get("timestamp").isIntegralNumber()).isTrue();
    assertThat(result.get("data").textValue()).isEqualTo("\"0.75\"");
    assertThat(json("/trial-jobs/" + ours.get("id").textValue())).isEqualTo(trial);
  }

  @Test
  void aTrialThatFailedNamesItsErrors() throws Exception {
    JsonNode failed = json("/trial-jobs?status=FAILED");

    assertThat(failed).hasSize(1);
    assertThat(failed.at("/0/sequenceId").intValue()).isEqualTo(3);
    assertThat(failed.at("/0/stderrPath").textValue())
        .isEqualTo(failed.at("/0/logPath").textValue() + "/stderr");
    assertThat(failed.get(0).has("finalMetricData")).isFalse();
  }

  @Test
  void anUnknownTrialIsNotFound() throws Exception {
    HttpResponse<String> answer = get("/trial-jobs/zzzzz");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(get("/metric-data/zzzzz").body()).isEqualTo("[]");
    assertThat(get("/metric-data/no+id+at+all").body()).isEqualTo("[]");
    for (String path : List.of("trial-jobs/zzzzz", "metric-data/zzzzz")) {
      URI nowhere = server.url().resolve("/experiments/zzzzzzzz/api/v1/nni/" + path);
      assertThat(send("GET", nowhere, "").statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void everyMetricIsThereInTheOrderOfTheTrials() throws Exception {
    JsonNode all = json("/metric-data");

    assertThat(all)
        .allSatisfy(metric ->
            assertThat(names(metric))
                .containsExactlyInAnyOrder(
                    "timestamp", "trialJobId", "parameterId", "type", "sequence", "data"));
    assertThat(texts(all, "type"))
        .startsWith("PERIODICAL", "PERIODICAL", "FINAL", "PERIODICAL", "PERIODICAL", "FINAL")
        .hasSize(11);
    assertThat(texts(json("/metric-data?type=FINAL"), "data"))
        .containsExactly("\"0.75\"", "\"{\\\"default\\\":0.5,\\\"size\\\":2}\"", "\"NaN\"");
    assertThat(texts(json("/metric-data?type=PERIODICAL"), "data"))
        .hasSize(8)
        .containsOnly("\"0.25\"", "\"0.5\"");
  }

  @Test
  void metricsOfOneTrialOfARangeAndTheLatest() throws Exception {
    String first = json("/trial-jobs").at("/0/trialJobId").textValue();

    assertThat(texts(json("/metric-data/" + first), "data"))
        .containsExactly("\"0.25\"", "\"0.5\"", "\"0.75\"");
    assertThat(json("/metric-data/" + first).findValues("sequence"))
        .extracting(JsonNode::intValue)
        .containsExactly(0, 1, 0);
    assertThat(json("/metric-data-range/1/2")).hasSize(6);
    assertThat(json("/metric-data-range/3/3")).hasSize(2);
    assertThat(json("/metric-data-range/4/9")).isEmpty();
    assertThat(texts(json("/metric-data-latest"), "data"))
        .hasSize(7)
        .startsWith("\"0.5\"", "\"0.75\"", "\"0.5\"");
    assertThat(json("/metric-data-latest/")).isEqualTo(json("/metric-data-latest"));
  }

  @Test
  void theExportHasTheValueEncodedOnce() throws Exception {
    JsonNode export = json("/export-data");

    assertThat(export).hasSize(3);
    assertThat(names(export.get(0))).containsExactlyInAnyOrder("parameter", "value", "trialJobId");
    assertThat(export.at("/0/parameter"))
        .isEqualTo(server.trials(experiment).getFirst().get("parameters"));
    assertThat(texts(export, "value"))
        .containsExactly("0.75", "{\"default\":0.5,\"size\":2}", "NaN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PUT;    /experiment?update_type=TRIAL_CONCURENCY; {};                          500",
        "PUT;    /experiment;                              {};                          500",
        "PUT;    /experiment?update_type=MAX_TRIAL_NUM;    {\"params\":{}};             500",
        "PUT;    /experiment?update_type=MAX_TRIAL_NUM; {\"params\":{\"maxTrialNumber\":-1}}; 500",
        "POST;   /trial-jobs;                              [1];                         500",
        "DELETE; /trial-jobs/zzzzz;                        '';                          404",
        "GET;    /metric-data-range/a/b;                   '';                          400",
      })
  void whatIsWrongIsSaid(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer = send(method, url(path), body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    JsonNode said = Json.parse(answer.body());
    assertThat(said.path("error").asText(said.path("detail").asText())).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/netron", "/nothing"})
  void whatIsNotBuiltIsNotFound(String path) throws Exception {
    HttpResponse<String> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @Test
  void anUnknownExperimentIsNotFound() throws Exception {
    URI unknown = server.url().resolve("/experiments/zzzzzzzz/api/v1/nni/check-status");

    assertThat(send("GET", unknown, "").statusCode()).isEqualTo(404);
  }

  @Test
  void aStrictClientInPythonConnectsReadsAndSteers() throws Exception {
    String id = create();

    JsonNode seen = python(server.url().toString());

    assertThat(seen.get("experiment").textValue()).isEqualTo(id);
    assertThat(seen.get("index")).hasSize(1);
    assertThat(seen.get("metadata").get("id").textValue()).isEqualTo(id);
    assertThat(seen.get("alone")).hasSize(4).allMatch(JsonNode::booleanValue);
    assertThat(seen.get("metrics")).hasSize(11);
    assertThat(seen.get("export").toString()).startsWith("[0.75,{\"default\":0.5,\"size\":2},");
    assertThat(seen.at("/own/parameters/x").intValue()).isEqualTo(7);
    assertThat(seen.at("/own/parameter_source").textValue()).isEqualTo("customized");
    assertThat(seen.at("/params/trialConcurrency").intValue()).isEqualTo(2);
    assertThat(seen.at("/params/maxTrialNumber").intValue()).isEqualTo(6);
    assertThat(seen.at("/params/searchSpace/x/_value/0").intValue()).isEqualTo(9);
    server.post("/experiments/" + id + "/stop", "");
  }

  private static String create() throws Exception {
    return server
        .post("/experiments?base=" + temp.toAbsolutePath(), EXPERIMENT)
        .get("id")
        .textValue();
  }

  private JsonNode python(String url) throws Exception {
    Path script = Path.of(NniClientsIT.class.getResource("/nni/client.py").toURI());
    Process process =
        new ProcessBuilder("python3", script.toString(), url)
            .redirectError(temp.resolve("client.err").toFile())
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(java.nio.file.Files.readString(temp.resolve("client.err")))
        .isZero();
    return Json.parse(out);
  }

  private static URI url(String path) {
    return URI.create(server.url() + "/experiments/" + experiment + "/api/v1/nni" + path);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", url(path), "");
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  private HttpResponse<String> send(String method, URI uri, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toList());
  }

  private static List<String> texts(JsonNode list, String member) {
    List<String> texts = new ArrayList<>();
    list.forEach(element -> texts.add(element.get(member).textValue()));
    return texts;
  }

  private static long millis(JsonNode time) {
    return java.time.Instant.parse(time.textValue()).toEpochMilli();
  }
}
