package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The ways in which NNI's own test runner uses its command: verbs without an id, ports that are
 * free again when an experiment was stopped, logs at their places, options by their beginnings.
 */
@Timeout(120)
class NniRunnerIT extends NnictlJourney {
  private String config = CONFIG.formatted("'echo orrery: final 1'", 2);

  private String created(int port) throws IOException {
    write("config.yml", config);
    return id(well("create", "--config", "config.yml", "--port", "" + port, "--debug").out());
  }

  private String done(int port) throws IOException {
    String id = created(port);
    awaitStatus(id, "DONE");
    return id;
  }

  /** D1. */
  @Test
  void withoutAnIdTheOneThatIsNotStoppedIsMeant() throws Exception {
    String older = done(FreePort.take());
    assertThat(well("stop").out()).isEqualTo("INFO:  Stop experiment success.\n");
    assertThat(run("stop").code()).isEqualTo(1);
    assertThat(run("trial", "ls").err()).contains("there is no experiment running");
    assertThat(well("experiment", "list", "--all").out())
        .contains("Id: " + older + "    Name: ")
        .contains("Status: STOPPED    Port: N/A");

    String newer = done(FreePort.take());
    assertThat(well("experiment", "show").json().path("id").asText()).isEqualTo(newer);
    assertThat(well("experiment", "status").json().path("status").asText()).isEqualTo("DONE");
    assertThat(well("trial", "ls").json()).hasSize(2);
    well("experiment", "export", "-t", "json", "-f", "all.json");
    assertThat(Json.parse(Files.readString(directory.resolve("all.json")))).hasSize(2);

    config = CONFIG.formatted("sleep 1000", 2);
    String running = created(FreePort.take());
    for (String[] verb :
        new String[][] {{"stop"}, {"trial", "ls"}, {"update", "trialnum", "-v", "9"}}) {
      Result refused = run(verb);
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains(newer + " (DONE)", running + " (").doesNotContain(older);
    }
    well("stop", newer);
    assertThat(well("stop").out()).contains("Stopping experiment " + running);
  }

  /** D2. */
  @Test
  void anExperimentThatHasEndedGivesItsPortUpToALaterOne() throws Exception {
    int port = FreePort.take();
    String older = done(port);
    assertThat(index().path(older).path("port").asInt()).isEqualTo(port);
    assertThat(index().path(older).path("status").asText()).isEqualTo("DONE");

    config = CONFIG.formatted("'echo orrery: final 2'", 1);
    String newer = done(port);
    assertThat(index().path(newer).path("port").asInt()).isEqualTo(port);
    assertThat(index().path(older).path("port").isNull()).isTrue();
    assertThat(index().path(older).path("status").asText()).isEqualTo("STOPPED");
    assertThat(index().path(older).path("pid").isNull()).isTrue();
    well("update", "trialnum", older, "--value", "2");
    assertThat(well("experiment", "show", newer).json().at("/params/maxTrialNumber").asInt())
        .isEqualTo(1);
    assertThat(well("trial", "ls", older).json()).hasSize(2);
    assertThat(well("trial", "ls").json()).hasSize(1);
  }

