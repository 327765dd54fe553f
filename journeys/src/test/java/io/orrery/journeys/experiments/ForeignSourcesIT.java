package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery;
import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches that learn from what other programs have found, under other names. */
@Timeout(180)
class ForeignSourcesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Twelve trials of the same function, in Optuna's tables and in those of NNI. */
  private static final String DATABASES =
      """
      import json, math, os, sqlite3, sys
      os.makedirs('nniwide1/db')
      trials = [((i * 5 % 12 + 0.5) / 12, 10 ** (-5 * (i + 0.5) / 12)) for i in range(12)]
      def loss(x, rate): return (x - 0.3) ** 2 + (math.log(rate) + 7) ** 2 / 20
      db = sqlite3.connect('study.db')
      db.executescript('''
        create table studies (study_id integer primary key, study_name varchar(512) not null);
        create table study_directions (study_direction_id integer primary key, direction varchar(8) not null,
          study_id integer, objective integer not null);
        create table trials (trial_id integer primary key, number integer, study_id integer,
          state varchar(8) not null, datetime_start datetime, datetime_complete datetime);
        create table trial_params (param_id integer primary key, trial_id integer, param_name varchar(512),
          param_value float, distribution_json text);
        create table trial_values (trial_value_id integer primary key, trial_id integer,
          objective integer not null, value float, value_type varchar(7) not null);
        create table trial_intermediate_values (trial_intermediate_value_id integer primary key,
          trial_id integer, step integer, intermediate_value float, intermediate_value_type varchar(7) not null);
        insert into studies values (1, 'study');
        insert into study_directions values (1, 'MINIMIZE', 1, 0);
      ''')
      def of(low, high, log):
          return json.dumps({"name": "FloatDistribution",
            "attributes": {"step": None, "low": low, "high": high, "log": log}})
      for i, (x, rate) in enumerate(trials):
          db.execute('insert into trials values (?,?,1,?,?,?)', (i, i, 'COMPLETE',
            '2024-03-01 10:%02d:00.000000' % i, '2024-03-01 10:%02d:30.000000' % i))
          db.execute('insert into trial_values values (?,?,0,?,?)', (i, i, loss(x, rate), 'FINITE'))
          for name, value, distribution in (('x', x, of(0, 1, False)), ('learning_rate', rate, of(0.00001, 1, True))):
              db.execute('insert into trial_params (trial_id, param_name, param_value, distribution_json)'
                ' values (?,?,?,?)', (i, name, value, distribution))
      db.commit()
      db = sqlite3.connect('nniwide1/db/nni.sqlite')
      db.executescript('''
        create table TrialJobEvent (timestamp integer, trialJobId text, event text, data text, logPath text,
          sequenceId integer, message text, environmentId text);
        create table MetricData (timestamp integer, trialJobId text, parameterId text, type text,
          sequence integer, data text);
        create table ExperimentProfile (params text, id text, execDuration integer, startTime integer,
          endTime integer, logDir text, nextSequenceId integer, revision integer);
      ''')
      config = {"experimentName": "nni", "experimentType": "hpo", "trialCommand": "true",
        "trialCodeDirectory": "/gone", "trialConcurrency": 1, "maxTrialNumber": 12,
        "searchSpace": {"width": {"_type": "uniform", "_value": [0, 1]},
          "lr": {"_type": "loguniform", "_value": [0.00001, 1]}}, "useAnnotation": False, "debug": False,
        "logLevel": "info", "experimentWorkingDirectory": "/gone",
        "tuner": {"name": "TPE", "classArgs": {"optimize_mode": "maximize"}},
        "trainingService": {"platform": "local", "trialCommand": "true", "trialCodeDirectory": "/gone",
          "debug": False, "maxTrialNumberPerGpu": 1, "reuseMode": False}}
      db.execute('insert into ExperimentProfile values (?,?,?,?,?,?,?,?)', (json.dumps(config), 'nniwide1',
        60, 1600000000000, 1600000100000, '/gone', 12, 1))
      for i, (x, rate) in enumerate(trials):
          trial = 'nni%02d' % i
          data = json.dumps({"parameter_id": i, "parameter_source": "algorithm",
            "parameters": {"width": x, "lr": rate}, "parameter_index": 0})
          for step, event in enumerate(('WAITING', 'RUNNING', 'SUCCEEDED')):
              db.execute('insert into TrialJobEvent values (?,?,?,?,?,?,?,?)', (1600000000000 + 1000 * (3 * i + step),
                trial, event, data if step == 0 else None, '', i, '', None))
          db.execute('insert into MetricData values (?,?,?,?,?,?)', (1600000000500 + 1000 * (3 * i + 1), trial, str(i),
            'FINAL', 0, json.dumps(json.dumps(-loss(x, rate)))))
      db.commit()
      with open('results.json', 'w') as f:
          json.dump([{"parameter": {"x": x, "lr": rate}, "value": loss(x, rate)} for x, rate in trials], f)
      """;

  @TempDir Path directory;

  private static String experiment(int trials, String transfer) {
    return """
    trialConcurrency: 1
    maxTrialNumber: %d
    seed: 5
    searchSpace:
      x: {_type: uniform, _value: [0, 1]}
      lr: {_type: loguniform, _value: [0.00001, 1]}
    tuner: {name: Auto, classArgs: {optimize_mode: minimize}}
    transfer: %s
    trainingService:
      platform: simulated
      objective: (x - 0.3) ** 2 + (log(lr) + 7) ** 2 / 20
      duration: 10m
      speed: 100000
    """
        .formatted(trials, transfer);
  }

  private static String create(ServerProcess server, int trials, String transfer) throws Exception {
    String id = server.post("/experiments", experiment(trials, transfer)).path("id").textValue();
    server.awaitStatus(id, PATIENCE, "DONE");
    return id;
  }

  private static JsonNode sources(ServerProcess server, String transfer) throws Exception {
    return server
        .get("/experiments/" + create(server, 8, transfer))
        .path("transfer")
        .path("sources");
  }

  @Test
  void whatOptunaNniAndAFileOfResultsKnowIsLearntFrom() throws Exception {
    Process made =
        new ProcessBuilder("python3", "-c", DATABASES)
            .directory(directory.toFile())
            .inheritIO()
            .start();
    assertThat(made.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      optuna(server);
      nni(server);
      results(server);
      table(server);
    }
  }

  /** Found by itself, although it calls the rate otherwise. */
  private void optuna(ServerProcess server) throws Exception {
    String study = run(server, "experiment", "import-optuna", "study.db");

    JsonNode sources = sources(server, "auto");

    assertThat(sources).hasSize(1);
    JsonNode source = sources.get(0);
    assertThat(source.path("experiment").asText()).isEqualTo(study);
    assertThat(source.path("name").asText()).isEqualTo("study");
    assertThat(source.path("trials").asInt()).isEqualTo(12);
    assertThat(source.path("used").asInt()).isEqualTo(12);
    assertThat(source.path("renamed").toString()).isEqualTo("{\"learning_rate\":\"lr\"}");
    assertThat(source.path("weight").asDouble()).isGreaterThan(0.5);
  }

  /** Its metric is to be large, and its name for x is like no other: it has to be named. */
  private void nni(ServerProcess server) throws Exception {
    run(server, "experiment", "import-nni", "nniwide1", "--code-dir", ".");

    JsonNode named = sources(server, "[nniwide1]").get(0);
    assertThat(named.path("used").asInt()).isEqualTo(12);
    assertThat(named.path("renamed").toString()).isEqualTo("{\"width\":\"x\"}");
    assertThat(named.path("weight").asDouble()).isGreaterThan(0.5);
    JsonNode said = sources(server, "[{id: nniwide1, rename: {width: x}}]").get(0);
    assertThat(said.path("renamed").toString()).isEqualTo("{\"width\":\"x\"}");
    JsonNode without = sources(server, "[{id: nniwide1, rename: {}}]").get(0);
    assertThat(without.path("renamed")).isEmpty();
    assertThat(without.path("used").asInt()).as("of lr alone").isEqualTo(12);
    for (Map.Entry<String, String> wrong :
        Map.of(
                "[{id: nniwide1, rename: {w: x}}]", "/transfer/0/rename",
                "[{id: nniwide1, rename: {width: y}}]", "no parameter of this experiment",
                "[{id: nniwide1, rename: {width: lr}}]", "rename that as well",
                "[{id: nniwide1, rename: {width: x, lr: x}}]", "two parameters cannot be one",
                "[{id: nniwide1, names: {width: x}}]", "there is id and rename",
                "[{rename: {width: x}}]", "must have an id",
                "[{id: nniwide1, rename: x}]", "must be an object",
                "[7]", "must be the id of an experiment")
            .entrySet()) {
      assertThatThrownBy(() -> create(server, 8, wrong.getKey()))
          .as(wrong.getKey())
          .hasMessageContaining(wrong.getValue());
    }
  }

  /** Results that were brought into an experiment count as its own. */
  private void results(ServerProcess server) throws Exception {
    String holder = create(server, 1, "off");
    run(server, "experiment", "import", holder, "results.json");

    JsonNode source = sources(server, "[" + holder + "]").get(0);
    assertThat(source.path("trials").asInt()).isEqualTo(13);
    assertThat(source.path("used").asInt()).isEqualTo(13);
    assertThat(source.path("renamed")).isEmpty();
    List<String> found = new ArrayList<>();
    sources(server, "auto").forEach(one -> found.add(one.path("experiment").asText()));
    assertThat(found).contains(holder);
  }

  /** The same of a table, which an export writes as well. */
  private void table(ServerProcess server) throws Exception {
    String from = create(server, 7, "off");
    run(server, "experiment", "export", from, "--format", "csv", "--output", "table.csv");
    String holder = create(server, 1, "off");
    run(server, "experiment", "import", holder, "table.csv");

    JsonNode source = sources(server, "[" + holder + "]").get(0);
    assertThat(source.path("used").asInt()).as("its own first trial is one of them").isEqualTo(7);
    assertThat(parametersOf(server, holder)).containsAll(parametersOf(server, from));
    String again = create(server, 1, "off");
    run(server, "experiment", "import", again, "table.csv", "--dry-run");
    assertThat(parametersOf(server, again)).hasSize(1);
  }

  private static List<String> parametersOf(ServerProcess server, String id) throws Exception {
    return server.trials(id).stream().map(trial -> trial.path("parameters").toString()).toList();
  }

  private String run(ServerProcess server, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("ORRERY_HOME", server.home().toString()),
            directory,
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
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8).strip();
  }
}
