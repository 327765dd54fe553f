package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.StandInTensorBoard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** NNI's command as NNI's users type it, against a server that it starts itself. */
@Timeout(120)
class NnictlIT extends NnictlJourney {
  @Test
  void anExperimentIsCreatedWatchedChangedExportedStoppedAndDeleted() throws IOException {
    well("hello");
    assertThat(run("hello").code()).isEqualTo(1);
    String said = well("create", "--config", "nni_hello_hpo/config.yml", "-p", "0").out();
    String id = id(said);
    assertThat(id).hasSize(8);
    assertThat(said).contains("The Web UI urls are: http://127.0.0.1:");
    assertThat(well("view", id).out()).contains("/#/experiments/" + id);

    JsonNode entry =
        Json.parse(Files.readString(directory.resolve("nni-experiments/.experiment"))).path(id);
    assertThat(ProcessHandle.of(entry.path("pid").longValue())).isPresent();

    await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> well("experiment", "status", id).json().path("status").asText().equals("DONE"));

    assertThat(well("experiment", "list").out())
        .contains("Id: " + id + "    Name: hello    Status: DONE    Port: ")
        .containsPattern("StartTime: [-0-9]{10} [:0-9]{8}    EndTime: [-0-9]{10} [:0-9]{8}\n");
    assertThat(well("experiment", "show", id.substring(0, 6)).json().path("id").asText())
        .isEqualTo(id);
    assertThat(well("config", "show", id).json().path("maxTrialNumber").asInt()).isEqualTo(20);
    assertThat(well("webui", "url").out()).contains("#/experiments/" + id);

    assertThat(well("trial", "ls", id).json()).hasSize(20);
    JsonNode worst = well("trial", "ls", id, "--head", "2").json();
    JsonNode best = well("trial", "ls", id, "--tail", "1").json();
    assertThat(worst).hasSize(2);
    assertThat(metric(worst.get(0))).isGreaterThanOrEqualTo(metric(worst.get(1)));
    assertThat(metric(worst.get(1))).isGreaterThan(metric(best.get(0)));

    well("experiment", "export", id, "-t", "json", "-f", "all.json", "-i");
    JsonNode exported = Json.parse(Files.readString(directory.resolve("all.json")));
    assertThat(exported).hasSize(20);
    assertThat(exported.get(0).path("intermediate")).hasSize(5);
    well("experiment", "export", id, "--type", "csv", "--filename", "all.csv");
    List<String> lines = Files.readAllLines(directory.resolve("all.csv"));
    assertThat(lines).hasSize(21);
    assertThat(lines.getFirst()).isEqualTo("x,y,reward,trialJobId");

    assertThat(well("trial", "ls", id, "--head", "1").out())
        .matches(
            "(?s).*\\n"
                + "        \"endTime\":\"\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d\",\\n"
                + "        \"finalMetricData\":.*");
    assertThat(run("ss_gen", "-t", "python3 main.py").code()).isEqualTo(1);
    assertThat(well("platform", "clean", "--config", "nni_hello_hpo/config.yml").out())
        .startsWith("INFO:  ");
    assertThat(well("algo", "list").out()).contains("TPE").contains("Medianstop");
    assertThat(well("algo", "show", "tpe").json().path("name").asText()).isEqualTo("TPE");
    assertThat(well("trainingservice", "list").out()).contains("local");
    assertThat(well("log", "stdout", "--tail", "3").out()).isNotBlank();
    assertThat(well("log", "stderr", "--head", "1").out()).hasLineCount(1);
    assertThat(well("log", "stdout", "--path").out()).contains("server.log");
    String trial = well("trial", "ls", id).json().get(0).path("trialJobId").asText();
    assertThat(well("log", "trial", id, "--trial_id", trial).out())
        .matches("INFO: {2}id:" + trial + " path:file://localhost:.*/" + trial + "\n");
    assertThat(well("log", "trial", id).out())
        .startsWith("INFO:  All of trial log info:\n")
        .hasLineCount(21);
    assertThat(run("log", "trial", id, "-T", "zzzzz").code()).isEqualTo(1);