  /** D6. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void oneThatIsDoneIsDoneAgainWhenItIsResumed() throws Exception {
    int port = FreePort.take();
    String id = done(port);
    assertThat(listens(port)).isTrue();
    well("stop");
    await().atMost(Duration.ofSeconds(30)).until(() -> !listens(port));
    assertThat(index().path(id).path("status").asText()).isEqualTo("STOPPED");

    assertThat(well("resume", id, "--port", "" + port).out())
        .contains("The Web UI urls are: http://127.0.0.1:" + port + "\n");
    awaitStatus(id, "DONE");
    assertThat(listens(port)).isTrue();
    JsonNode entry = index().path(id);
    assertThat(entry.path("status").asText()).isEqualTo("DONE");
    assertThat(entry.path("port").asInt()).isEqualTo(port);
    assertThat(ProcessHandle.of(entry.path("pid").asLong())).isPresent();
    well("stop");
  }

  /** The runner waits for that before its next case. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void thePortOfAnExperimentThatRunsIsFreeWhenItWasStopped() throws Exception {
    config = CONFIG.formatted("sleep 1000", 2);
    int first = FreePort.take();
    int second = FreePort.take();
    created(first);
    String id = created(second);
    assertThat(run("create", "-c", "config.yml", "-p", "" + second).err())
        .contains("belongs to experiment " + id);
    well("stop", "--port", "" + first);
    assertThat(listens(first)).isFalse();
    ProcessHandle.of(index().path(id).path("pid").asLong()).orElseThrow().destroy();
    await().atMost(Duration.ofSeconds(30)).until(() -> !listens(second));
    awaitStatus(id, "STOPPED");
  }

  /** The case that the runner calls nnicli. */
  @Test
  void thePortIsFreeWhenAClientHasStoppedTheExperiment() throws Exception {
    int port = FreePort.take();
    String id = done(port);
    assertThat(connectedThatStops(port)).contains("stopped DONE with 2 results");
    await().atMost(Duration.ofSeconds(30)).until(() -> !listens(port));
    assertThat(index().path(id).path("status").asText()).isEqualTo("STOPPED");

    config = CONFIG.formatted("sleep 1000", 2);
    int second = FreePort.take();
    String running = created(second);
    assertThat(connectedThatStops(second)).contains("with 0 results");
    awaitStatus(running, "STOPPED");
    await().atMost(Duration.ofSeconds(30)).until(() -> !listens(second));
  }

  /** Returns what a client prints that knows the port alone, and reads results afterwards. */
  private String connectedThatStops(int port) throws Exception {
    ProcessBuilder python =
        new ProcessBuilder(
                "python3",
                "-c",
                """
                from nni.experiment import Experiment
                experiment = Experiment()
                experiment.connect_experiment('http://localhost:%d/')
                experiment.stop()
                print('stopped', experiment.get_status(), 'with', len(experiment.export_data()), 'results')
                """
                    .formatted(port))
            .redirectErrorStream(true);
    python.environment().keySet().removeAll(List.of("ORRERY_URL", "ORRERY_TOKEN"));
    python.environment().put("ORRERY_HOME", directory.resolve("home").toString());
    python.environment().put("PYTHONPATH", directory.resolve("home/sdk/current/compat").toString());
    Process client = python.start();
    String printed = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(client.waitFor()).as(printed).isZero();
    return printed;
  }

  /** D7. */
  @Test
  void optionsMayBeGivenByTheirBeginnings() throws Exception {
    write("config.yml", config);
    String id = id(well("create", "--conf=config.yml", "--po", "0", "--deb").out());
    awaitStatus(id, "DONE");
    well("update", "trialnum", "--val", "3");
    awaitStatus(id, "DONE");
    well("experiment", "export", "--ty", "csv", "--file", "all.csv");
    assertThat(Files.readAllLines(directory.resolve("all.csv"))).hasSize(4);
    assertThat(well("trial", "ls", "--he", "1").json()).hasSize(1);
    write(
        "meta.yml", "algoType: tuner\nbuiltinName: Mine\nclassName: mine.Mine\ncodeDirectory: .\n");
    well("algo", "register", "--meta", "meta.yml");
    assertThat(run("create", "--f", "config.yml").code()).isEqualTo(2);
    assertThat(runAs("orrery", "experiment", "export", "--out", "x").code()).isEqualTo(2);
  }

