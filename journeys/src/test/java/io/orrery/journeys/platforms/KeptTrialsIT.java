package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.tensorboard.EventFileWriter;
import io.orrery.gateway.keeper.ContainedServiceFactory;
import io.orrery.gateway.keeper.Container;
import io.orrery.journeys.ServerProcess;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A whole experiment whose trials share nothing with the server, which is killed in the midst. */
@Timeout(180)
class KeptTrialsIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path directory;
  private Path code;
  private String classPath;

  @BeforeEach
  void begin() throws Exception {
    code = Files.createDirectory(directory.resolve("code"));
    Path services = directory.resolve("extra/META-INF/services");
    Files.createDirectories(services);
    Files.writeString(
        services.resolve("io.orrery.compute.service.TrainingServiceFactory"),
        ContainedServiceFactory.class.getName());
    classPath =
        directory.resolve("extra") + File.pathSeparator + System.getProperty("java.class.path");
  }

  private ServerProcess start(int port) throws Exception {
    return ServerProcess.begin(directory.resolve("home"), port, classPath).ready();
  }

  private String config(int trials) {
    return """
    trialCommand: sh trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 2
    maxTrialNumber: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: contained}
    """
        .formatted(code, trials);
  }

  @Test
  void killedInTheMidstTheServerLosesNothingAndNothingRunsTwice() throws Exception {
    Path gate = directory.resolve("gate");
    Files.writeString(
        code.resolve("trial.sh"),
        """
        echo "run $NNI_TRIAL_JOB_ID" >>%1$s.runs
        for i in 0 1 2 3 4; do echo "orrery: intermediate $i"; done
        echo "before the kill"
        touch %1$s.$NNI_TRIAL_JOB_ID
        until [ -e %1$s ]; do sleep 0.05; done
        for i in 5 6 7 8 9; do echo "orrery: intermediate $i"; done
        echo "after the kill"; echo "left" >"$NNI_OUTPUT_DIR/model"
        echo "orrery: final $ORRERY_PARAM_X"
        """
            .formatted(gate));
    int port;
    String id;
    try (ServerProcess server = start(0)) {
      port = server.url().getPort();
      id = server.post("/experiments", config(4)).get("id").textValue();
      await()
          .atMost(LIMIT)
          .until(() -> directory.toFile().list((at, name) -> name.startsWith("gate.")).length >= 3);
      server.kill();
    }
    Files.createFile(gate);
    // They end, or wait to deliver, while no server is there.
    try (ServerProcess server = start(port)) {
      JsonNode done = server.awaitStatus(id, LIMIT, "DONE", "ERROR", "FAILED");

      assertThat(done.get("status").textValue()).isEqualTo("DONE");
      List<JsonNode> trials = server.trials(id);
      assertThat(trials).hasSize(4);
      for (JsonNode trial : trials) {
        String at = "/experiments/" + id + "/trials/" + trial.get("id").textValue();
        assertThat(trial.get("status").textValue()).as(trial.toString()).isEqualTo("SUCCEEDED");
        assertThat(trial.get("attempt").intValue()).isEqualTo(1);
        assertThat(trial.get("metric").doubleValue())
            .isEqualTo(trial.at("/parameters/x").doubleValue());
        assertThat(trial.get("directory").textValue()).endsWith(at + "/files");
        JsonNode series = server.get(at + "/metrics");
        assertThat(series.findValuesAsText("sequence"))
            .startsWith("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(server.text("/api/v1" + at + "/logs/stdout"))
            .contains("before the kill\n", "after the kill\n");
        assertThat(server.get(at + "/files").findValuesAsText("path"))
            .containsExactly("output/model", "parameter.cfg", "stdout");
        assertThat(server.text("/api/v1" + at + "/file?path=output/model")).isEqualTo("left\n");
      }
      assertThat(Files.readAllLines(directory.resolve("gate.runs")))
          .hasSize(4)
          .doesNotHaveDuplicates();
      assertThat(server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody()).statusCode())
          .isLessThan(300);
      assertThat(directory.resolve("home/code")).isEmptyDirectory();
    }
  }

  /** F7: a link is shipped as it is and means what lies there where the trial runs. */
  @Test
  void linksThatLeadOutAndNamesBeyondAsciiAreShipped() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount that all machines have"));
    Files.writeString(mount.resolve("data.txt"), "0.5\n");
    Files.createSymbolicLink(code.resolve("données"), mount);
    Files.createSymbolicLink(code.resolve("gone"), directory.resolve("nowhere"));
    Files.writeString(code.resolve("größe.txt"), "0.25\n");
    Files.writeString(
        code.resolve("trial.sh"),
        "[ -h gone ] && read -r x <größe.txt && echo $x && read -r y <données/data.txt && echo"
            + " \"orrery: final $y\"");
    try (ServerProcess server = start(0)) {
      JsonNode created = server.post("/experiments", config(1));
      String id = created.get("id").textValue();
      server.awaitStatus(id, LIMIT, "DONE");
      assertThat(server.trials(id).getFirst().get("metric").doubleValue()).isEqualTo(0.5);
      assertThat(created.get("notices").toString())
          .contains("that lead out of it are shipped as they are", "données -> " + mount);
    }
  }

  /** F7: it was "changed while it was packed; try again" for ever. */
  @Test
  void aNameThatIsNotUtf8IsRefusedAtCreation() throws Exception {
    Files.writeString(code.resolve("trial.sh"), "echo 'orrery: final 1'");
    Process shell =
        new ProcessBuilder("sh", "-c", "touch \"$(printf 'caf\\351')\"")
            .directory(code.toFile())
            .start();
    assertThat(shell.waitFor()).isZero();
    try (ServerProcess server = start(0)) {
      HttpResponse<String> answer =
          server.send("POST", "/experiments", BodyPublishers.ofString(config(1)));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("names are not UTF-8", "caf%E9", "/trialCodeDirectory");
      assertThat(server.get("/experiments").get("items")).isEmpty();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aTrialThatLeavesMoreThanItMayIsToldSoAndKeepsItsResult() throws Exception {
    Files.createDirectories(directory.resolve("home"));
    Files.writeString(
        directory.resolve("home/orrery.yml"), "trials: {logMegabytes: 1, outputMegabytes: 1}");
    Files.writeString(
        code.resolve("trial.sh"),
        """
        head -c 700000 /dev/zero >"$NNI_OUTPUT_DIR/a"
        head -c 700000 /dev/zero >"$NNI_OUTPUT_DIR/b"
        yes | head -c 3000000
        echo "orrery: final 1"
        """);
    try (ServerProcess server = start(0)) {
      String id = server.post("/experiments", config(1)).get("id").textValue();
      server.awaitStatus(id, LIMIT, "DONE", "ERROR", "FAILED");

      JsonNode trial = server.trials(id).getFirst();
      String at = "/experiments/" + id + "/trials/" + trial.get("id").textValue();
      assertThat(trial.get("status").textValue()).as(trial.toString()).isEqualTo("SUCCEEDED");
      assertThat(trial.path("reason").asText())
          .contains("'b' was not kept", "trials.outputMegabytes", "trials.logMegabytes");
      assertThat(server.get(at + "/files").findValuesAsText("path"))
          .containsExactly("output/a", "parameter.cfg", "stdout");
      assertThat(server.get(at + "/files").findValuesAsText("bytes")).contains("700000");
      assertThat(
              Files.size(
                  directory.resolve(
                      "home/experiments/"
                          + id
                          + "/trials/"
                          + trial.get("id").textValue()
                          + "/stdout")))
          .isBetween(1L, 1L << 20);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void scalarsOfItsEventFilesComeHome() throws Exception {
    EventFileWriter events = new EventFileWriter(1_700_000_000_000L);
    for (int step = 0; step < 50; step++) {
      events.add(1_700_000_000_000L, step, Map.of("loss", 1.0 / (1 << step % 8)));
    }
    Files.write(code.resolve("written"), events.take());
    Files.writeString(
        code.resolve("trial.sh"),
        "cp written \"$NNI_OUTPUT_DIR/events.out.tfevents.1\"; echo \"orrery: final 1\"");
    try (ServerProcess server = start(0)) {
      String id =
          server.post("/experiments", config(1) + "readEventFiles: true\n").get("id").textValue();
      server.awaitStatus(id, LIMIT, "DONE", "ERROR", "FAILED");

      JsonNode trial = server.trials(id).getFirst();
      assertThat(trial.get("status").textValue()).as(trial.toString()).isEqualTo("SUCCEEDED");
      String metrics = "/experiments/" + id + "/trials/" + trial.get("id").textValue() + "/metrics";
      JsonNode loss = server.get(metrics + "?key=loss");
      assertThat(loss.get("total").intValue()).isEqualTo(50);
      assertThat(loss.at("/points/49/sequence").intValue()).isEqualTo(49);
      assertThat(loss.at("/points/3/value").doubleValue()).isEqualTo(0.125);
      assertThat(server.get(metrics).get("total").intValue()).isZero();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void trialsFarAwayAreGivenOneSetAfterAnotherAlsoWhenTheServerIsKilled() throws Exception {
    Files.writeString(
        code.resolve("trial.py"),
        """
        import nni
        for phase in range(6):
            parameters = nni.get_next_parameter()
            open('%s/' + nni.get_trial_id(), 'a').write('%%s\\n' %% parameters['x'])
            nni.report_final_result(parameters['x'])
        """
            .formatted(Files.createDirectory(directory.resolve("tried"))));
    String config = config(3).replace("sh trial.sh", "python3 -B trial.py") + "multiPhase: true\n";
    int port;
    String id;
    try (ServerProcess server = start(0)) {
      port = server.url().getPort();
      id = server.post("/experiments", config).get("id").textValue();
      await()
          .atMost(LIMIT)
          .until(() ->
              server.trials(id).stream()
                  .anyMatch(trial -> trial.path("parameterSets").size() >= 2));
      server.kill();
    }
    try (ServerProcess server = start(port)) {
      JsonNode done = server.awaitStatus(id, LIMIT, "DONE", "ERROR", "FAILED");

      assertThat(done.get("status").textValue()).as(server.log()).isEqualTo("DONE");
      for (JsonNode trial : server.trials(id)) {
        assertThat(trial.path("attempt").asInt()).isEqualTo(1);
        List<Double> given = new ArrayList<>();
        for (JsonNode set : trial.path("parameterSets")) {
          given.add(set.at("/parameters/x").asDouble());
          assertThat(set.path("metric")).as(trial.toString()).isEqualTo(set.at("/parameters/x"));
        }
        assertThat(given).hasSize(6).doesNotHaveDuplicates();
        assertThat(
                Files.readAllLines(directory.resolve("tried").resolve(trial.path("id").asText())))
            .extracting(Double::parseDouble)
            .isEqualTo(given);
      }
    }
  }

  @Test
  void aCanceledTrialEndsAtOnceAndFarAway() throws Exception {
    Files.writeString(code.resolve("trial.sh"), "touch " + directory + "/up; sleep 600");
    try (ServerProcess server = start(0)) {
      String id = server.post("/experiments", config(1)).get("id").textValue();
      await().atMost(LIMIT).until(() -> Files.exists(directory.resolve("up")));
      String trial = server.trials(id).getFirst().get("id").textValue();

      server.post("/experiments/" + id + "/trials/" + trial + "/cancel", "");

      server.awaitStatus(id, Duration.ofSeconds(30), "DONE", "FAILED");
      assertThat(server.trials(id).getFirst().get("status").textValue()).isEqualTo("USER_CANCELED");
      assertThat(new Container(directory.resolve("pods/" + id + "-" + trial)).runs()).isFalse();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void nnisOwnKeeperIsHeardAtThePortOfItsExperiment() throws Exception {
    Files.writeString(
        code.resolve("trial.sh"), "until [ -e " + directory + "/gate ]; do sleep 0.05; done");
    try (ServerProcess server = start(0);
        HttpClient client = HttpClient.newHttpClient()) {
      int port = FreePort.take();
      String id = server.post("/experiments?port=" + port, config(1)).get("id").textValue();
      await().atMost(LIMIT).until(() -> !server.trials(id).isEmpty());
      String trial = server.trials(id).getFirst().get("id").textValue();
      String at = "/experiments/" + id + "/trials/" + trial;
      await().atMost(LIMIT).until(() -> server.get(at).get("status").textValue().equals("RUNNING"));
      String names = "/" + id + "/" + trial;

      String complaint = "NNIManager version is 2.10, TrialKeeper version is 2.9, no match!";
      post(client, port, "version" + names, "{\"tag\":\"VCFail\",\"msg\":\"" + complaint + "\"}");
      post(
          client,
          port,
          "update-metrics" + names,
          Json.write(
              Map.of(
                  "jobId",
                  trial,
                  "metrics",
                  List.of("{\"type\":\"PERIODICAL\",\"sequence\":0,\"value\":\"0.5\"}"))));
      post(
          client,
          port,
          "stdout" + names,
          Json.write(
              Map.of(
                  "tag",
                  "trial",
                  "stdOutputType",
                  "Stdout",
                  "msg",
                  "NNISDK_MEb'{\"type\":\"FINAL\",\"sequence\":0,\"value\":\"0.75\"}'")));
      post(
          client,
          port,
          "stdout" + names,
          "{\"tag\":\"trial_keeper\",\"stdOutputType\":\"Stderr\",\"msg\":\"a line\"}");
      HttpResponse<String> elsewhere =
          client.send(
              nni(server.url().getPort(), "version" + names, "{\"tag\":\"VCSuccess\"}"),
              BodyHandlers.ofString());

      assertThat(elsewhere.statusCode()).isEqualTo(400);
      await().atMost(LIMIT).until(() -> server.get(at).path("reason").asText().contains(complaint));
      Files.createFile(directory.resolve("gate"));
      server.awaitStatus(id, LIMIT, "DONE");
      assertThat(server.get(at).get("metric").doubleValue()).isEqualTo(0.75);
      assertThat(server.get(at + "/metrics").findValuesAsText("value")).contains("0.5");
      assertThat(server.text("/api/v1" + at + "/logs/stderr")).contains("a line\n");
    }
  }

  private static void post(HttpClient client, int port, String path, String body) throws Exception {
    HttpResponse<String> answer = client.send(nni(port, path, body), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static HttpRequest nni(int port, String path, String body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port + "/api/v1/nni-pai/" + path))
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  @Test
  void tooMuchCodeIsRefusedBeforeAnythingIsMade() throws Exception {
    for (int i = 0; i < 2_001; i++) {
      Files.createFile(Files.createDirectories(code.resolve("data")).resolve("f" + i));
    }
    try (ServerProcess server = start(0)) {
      HttpResponse<String> refused =
          server.send("POST", "/experiments", BodyPublishers.ofString(config(1)));

      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("/trialCodeDirectory", "data (2,001)", ".nniignore");
      assertThat(server.get("/experiments").get("items")).isEmpty();
      assertThat(directory.resolve("home/code")).doesNotExist();
    }
  }
}