    Files.writeString(
        directory.resolve("earlier.json"),
        "[{\"parameter\": {\"x\": 2, \"y\": -1}, \"value\": 0}]");
    well("experiment", "import", id, "-f", "earlier.json");

    assertThat(run("experiment", "delete").code()).isEqualTo(1);
    well("experiment", "delete", id, "--yes");
    assertThat(run("experiment", "show", id).code()).isEqualTo(1);
  }

  @Test
  void aRunningExperimentIsChangedAndStoppedByTheBeginningOfItsId() throws IOException {
    Files.writeString(
        directory.resolve("v1.yml"),
        """
        authorName: author
        experimentName: long
        trialConcurrency: 1
        maxExecDuration: 1h
        maxTrialNum: 10
        trainingServicePlatform: local
        searchSpacePath: space.json
        useAnnotation: false
        tuner: {builtinTunerName: Random, classArgs: {optimize_mode: maximize}}
        trial: {command: sleep 1000, codeDir: ., gpuNum: 0}
        """);
    Files.writeString(
        directory.resolve("space.json"), "{\"x\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
    String said = well("create", "-c", "v1.yml", "--port", "0").out();
    String id = id(said);

    well("update", "concurrency", id, "--value", "2");
    well("update", "trialnum", "-v", "30");
    well("update", "duration", "-v", "2h");
    Files.writeString(
        directory.resolve("wider.json"), "{\"x\": {\"_type\": \"uniform\", \"_value\": [0, 9]}}");
    well("update", "searchspace", "--filename", "wider.json");
    JsonNode params = well("experiment", "show").json().path("params");
    assertThat(params.path("trialConcurrency").asInt()).isEqualTo(2);
    assertThat(params.path("maxTrialNumber").asInt()).isEqualTo(30);
    assertThat(params.path("maxExperimentDuration").toString()).contains("7200");
    assertThat(params.path("searchSpace").toString()).contains("9");

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> well("trial", "ls").out().contains("RUNNING"));
    String trial = well("trial", "ls").json().get(0).path("trialJobId").asText();
    well("trial", "kill", id, "-T", trial);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> well("trial", "ls").out().contains("USER_CANCELED"));

    assertThat(well("stop", id.substring(0, 3) + "*").out())
        .contains("INFO:  Stopping experiment " + id)
        .contains("INFO:  Stop experiment success.");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> well("experiment", "status", id).out().contains("STOPPED"));
    well("resume", id, "--debug");
    well("stop", "--all");
  }

  /** Two that go on, so that a port says which. */
  @Test
  void anExperimentIsWhatItsPortMeans() throws Exception {
    write("long.yml", CONFIG.formatted("sleep 1000", 9));
    well("up", "--detach", "--port", "0", "--router-port", "off");
    int port = FreePort.take();
    String said =
        well("create", "-c", "long.yml", "-p", "" + port, "--debug", "--url_prefix", "mine").out();
    String id = id(said);
    assertThat(said).contains("The Web UI urls are: http://127.0.0.1:" + port + "\n");
    well("create", "-c", "long.yml", "-p", "" + FreePort.take());
    assertThat(well("experiment", "list").out())
        .contains("Id: " + id + "    Name: ")
        .contains("    Port: " + port + "    ");

    impatient = true;
    assertThat(well("top", "--time", "1").out()).contains(id, "RUNNING");
    impatient = false;

    assertThat(run("stop").err()).contains("several experiments are running");
    assertThat(run("stop", "zzz", "--port", "" + port).code()).isEqualTo(1);
    assertThat(well("stop", "--port", "" + port).out()).contains("Stopping experiment " + id);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> well("experiment", "status", id).out().contains("STOPPED"));
    assertThat(run("stop", "--port", "" + port).err()).contains("at port " + port);
    int other = FreePort.take();
    assertThat(well("resume", id, "-p", "" + other).out())
        .contains("The Web UI urls are: http://127.0.0.1:" + other + "\n");
    well("stop", "--all");
  }

  @Test
  void inTheForegroundItIsWaitedFor() throws Exception {
    Path waitedFor = directory.resolve("waited-for");
    awaited = waitedFor;
    String command = "until [ -e '%s' ]; do sleep 0.05; done; echo 'orrery: final 1'";
    write("awaited.yml", CONFIG.formatted('"' + command.formatted(waitedFor) + '"', 2));
    int port = FreePort.take();
    well("up", "--detach", "--port", "0", "--router-port", "off");
    assertThat(well("create", "-c", "awaited.yml", "--foreground", "--port", "" + port).out())
        .startsWith("best: ");
    JsonNode index = Json.parse(Files.readString(directory.resolve("nni-experiments/.experiment")));
    String id = index.fieldNames().next();
    assertThat(index.path(id).path("status").asText()).isEqualTo("STOPPED");
    assertThat(index.path(id).path("port").isNull()).isTrue();
    Files.delete(waitedFor);
    well("update", "trialnum", id, "-v", "3");
    well("resume", id, "-f", "-p", "" + port);
    assertThat(well("trial", "ls", id).json()).hasSize(3);
    assertThat(well("experiment", "list").out()).startsWith("There is no experiment running.");
  }

  @Test
  void whatIsDoneElsewhereSaysWhere() {
    well("up", "--detach", "--port", "0", "--router-port", "off");
    assertThat(well("package", "show", "TPE").json().path("name").asText()).isEqualTo("TPE");
    assertThat(well("package", "install", "--name", "SMAC").out())
        .endsWith("SMAC needs nothing installed.\n");
    assertThat(run("package", "install", "--name", "nothing").code()).isEqualTo(1);
    assertThat(run("package", "uninstall", "TPE").code()).isEqualTo(1);
    assertThat(run("jupyter-extension", "install").err()).contains("http://127.0.0.1:");
    assertThat(run("jupyter-extension", "uninstall").code()).isEqualTo(1);
    assertThat(run("trainingservice", "unregister", "--package", "mine").err()).contains("mine");
    assertThat(run("algo", "reg", "-m", "absent.yml").code()).isEqualTo(1);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void tensorBoardsAreStartedListedAndStopped() throws IOException {
    StandInTensorBoard.in(directory.resolve("programs"));
    tensorBoards = directory.resolve("programs").toString();
    well("hello");
    String said = well("create", "--config", "nni_hello_hpo/config.yml", "-p", "0").out();
    String id = id(said);
    await().atMost(Duration.ofSeconds(60)).until(() -> !well("trial", "ls", id).json().isEmpty());
    assertThat(run("tensorboard", "stop", id).code()).isEqualTo(1);
    String trial = well("trial", "ls", id).json().get(0).path("trialJobId").asText();
    assertThat(well("tensorboard", "start", id, "-T", trial).out())
        .contains("Tensorboard urls: http://127.0.0.1:");
    assertThat(well("tensorboard", "start", id).out()).startsWith("INFO:  Start tensorboard");
    assertThat(well("tensorboard", "list", id).json()).hasSize(2);
    well("tensorboard", "stop", id);
    assertThat(well("tensorboard", "list", id).json()).isEmpty();
    well("stop", id);
  }

  @Test
  void whatIsWrongIsSaidAndEndsWithOne() throws IOException {
    // Else a server that a user has at the usual port would be asked.
    environment.put("ORRERY_URL", "http://127.0.0.1:" + FreePort.take());
    assertThat(run("create", "--config", "absent.yml").code()).isEqualTo(1);
    Result refused = run("create", "--config", "absent.yml", "--url_prefix", "x");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("absent.yml");
    assertThat(run("stop", "nothing").code()).isEqualTo(1);
    Result register = run("trainingservice", "register", "--package", "mine");
    assertThat(register.code()).isEqualTo(1);
    assertThat(register.err()).contains("'mine'", "a jar in the folder platforms");
    // As Python's argparse does.
    assertThat(run("ss_gen").code()).isEqualTo(2);
    assertThat(run("nothing").code()).isEqualTo(2);
    assertThat(run("experiment", "export", "-t", "xml", "-f", "x").code()).isEqualTo(2);
    assertThat(well("-v").out()).startsWith("3.0");
  }
}