  /** D12. */
  @Test
  void theLogsOfManagerAndDispatcherAreWhereTheRunnerLooks() throws Exception {
    String id = done(FreePort.take());
    var logs = directory.resolve("nni-experiments").resolve(id).resolve("log");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(logs.resolve("nnimanager.log"))
                .content()
                .contains(
                    "INFO (NNIManager) Experiment ID: " + id,
                    "Change NNIManager status from: ",
                    "Experiment done"));
    assertThat(logs.resolve("dispatcher.log")).isNotEmptyFile();
    String trial = well("trial", "ls", id).json().get(0).path("trialJobId").asText();
    assertThat(logs.resolveSibling("trials").resolve(trial).resolve("stderr")).exists();
  }

  /** D3. */
  @Test
  void aTunerOfOnesOwnGetsASpaceOfItsOwnFormat() throws Exception {
    Files.createDirectories(directory.resolve("own"));
    write(
        "own/counts.py",
        """
        from nni.tuner import Tuner

        class Counts(Tuner):
            def update_search_space(self, search_space):
                print('space', search_space)
                self.low, self.high = search_space['x']

            def generate_parameters(self, parameter_id, **kwargs):
                return {'x': self.low + parameter_id}
        """);
    config =
        CONFIG
            .formatted("'echo orrery: final $ORRERY_PARAM_X'", 2)
            .replaceFirst("searchSpace: .*", "searchSpace: {x: [7, 100]}")
            .replaceFirst("tuner: .*", "tuner: {className: counts.Counts, codeDirectory: own}");
    String id = done(FreePort.take());
    assertThat(well("trial", "ls", id, "--head", "1").out()).contains("\\\"x\\\":8");
    assertThat(well("config", "show", id).json().path("searchSpace").toString())
        .isEqualTo("{\"x\":[7,100]}");
    assertThat(directory.resolve("nni-experiments").resolve(id).resolve("log/dispatcher.log"))
        .content()
        .contains("space {'x': [7, 100]}");
    write("wider.json", "{\"x\": [1, 50]}");
    well("update", "searchspace", id, "-f", "wider.json");
    assertThat(well("config", "show", id).json().path("searchSpace").toString())
        .isEqualTo("{\"x\":[1,50]}");
  }

  /** Its second parameter set waits for the result of the first trial. */
  @Test
  void aTunerOfSeveralThreadsMayWaitForAResult() throws Exception {
    write(
        "waits.py",
        """
        import threading
        from nni.tuner import Tuner

        class Waits(Tuner):
            def __init__(self):
                self.heard = threading.Event()

            def update_search_space(self, search_space):
                pass

            def generate_parameters(self, parameter_id, **kwargs):
                if parameter_id > 0:
                    self.heard.wait()
                return {'x': parameter_id}

            def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
                self.heard.set()
        """);
    config =
        """
        authorName: me
        experimentName: waits
        trialConcurrency: 4
        maxTrialNum: 2
        trainingServicePlatform: local
        useAnnotation: false
        multiPhase: false
        multiThread: true
        tuner: {codeDir: ., classFileName: waits.py, className: Waits}
        trial: {command: 'echo orrery: final 0.5', codeDir: ., gpuNum: 0}
        """;
    String id = done(FreePort.take());
    assertThat(well("trial", "ls", id).json())
        .extracting(trial -> trial.path("status").asText())
        .containsExactly("SUCCEEDED", "SUCCEEDED");
  }

  /** D8. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void setsOfABatchThatAreNoObjectsAreGivenAsTheyAre() throws Exception {
    config =
        CONFIG
            .formatted("'cp $NNI_SYS_DIR/parameter.cfg %s/; echo orrery: final 1'", 1)
            .formatted(directory)
            .replaceFirst("searchSpace: .*", "searchSpace: {set: {_type: choice, _value: [two]}}")
            .replaceFirst("tuner: .*", "tuner: {name: BatchTuner}");
    String id = done(FreePort.take());
    assertThat(Json.parse(Files.readString(directory.resolve("parameter.cfg"))).path("parameters"))
        .isEqualTo(Json.parse("\"two\""));
    JsonNode trial = well("trial", "ls", id).json().get(0);
    assertThat(
            Json.parse(trial.path("hyperParameters").get(0).asText()).path("parameters").asText())
        .isEqualTo("two");
    well("experiment", "export", id, "-t", "csv", "-f", "all.csv");
    assertThat(Files.readAllLines(directory.resolve("all.csv")).getFirst())
        .isEqualTo("parameter,reward,trialJobId");
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
