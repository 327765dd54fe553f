package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of one experiment become knowledge of another. */
class ImportIT {
  private static final Duration LONG = Duration.ofSeconds(40);

  @TempDir Path temp;

  private String create(ServerProcess server, int most) throws Exception {
    return server
        .post(
            "/experiments?base=" + temp.toAbsolutePath(),
            """
            trialCommand: 'echo "orrery: final 0.{{params.x}}"'
            trialCodeDirectory: .
            trialConcurrency: 1
            maxTrialNumber: %d
            searchSpace: {x: {_type: choice, _value: [1, 2, 3, 4]}}
            tuner: {name: GridSearch}
            trainingService: {platform: local}
            """
                .formatted(most))
        .get("id")
        .textValue();
  }

  private static List<Integer> values(Stream<JsonNode> trials) {
    return trials.map(trial -> trial.get("parameters").get("x").intValue()).toList();
  }

  private static boolean imported(JsonNode trial) {
    return trial.get("parameterSource").textValue().equals("imported");
  }

  private static String export(ServerProcess server, String id)
      throws IOException, InterruptedException {
    return server.send("GET", "/experiments/" + id + "/export", BodyPublishers.noBody()).body();
  }

  private static void checksChangeNothing(ServerProcess server, String id, String results)
      throws Exception {
    String one = "/experiments/" + id;
    String trial = one + "/trials/" + server.trials(id).getFirst().get("id").textValue();
    JsonNode brought = Json.parse(check(server, "POST", one + "/import", results, 200));
    assertThat(brought.get("imported").intValue()).isEqualTo(2);
    assertThat(brought.get("duplicates").intValue()).isEqualTo(1);
    check(server, "POST", one + "/import", "[{\"parameter\": {\"z\": 4}, \"value\": 1}]", 400);
    JsonNode changed = Json.parse(check(server, "PATCH", one, "{\"maxTrialNumber\": 7}", 200));
    assertThat(changed.at("/config/maxTrialNumber").intValue()).isEqualTo(7);
    check(server, "PATCH", one, "{\"maxTrialNumber\": 0}", 400);
    check(server, "PATCH", one, "{\"searchSpace\": {\"y\": 1}}", 400);
    assertThat(check(server, "POST", one + "/trials", "{\"x\": 4}", 409)).contains("its limit");
    check(server, "POST", one + "/trials", "{\"z\": 4}", 400);
    assertThat(check(server, "POST", trial + "/cancel", "", 409)).contains("has ended");
    assertThat(check(server, "POST", trial + "/retry", "", 409)).contains("succeeded");
    check(server, "POST", one + "/trials/zzzzz/retry", "", 404);
    check(server, "POST", one + "/stop", "", 200);
    assertThat(check(server, "POST", one + "/pause", "", 409)).contains("nothing to pause");
    assertThat(check(server, "POST", one + "/resume", "", 409)).contains("raise maxTrialNumber");
    check(server, "PUT", one + "/port", "{\"port\": 0}", 400);
    int port = freePort();
    check(server, "PUT", one + "/port", "{\"port\": " + port + "}", 200);
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      check(server, "PUT", one + "/port", "{\"port\": " + taken.getLocalPort() + "}", 409);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static String check(
      ServerProcess server, String method, String path, String body, int status) throws Exception {
    HttpResponse<String> checked =
        server.send(method, path + "?dryRun=true", BodyPublishers.ofString(body));
    assertThat(checked.statusCode()).as(path + " " + checked.body()).isEqualTo(status);
    return checked.body();
  }

  @Test
  void whatOneExperimentFoundAnotherKnowsAndNeedsNotTry() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String second;
    try (ServerProcess server = ServerProcess.start(home)) {
      String first = create(server, 3);
      server.awaitStatus(first, LONG, "DONE");
      String results = export(server, first);
      second = create(server, 1);
      server.awaitStatus(second, LONG, "DONE");
      String import_ = "/experiments/" + second + "/import";

      String before = server.get("/experiments/" + second).toString();
      checksChangeNothing(server, second, results);
      assertThat(server.get("/experiments/" + second)).hasToString(before);

      JsonNode answer = server.post(import_, results);

      assertThat(answer.get("imported").intValue()).isEqualTo(2);
      assertThat(answer.get("duplicates").intValue()).as("it had tried one itself").isEqualTo(1);
      assertThat(server.post(import_, results).get("duplicates").intValue()).isEqualTo(3);
      JsonNode now = server.get("/experiments/" + second);
      assertThat(now.get("status").textValue()).isEqualTo("DONE");
      assertThat(now.get("trialCounts").get("SUCCEEDED").intValue()).isEqualTo(3);
      assertThat(now.get("best").get("metric").doubleValue()).isEqualTo(0.3);
      JsonNode importance = server.get("/experiments/" + second + "/importance");
      assertThat(importance.get("trials").intValue()).isEqualTo(3);
      assertThat(importance.get("items")).hasSize(1);
      assertThat(importance.get("items").get(0).get("importance").doubleValue()).isEqualTo(1);

      HttpResponse<String> refused =
          server.send(
              "POST",
              import_,
              BodyPublishers.ofString(
                  "[{\"parameter\": {\"x\": 4}, \"value\": 1},"
                      + " {\"parameter\": {\"z\": 4}, \"value\": null}]"));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(Json.parse(refused.body()).get("errors")).isNotEmpty();
      assertThat(server.trials(second)).as("all or none").hasSize(3);
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      // The limit of two is for trials that ran: one more, and it is the only one left to try.
      server.patch("/experiments/" + second, "{\"maxTrialNumber\": 2}");
      server.awaitStatus(second, LONG, "DONE");

      List<JsonNode> trials = server.trials(second);

      assertThat(values(trials.stream().filter(ImportIT::imported))).containsExactly(2, 3);
      assertThat(values(trials.stream().filter(trial -> !imported(trial)))).containsExactly(1, 4);
      String list = "/experiments/" + second + "/trials";
      assertThat(server.get(list + "?status=FAILED").get("items")).isEmpty();
      String none = list + "/zzzzz/metrics";
      assertThat(server.send("GET", none, BodyPublishers.noBody()).statusCode()).isEqualTo(404);
    }
  }
}
