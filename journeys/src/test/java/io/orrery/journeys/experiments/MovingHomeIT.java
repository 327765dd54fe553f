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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Experiments that come from another home, and from NNI. */
@Timeout(120)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class MovingHomeIT {
  private static final String CONFIG =
      """
      experimentName: moves
      trialCommand: sh trial.sh
      trialCodeDirectory: %s
      trialConcurrency: 2
      maxTrialNumber: 4
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: TPE, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  private static final String TRIAL =
      """
      echo "orrery: intermediate 0.25"
      echo "orrery: intermediate 0.5"
      case $NNI_TRIAL_SEQ_ID in
        1) echo 'orrery: final {"default": 0.5, "size": 2}' ;;
        2) echo "orrery: final NaN" ;;
        3) exit 3 ;;
        *) echo "orrery: final 0.75" ;;
      esac
      """;

  /** The database of an experiment of release 1.9. */
  private static final String NNI_1 =
      """
      import json, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.executescript('''
        create table TrialJobEvent (timestamp integer, trialJobId text, event text, data text, logPath text,
          sequenceId integer, message text);
        create table MetricData (timestamp integer, trialJobId text, parameterId text, type text,
          sequence integer, data text);
        create table ExperimentProfile (params text, id text, execDuration integer, startTime integer,
          endTime integer, logDir text, nextSequenceId integer, revision integer);
      ''')
      config = {"authorName": "author", "experimentName": "older", "trialConcurrency": 1, "maxExecDuration": 3600,
        "maxTrialNum": 2, "searchSpace": json.dumps({"x": {"_type": "uniform", "_value": [0, 1]}}),
        "trainingServicePlatform": "local", "multiPhase": False, "multiThread": False,
        "tuner": {"builtinTunerName": "TPE", "classArgs": {"optimize_mode": "maximize"}, "checkpointDir": "/gone/c"},
        "versionCheck": True, "logCollection": "none",
        "clusterMetaData": [{"key": "codeDir", "value": "/gone/."}, {"key": "command", "value": "sh trial.sh"}]}
      db.execute('insert into ExperimentProfile values (?,?,?,?,?,?,?,?)', (json.dumps(config), 'aGew0x12', 60,
        1600000000000, 1600000100000, '/gone', 2, 4))
      def event(time, trial, name, sequence, number=None):
          data = None if number is None else json.dumps({"parameter_id": number, "parameter_source": "algorithm",
            "parameters": {"x": 0.5 + 0.1 * number}, "parameter_index": 0})
          db.execute('insert into TrialJobEvent values (?,?,?,?,?,?,?)',
            (1600000000000 + time, trial, name, data, '', sequence, ''))
      event(1000, 'aB1cD', 'WAITING', 0, 0)
      event(2000, 'aB1cD', 'RUNNING', 0)
      event(3000, 'bbbbb', 'WAITING', 1, 1)
      event(4000, 'aB1cD', 'SUCCEEDED', 0)
      event(5000, 'bbbbb', 'RUNNING', 1)
      event(5500, 'bbbbb', 'USER_TO_CANCEL', 1)
      event(6000, 'bbbbb', 'USER_CANCELED', 1)
      db.execute('insert into MetricData values (?,?,?,?,?,?)',
        (1600000003000, 'aB1cD', '0', 'FINAL', 0, json.dumps("0.25")))
      db.commit()
      """;

  @TempDir Path directory;

  @Test
  void anExperimentIsSavedLoadedInAnotherHomeAndGoesOnThere() throws Exception {
    Path code = Files.createDirectories(directory.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    String id;
    List<JsonNode> before;
    JsonNode metrics;
    try (ServerProcess first = ServerProcess.start(directory.resolve("one"))) {
      id = first.post("/experiments", CONFIG.formatted(code)).get("id").asText();
      JsonNode done = first.awaitStatus(id, Duration.ofSeconds(40), "DONE");
      before = first.trials(id);
      metrics =
          first.get(
              "/experiments/" + id + "/trials/" + before.get(1).get("id").asText() + "/metrics");
      run(first, "experiment", "save", id, "--saveCodeDir");
      assertThat(done.path("best").path("metric").asDouble()).isEqualTo(0.75);
    }

    Path zip = directory.resolve("nni_experiment_" + id + ".zip");
    try (ServerProcess second = ServerProcess.start(directory.resolve("two"))) {
      run(second, "experiment", "load", "-p", zip.toString(), "-c", "elsewhere");
      assertThat(directory.resolve("elsewhere/trial.sh")).hasContent(TRIAL);

      JsonNode here = second.get("/experiments/" + id);
      assertThat(here.path("status").asText()).isEqualTo("DONE");
      assertThat(here.path("name").asText()).isEqualTo("moves");
      assertThat(here.path("trialCounts").toString()).isEqualTo("{\"SUCCEEDED\":3,\"FAILED\":1}");
      assertThat(here.path("best").path("metric").asDouble()).isEqualTo(0.75);
      List<JsonNode> after = second.trials(id);
      assertThat(after).hasSize(4);
      for (int i = 0; i < 4; i++) {
        for (String member :
            new String[] {
              "id", "sequenceId", "status", "parameters", "metric", "startedAt", "endedAt", "reason"
            }) {
          assertThat(after.get(i).get(member)).as(member).isEqualTo(before.get(i).get(member));
        }
      }
      assertThat(
              second
                  .get(
                      "/experiments/"
                          + id
                          + "/trials/"
                          + before.get(1).get("id").asText()
                          + "/metrics")
                  .get("values"))
          .isEqualTo(metrics.get("values"));
      assertThat(refused(second, zip)).contains("is not free");

      second.patch("/experiments/" + id, "{\"maxTrialNumber\": 7}");
      second.awaitStatus(id, Duration.ofSeconds(40), "DONE");
      Set<String> ids = new HashSet<>();
      second.trials(id).forEach(trial -> ids.add(trial.get("id").asText()));
      assertThat(ids).hasSize(7);
    }
  }

  @Test
  void anExperimentOfNniIsTakenOverWithItsTrialsAndMetricsAndContinued() throws Exception {
    Path experiment = directory.resolve("GHFnkv3k");
    Files.createDirectories(experiment.resolve("db"));
    Files.writeString(directory.resolve("trial.sh"), TRIAL);
    makeDatabase(experiment.resolve("db/nni.sqlite"));
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      run(server, "experiment", "import-nni", experiment.toString(), "--code-dir", ".");

      JsonNode here = server.get("/experiments/GHFnkv3k");
      assertThat(here.path("status").asText()).isEqualTo("STOPPED");
      assertThat(here.path("best").path("trial").asText()).isEqualTo("aB1cD");
      assertThat(here.path("best").path("metric").asDouble()).isEqualTo(0.9);
      List<JsonNode> trials = server.trials("GHFnkv3k");
      assertThat(trials)
          .extracting(t -> t.get("id").asText())
          .containsExactly("aB1cD", "bbbbb", "ccccc", "imported-3", "imported-4");
      assertThat(trials)
          .extracting(t -> t.get("status").asText())
          .containsExactly("SUCCEEDED", "FAILED", "WAITING", "SUCCEEDED", "SUCCEEDED");
      assertThat(trials.subList(3, 5))
          .extracting(t -> t.at("/parameters/x").asDouble() + " " + t.path("metric").asDouble())
          .as("what NNI's tuner was told of elsewhere")
          .containsExactly("0.125 0.25", "0.375 0.75");
      assertThat(
              Json.parse(server.text("/experiments/GHFnkv3k/api/v1/nni/experiment/imported-data")))
          .as("one text for one import, as it was posted")
          .hasSize(1);
      assertThat(trials.getFirst().path("parameters").path("x").asDouble()).isEqualTo(0.5);
      JsonNode points = server.get("/experiments/GHFnkv3k/trials/aB1cD/metrics");
      assertThat(points.toString()).contains("0.1").contains("0.4");

      server.post("/experiments/GHFnkv3k/resume", "");
      server.awaitStatus("GHFnkv3k", Duration.ofSeconds(40), "DONE");
      List<JsonNode> after = server.trials("GHFnkv3k");
      assertThat(after).hasSize(7);
      assertThat(after.get(2).path("status").asText()).isEqualTo("SUCCEEDED");
      assertThat(after.get(2).path("attempt").asInt()).isEqualTo(2);
      assertThat(after.get(6).path("sequenceId").asInt()).isEqualTo(6);
    }
  }

  /** Its profile is a configuration in pieces, and its events have no environment. */
  @Test
  void anExperimentOfNni1IsTakenOverAndContinued() throws Exception {
    Path experiment = directory.resolve("aGew0x12");
    Files.createDirectories(experiment.resolve("db"));
    Files.writeString(directory.resolve("trial.sh"), TRIAL);
    python(NNI_1, experiment.resolve("db/nni.sqlite").toString());
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      run(server, "experiment", "import-nni", experiment.toString(), "--code-dir", ".");

      JsonNode here = server.get("/experiments/aGew0x12");
      assertThat(here.path("status").asText()).isEqualTo("DONE");
      assertThat(here.path("name").asText()).isEqualTo("older");
      assertThat(here.path("maxExperimentDuration").asInt()).isEqualTo(3600);
      assertThat(here.path("best").path("metric").asDouble()).isEqualTo(0.25);
      assertThat(here.path("tuner").asText()).isEqualTo("TPE");

      server.patch("/experiments/aGew0x12", "{\"maxTrialNumber\": 3}");
      server.awaitStatus("aGew0x12", Duration.ofSeconds(40), "DONE");
      assertThat(server.trials("aGew0x12"))
          .extracting(t -> t.path("sequenceId").asInt() + " " + t.path("status").asText())
          .containsExactly("0 SUCCEEDED", "1 USER_CANCELED", "2 SUCCEEDED");
    }
  }

  /** Its zip has the database, the code and the index, and no lines of ours. */
  @Test
  void whatNniItselfSavedIsLoadedWithItsCode() throws Exception {
    Path database = directory.resolve("nni.sqlite");
    python(NNI_1, database.toString());
    Path zip = directory.resolve("nni_experiment_aGew0x12.zip");
    try (ZipOutputStream saved = new ZipOutputStream(Files.newOutputStream(zip))) {
      saved.putNextEntry(new ZipEntry("experiment/db/nni.sqlite"));
      Files.copy(database, saved);
      saved.putNextEntry(new ZipEntry("nnictl/.experiment"));
      saved.putNextEntry(new ZipEntry("code/trial.sh"));
      saved.write(TRIAL.getBytes(StandardCharsets.UTF_8));
    }
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      nnictl(server, "experiment", "load", "-p", zip.toString(), "-c", "code", "-l", "logs");

      assertThat(directory.resolve("code/trial.sh")).hasContent(TRIAL);
      assertThat(server.trials("aGew0x12")).hasSize(2);
      server.patch("/experiments/aGew0x12", "{\"maxTrialNumber\": 3}");
      server.awaitStatus("aGew0x12", Duration.ofSeconds(40), "DONE");
      assertThat(server.trials("aGew0x12").get(2).path("status").asText()).isEqualTo("SUCCEEDED");
    }
  }

  @Test
  void aZipFileThatHoldsMoreThanAServerTakesIsRefusedUnread() throws Exception {
    Path zip = directory.resolve("huge.zip");
    try (ZipOutputStream huge = new ZipOutputStream(Files.newOutputStream(zip))) {
      huge.putNextEntry(new ZipEntry("experiment.ndjson"));
      for (int i = 0; i < 129; i++) {
        huge.write(new byte[1 << 20]);
      }
    }
    assertThat(Files.size(zip)).isLessThan(1 << 20);
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      assertThat(refused(server, zip)).contains("more than 128 MB");
    }
  }

  @Test
  void nnictlTakesOverWhatItIsToShowOrToGoOnWith() throws Exception {
    Path former = directory.resolve("nni-experiments");
    Files.createDirectories(former.resolve("GHFnkv3k/db"));
    Files.writeString(directory.resolve("trial.sh"), TRIAL);
    makeDatabase(former.resolve("GHFnkv3k/db/nni.sqlite"), directory.toString());
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      nnictl(server, "view", "GHFnkv3k", "--experiment_dir", former.toString());
      assertThat(server.trials("GHFnkv3k")).hasSize(5);

      nnictl(server, "resume", "GHFnkv3k", "-e", former.toString());
      server.awaitStatus("GHFnkv3k", Duration.ofSeconds(40), "DONE");
      assertThat(server.trials("GHFnkv3k")).hasSize(7);
    }
  }

  private void makeDatabase(Path file) throws Exception {
    makeDatabase(file, "/gone");
  }

  /**
   * @param code where its trials' code lay
   */
  private void makeDatabase(Path file, String code) throws Exception {
    String script =
        """
        import json, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.executescript('''
          create table TrialJobEvent (timestamp integer, trialJobId text, event text, data text, logPath text,
            sequenceId integer, message text, environmentId text);
          create table MetricData (timestamp integer, trialJobId text, parameterId text, type text,
            sequence integer, data text);
          create table ExperimentProfile (params text, id text, execDuration integer, startTime integer,
            endTime integer, logDir text, nextSequenceId integer, revision integer);
        ''')
        config = {"experimentName": "old", "experimentType": "hpo", "trialCommand": "sh trial.sh",
          "trialCodeDirectory": sys.argv[2], "trialConcurrency": 1, "maxTrialNumber": 5,
          "searchSpace": {"x": {"_type": "uniform", "_value": [0, 1]}}, "useAnnotation": False, "debug": False,
          "logLevel": "info", "experimentWorkingDirectory": "/gone",
          "tuner": {"name": "TPE", "classArgs": {"optimize_mode": "maximize"}},
          "trainingService": {"platform": "local", "trialCommand": "sh trial.sh", "trialCodeDirectory": sys.argv[2],
            "debug": False, "maxTrialNumberPerGpu": 1, "reuseMode": False}}
        for revision in (0, 1):
            db.execute('insert into ExperimentProfile values (?,?,?,?,?,?,?,?)', (json.dumps(config), 'GHFnkv3k',
              60 * revision, 1600000000000, None, '/gone', 0, revision))
        def event(time, trial, name, sequence, number=None):
            data = None if number is None else json.dumps({"parameter_id": number, "parameter_source": "algorithm",
              "parameters": {"x": 0.5 + 0.1 * number}, "parameter_index": 0})
            db.execute('insert into TrialJobEvent values (?,?,?,?,?,?,?,?)',
              (1600000000000 + time, trial, name, data, '', sequence, '', None))
        db.execute('insert into TrialJobEvent values (?,?,?,?,?,?,?,?)', (1600000000000, '', 'IMPORT_DATA',
          json.dumps([{"parameter": {"x": 0.125}, "value": 0.25},
            {"parameter": {"x": 0.375}, "value": json.dumps({"default": 0.75})}]), '', None, '', None))
        event(1000, 'aB1cD', 'WAITING', 0, 0)
        event(2000, 'aB1cD', 'RUNNING', 0)
        event(3000, 'bbbbb', 'WAITING', 1, 1)
        event(4000, 'aB1cD', 'SUCCEEDED', 0)
        event(5000, 'bbbbb', 'RUNNING', 1)
        event(6000, 'bbbbb', 'FAILED', 1)
        event(7000, 'ccccc', 'WAITING', 2, 2)
        event(8000, 'ccccc', 'RUNNING', 2)
        def metric(time, trial, kind, sequence, value):
            db.execute('insert into MetricData values (?,?,?,?,?,?)',
              (1600000000000 + time, trial, '0', kind, sequence, json.dumps(json.dumps(value))))
        metric(2100, 'aB1cD', 'PERIODICAL', 0, 0.1)
        metric(2200, 'aB1cD', 'PERIODICAL', 1, {"default": 0.4, "loss": 2})
        metric(2300, 'aB1cD', 'FINAL', 0, 0.9)
        db.commit()
        """;
    python(script, file.toString(), code);
  }

  private static void python(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", "-c", script));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private String refused(ServerProcess server, Path zip) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(command(server, err, "experiment", "load", "-p", zip.toString())).isNotZero();
    return err.toString(StandardCharsets.UTF_8);
  }

  private void run(ServerProcess server, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(command(server, err, arguments)).as(err.toString(StandardCharsets.UTF_8)).isZero();
  }

  private void nnictl(ServerProcess server, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(commandAs("nnictl", server, err, arguments))
        .as(err.toString(StandardCharsets.UTF_8))
        .isZero();
  }

  private int command(ServerProcess server, ByteArrayOutputStream err, String... arguments) {
    return commandAs("orrery", server, err, arguments);
  }

  private int commandAs(
      String name, ServerProcess server, ByteArrayOutputStream err, String... arguments) {
    Terminal terminal =
        new Terminal(
            new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("ORRERY_HOME", server.home().toString()),
            directory,
            InstantSource.system(),
            false,
            Prompt.NONE);
    List<String> all = new ArrayList<>(List.of(arguments));
    return Orrery.run(
        name,
        all.toArray(String[]::new),
        options -> 1,
        (file, followed) -> 1,
        new ServerProgram(List.of("false")),
        terminal,
        () -> new Interrupts(status -> {}));
  }
}
