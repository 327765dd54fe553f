package io.orrery.journeys.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.StandInTensorBoard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server with trials whose course a test decides: some wait at a gate until it is opened. */
final class Shop implements AutoCloseable {
  private static final String TRIAL =
      """
      echo "trial with x=$ORRERY_PARAM_X"
      for i in 1 2 3; do echo "orrery: intermediate $i"; done
      case $ORRERY_PARAM_KIND in
        waits) while [ ! -e gate ]; do sleep 0.05; done; echo "the gate is open" ;;
        fails) echo "no luck" >&2; exit 3 ;;
      esac
      echo "orrery: final $ORRERY_PARAM_X"
      """;

  /** Writes the database of an experiment of NNI: its file, its id, and how many trials. */
  private static final String NNI_EXPERIMENT =
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
      trials = int(sys.argv[3])
      config = {"authorName": "a user", "experimentName": sys.argv[2], "trialConcurrency": 1,
        "maxExecDuration": 3600, "maxTrialNum": trials, "trainingServicePlatform": "local",
        "searchSpace": json.dumps({"x": {"_type": "uniform", "_value": [0, 1]}}),
        "tuner": {"builtinTunerName": "Random", "classArgs": {"optimize_mode": "maximize"}},
        "clusterMetaData": [{"key": "codeDir", "value": "."}, {"key": "command", "value": "bash trial.sh"}]}
      db.execute('insert into ExperimentProfile values (?,?,?,?,?,?,?,?)', (json.dumps(config), sys.argv[2], 60,
        1600000000000, 1600000900000, '/gone', trials, 4))
      for number in range(trials):
          trial, x = 't%04x' % number, (number * 0.618034) % 1
          data = json.dumps({"parameter_id": number, "parameter_source": "algorithm", "parameters": {"x": x},
            "parameter_index": 0})
          for at, (event, said) in enumerate([('WAITING', data), ('RUNNING', None), ('SUCCEEDED', None)]):
              db.execute('insert into TrialJobEvent values (?,?,?,?,?,?,?)',
                (1600000000000 + 60 * number + 20 * at, trial, event, said, '', number, ''))
          reports = [('PERIODICAL', 0, 1 + x), ('PERIODICAL', 1, 2), ('PERIODICAL', 2, 3 - x), ('FINAL', 0, x)]
          for at, (kind, sequence, value) in enumerate(reports):
              db.execute('insert into MetricData values (?,?,?,?,?,?)', (1600000000000 + 60 * number + 21 + at, trial,
                str(number), kind, sequence, json.dumps(str(value))))
      db.commit()
      """;

  private final Path code;
  private final ServerProcess server;

  private Shop(Path code, ServerProcess server) {
    this.code = code;
    this.server = server;
  }

  static Shop open(Path temp) throws IOException, InterruptedException {
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    return new Shop(
        code,
        ServerProcess.begin(
                temp.resolve("home").toAbsolutePath(),
                List.of("--port", "0", "--router-port", "off"),
                StandInTensorBoard.in(temp.resolve("programs").toAbsolutePath()))
            .ready());
  }

  ServerProcess server() {
    return server;
  }

  Path code() {
    return code;
  }

  void openGate() throws IOException {
    Files.writeString(code.resolve("gate"), "");
  }

  /** A configuration that tries every combination of these values of {@code x} and {@code kind}. */
  String config(String name, String x, String kind) {
    return """
    experimentName: %s
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 2
    searchSpace:
      x: {_type: choice, _value: [%s]}
      kind: {_type: choice, _value: [%s]}
    tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: local}
    """
        .formatted(name, code, x, kind);
  }

  String create(String name, String x, String kind) throws IOException, InterruptedException {
    return server.post("/experiments", config(name, x, kind)).get("id").textValue();
  }

  /** An experiment that has come to its end. */
  String finished(String name, String x, String kind) throws IOException, InterruptedException {
    String id = create(name, x, kind);
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED");
    return id;
  }

  /** An experiment without trials of its own that knows of many, with results of two entries. */
  String large(String name, int trials) throws IOException, InterruptedException {
    String id = finished(name, "1", "quick");
    StringBuilder results = new StringBuilder("[");
    for (int i = 1; i <= trials; i++) {
      results
          .append(i == 1 ? "" : ",")
          .append("{\"parameter\":{\"x\":1,\"kind\":\"")
          .append(i % 2 == 0 ? "even" : "odd")
          .append("\"},\"value\":{\"default\":")
          .append(i)
          .append(",\"loss\":")
          .append(trials - i + 0.5)
          .append("}}");
    }
    server.post("/experiments/" + id + "/import", results.append(']').toString());
    return id;
  }

  /**
   * An experiment of two objectives, accuracy to be maximized and loss to be minimized, that knows
   * of many results: they fill a square, and no trial but the first runs.
   *
   * @param trials how many, at most 10,000
   */
  String objectives(String name, int trials) throws IOException, InterruptedException {
    Files.writeString(
        code.resolve("two.sh"), "echo 'orrery: final {\"accuracy\": 0.5, \"loss\": 0.5}'\n");
    String config =
        """
        experimentName: %s
        trialCommand: bash two.sh
        trialCodeDirectory: %s
        trialConcurrency: 1
        maxTrialNumber: 1
        searchSpace:
          rate: {_type: loguniform, _value: [0.0001, 1]}
          width: {_type: uniform, _value: [0, 1]}
          kind: {_type: choice, _value: [relu, tanh]}
        objectives: [{metric: accuracy, goal: maximize}, {metric: loss, goal: minimize}]
        tuner: {name: Random}
        trainingService: {platform: local}
        """;
    String id = server.post("/experiments", config.formatted(name, code)).get("id").textValue();
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED");
    StringBuilder results = new StringBuilder("[");
    for (int i = 1; i < trials; i++) {
      double width = i * 0.618034 % 1;
      double height = i * 0.754878 % 1;
      results
          .append(i == 1 ? "" : ",")
          .append("{\"parameter\":{\"rate\":")
          .append(Math.pow(10, -4 * height))
          .append(",\"width\":")
          .append(width)
          .append(",\"kind\":\"")
          .append(i % 3 == 0 ? "tanh" : "relu")
          .append("\"},\"value\":{\"accuracy\":")
          .append(width)
          .append(",\"loss\":")
          .append(width * width + height)
          .append("}}");
    }
    server.post("/experiments/" + id + "/import", results.append(']').toString());
    return id;
  }

  /**
   * An experiment of a release 1 of NNI that is taken over: each of its trials has reported the
   * middle 2 of 1, 2 and 3, and a result of its own.
   */
  String takenOver(String name, int trials) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(code.resolveSibling(name + "/db")).getParent();
    run(
        List.of(
            "python3",
            "-c",
            NNI_EXPERIMENT,
            folder.resolve("db/nni.sqlite").toString(),
            name,
            Integer.toString(trials)));
    run(
        ServerProcess.command(
            "experiment", "import-nni", folder.toString(), "--code-dir", code.toString()));
    return name;
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ORRERY_HOME", server.home().toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(said);
    }
  }

  /** The id of the trial with this value of x. */
  String trial(String experiment, String x) throws IOException, InterruptedException {
    for (JsonNode trial : server.trials(experiment)) {
      if (trial.at("/parameters/x").asText().equals(x)) {
        return trial.get("id").textValue();
      }
    }
    throw new IllegalArgumentException("no trial with x=" + x);
  }

  @Override
  public void close() {
    server.close();
  }
}
