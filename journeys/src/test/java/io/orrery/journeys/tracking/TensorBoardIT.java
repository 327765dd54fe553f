package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.StandInTensorBoard;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** TensorBoards that the server starts: a stand-in on the PATH, spoken to over HTTP. */
@Timeout(120)
class TensorBoardIT {
  private static final String TRIAL =
      """
      echo "orrery: intermediate 0.5"
      mkdir -p "$NNI_OUTPUT_DIR/tensorboard"
      echo mine > "$NNI_OUTPUT_DIR/tensorboard/events.out.tfevents.1.own"
      ln -s ../../../../../server.json "$NNI_OUTPUT_DIR/tensorboard/events.out.tfevents.2.link"
      ln -s ../../../.. "$NNI_OUTPUT_DIR/plugins"
      echo "orrery: final $ORRERY_PARAM_X"
      """;

  @TempDir Path temp;
  private final HttpClient client = HttpClient.newHttpClient();
  private ServerProcess server;
  private String id;
  private List<String> trials;

  @BeforeEach
  void up() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    server =
        ServerProcess.begin(
                temp.resolve("home"),
                List.of("--port", "0", "--router-port", "off"),
                StandInTensorBoard.in(temp.resolve("programs")))
            .ready();
    create(code);
  }

  private void create(Path code) throws Exception {
    id =
        server
            .post(
                "/experiments",
                """
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
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
    trials =
        Stream.iterate(0, i -> i < 2, i -> i + 1).map(i -> trial(i).get("id").textValue()).toList();
  }

  private JsonNode trial(int sequenceId) {
    try {
      return server
          .get("/experiments/" + id + "/trials?sort=sequenceId")
          .at("/items/" + sequenceId);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void down() {
    server.close();
    client.close();
  }

  private String all() {
    return "/experiments/" + id + "/tensorboards";
  }

  private JsonNode started(List<String> chosen) throws Exception {
    return server.post(all(), Json.write(Map.of("trials", chosen)));
  }

  private HttpResponse<String> refused(String body) throws Exception {
    return server.send("POST", all(), BodyPublishers.ofString(body));
  }

  private int checked(String body) throws Exception {
    return server.send("POST", all() + "?dryRun=true", BodyPublishers.ofString(body)).statusCode();
  }

  /** What the program shows below its address. */
  private String shown(JsonNode board, String path) throws Exception {
    HttpResponse<String> answer = asked(board, path);
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    return answer.body();
  }

  private HttpResponse<String> asked(JsonNode board, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(board.get("url").textValue()).resolve(path)).build(),
        BodyHandlers.ofString());
  }

  private static boolean lives(JsonNode board) {
    return ProcessHandle.of(board.get("pid").longValue()).isPresent();
  }

  private static void awaitEnd(JsonNode board) {
    await().atMost(Duration.ofSeconds(20)).until(() -> !lives(board));
  }

  @Test
  void itServesWhatTheTrialsReportedAndWhatTheyWroteUntilItIsStopped() throws Exception {
    JsonNode board = started(trials);

    assertThat(board.get("trials")).hasSize(2);
    assertThat(shown(board, "/")).contains("0-" + trials.get(0)).contains("1-" + trials.get(1));
    assertThat(shown(board, "/0-" + trials.get(0) + "/")).contains("events.out.tfevents");
    assertThat(
            shown(board, "/1-" + trials.get(1) + "/output/tensorboard/events.out.tfevents.1.own"))
        .isEqualTo("mine\n");
    assertThat(server.get(all()).at("/items/0/id")).isEqualTo(board.get("id"));

    String one = all() + "/" + board.get("id").textValue();
    assertThat(server.send("DELETE", one, BodyPublishers.noBody()).statusCode()).isEqualTo(204);
    assertThat(lives(board)).isFalse();
    assertThat(server.get(all()).get("items")).isEmpty();
    assertThat(server.send("DELETE", one, BodyPublishers.noBody()).statusCode()).isEqualTo(404);
    Path files = server.home().resolve("tensorboard/" + board.get("id").textValue());
    await().until(() -> !Files.exists(files));
    assertThat(Path.of(trial(0).get("directory").textValue())).as("only the copy").isDirectory();
  }

  /** F2: the program follows links, so it is shown a directory in which there are none. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void linksThatATrialHasMadeAreNotShownAndItsFilesAreAsTheyGrow() throws Exception {
    JsonNode board = started(trials);
    String output = "/0-" + trials.getFirst() + "/output";
    String own = output + "/tensorboard/events.out.tfevents.1.own";

    assertThat(shown(board, output + "/")).contains("tensorboard").doesNotContain("plugins");
    assertThat(shown(board, output + "/tensorboard/")).doesNotContain("2.link");
    for (String link : List.of("/tensorboard/events.out.tfevents.2.link", "/plugins/server.json")) {
      assertThat(asked(board, output + link).statusCode()).as(link).isEqualTo(404);
    }

    Path directory = Path.of(trial(0).get("directory").textValue());
    Files.writeString(
        directory.resolve("tensorboard/events.out.tfevents.1.own"),
        "more\n",
        StandardOpenOption.APPEND);
    Files.writeString(directory.resolve("events.out.tfevents.3.late"), "late\n");
    assertThat(nni("PUT", "/tensorboard/" + board.get("id").textValue(), "").statusCode())
        .isEqualTo(200);
    assertThat(shown(board, own)).isEqualTo("mine\nmore\n");
    assertThat(shown(board, output + "/events.out.tfevents.3.late")).isEqualTo("late\n");
  }

  @Test
  void nnisClientsStartReadRefreshAndStopIt() throws Exception {
    HttpResponse<String> answer =
        nni("POST", "/tensorboard", "{\"trials\":\"" + trials.get(0) + "\"}");
    JsonNode task = Json.parse(answer.body());

    assertThat(task.get("status").textValue()).isEqualTo("RUNNING");
    assertThat(task.get("trialJobIdList").get(0).textValue()).isEqualTo(trials.get(0));
    Path directory = Path.of(task.get("trialLogDirectoryList").get(0).textValue());
    Path events;
    try (Stream<Path> files = Files.list(directory)) {
      events = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    long before = Files.size(events);
    server.post(
        "/metrics",
        "{\"trial\":\"%s/%s\",\"kind\":\"intermediate\",\"sequence\":7,\"value\":0.7}"
            .formatted(id, trials.get(0)));
    String one = "/tensorboard/" + task.get("id").textValue();
    assertThat(nni("PUT", one, "").statusCode()).isEqualTo(200);
    assertThat(Files.size(events)).isGreaterThan(before);
    assertThat(Json.parse(nni("GET", one, "").body()).get("port")).isEqualTo(task.get("port"));
    assertThat(Json.parse(nni("GET", "/tensorboard-tasks", "").body())).hasSize(1);

    assertThat(nni("DELETE", "/tensorboard-tasks", "").statusCode()).isEqualTo(200);
    assertThat(Json.parse(nni("GET", "/tensorboard-tasks", "").body())).isEmpty();
    assertThat(nni("GET", one, "").statusCode()).isEqualTo(404);
    assertThat(nni("POST", "/tensorboard", "{\"trials\":\"../x\"}").statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> nni(String method, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.url().resolve("/experiments/" + id + "/api/v1/nni" + path))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void itEndsWithItsExperimentAndWithAServerThatIsKilled() throws Exception {
    JsonNode board = started(trials);
    assertThat(server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody()).statusCode())
        .isBetween(200, 204);
    awaitEnd(board);

    create(temp.resolve("code"));
    JsonNode other = started(trials);
    server.kill();
    awaitEnd(other);
  }

  @Test
  void itIsRefusedWithTheReason() throws Exception {
    assertThat(refused("{\"trials\": []}").statusCode()).isEqualTo(400);
    assertThat(refused("{\"trials\": [\"../../etc\"]}").body()).contains("the id of a trial");
    assertThat(refused("{\"trials\": \"all\"}").statusCode()).isEqualTo(400);
    assertThat(refused("{\"trials\": [\"zzzzz\"]}").statusCode()).isEqualTo(404);

    assertThat(checked("{\"trials\": []}")).isEqualTo(400);
    assertThat(checked("{\"trials\": [\"zzzzz\"]}")).isEqualTo(404);

    String one = Json.write(Map.of("trials", trials.subList(0, 1)));
    assertThat(checked(one)).isEqualTo(200);
    assertThat(server.get(all()).get("items")).isEmpty();
    StandInTensorBoard.in(
        temp.resolve("programs"), "#!/bin/sh\necho 'ImportError: no protobuf' >&2\nexit 1\n");
    assertThat(refused(one).body()).contains("exit code 1").contains("ImportError: no protobuf");
    // What a shell answers for a program that is not there.
    StandInTensorBoard.in(temp.resolve("programs"), "#!/bin/sh\nexit 127\n");
    HttpResponse<String> absent = refused(one);
    assertThat(absent.statusCode()).isEqualTo(409);
    assertThat(absent.body()).contains("pip install tensorboard");
    assertThat(server.get(all()).get("items")).isEmpty();
  }
}
