package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tuners and assessors that a user wrote for NNI, in the whole product. */
class CustomAlgorithmsIT {
  /** Written for NNI: goes from the best so far by a step that shrinks, to where it is better. */
  private static final String WALK =
      """
      import random

      from nni.tuner import Tuner
      from nni.utils import OptimizeMode, extract_scalar_reward


      class WalkTuner(Tuner):
          def __init__(self, optimize_mode='maximize', seed=1):
              self.sign = -1 if OptimizeMode(optimize_mode) is OptimizeMode.Minimize else 1
              self.random = random.Random(seed)
              self.best = None

          def update_search_space(self, search_space):
              self.space = search_space

          def generate_parameters(self, parameter_id, **kwargs):
              parameters = {}
              for name, spec in self.space.items():
                  low, high = spec['_value']
                  around = self.best[1][name] if self.best else (low + high) / 2
                  step = (high - low) / (1 + parameter_id)
                  parameters[name] = min(max(around + self.random.uniform(-step, step), low), high)
              print('suggested', parameter_id)
              return parameters

          def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
              self.consider(parameters, extract_scalar_reward(value))

          def import_data(self, data):
              print('imported', len(data))
              for entry in data:
                  self.consider(entry['parameter'], extract_scalar_reward(entry['value']))

          def consider(self, parameters, reward):
              if self.best is None or self.sign * reward > self.best[0]:
                  self.best = self.sign * reward, parameters
      """;

  private static final String PARABOLA =
      """
      sleep ${PAUSE:-0}
      awk -v x=$ORRERY_PARAM_X 'BEGIN { print "orrery: final {\\"default\\": " (x - 2) ^ 2 ", \\"x\\": " x "}" }'
      """;

  private static final String EXPERIMENT =
      """
      trialCommand: bash trial.sh
      trialConcurrency: 2
      maxTrialNumber: %d
      searchSpace: {x: {_type: uniform, _value: [-10, 10]}}
      tuner:
        className: walk.WalkTuner
        codeDirectory: algorithms
        classArgs: {optimize_mode: minimize, seed: 7}
      trainingService: {platform: local}
      """;

  @Test
  @Timeout(180)
  void aTunerWrittenForNniSearchesFromTheCommandLine(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path file = project(temp, "walk.py", WALK, EXPERIMENT.formatted(20));
    ProcessBuilder builder =
        new ProcessBuilder(
                ServerProcess.command(
                    "experiment",
                    "run",
                    file.toString(),
                    "--server",
                    "http://127.0.0.1:" + FreePort.take()))
            .redirectError(temp.resolve("stderr").toFile());
    builder.environment().put("ORRERY_HOME", Files.createDirectories(home).toString());
    Process run = builder.start();
    List<String> out = run.inputReader().lines().toList();
    assertThat(run.waitFor()).as(Files.readString(temp.resolve("stderr"))).isZero();
    assertThat(out.getLast()).matches("best: \\w+ [-0-9.eE]+ \\{.*}");
    assertThat(Double.parseDouble(out.getLast().split(" ")[2])).isLessThan(1);
    assertThat(Files.readString(log(home, "tuner.stdout"))).contains("suggested 0", "suggested 19");
    assertThat(algorithms(home)).isEmpty();
  }

  @Test
  @Timeout(180)
  void afterKillMinusNineItsProcessIsGoneAndTheNextOneKnowsTheResults(@TempDir Path temp)
      throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path file = project(temp, "walk.py", WALK, EXPERIMENT.formatted(14));
    String config = Files.readString(file).replace("bash trial.sh", "PAUSE=0.3 bash trial.sh");
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = create(server, file, config);
      String created = id;
      within60Seconds(() -> server.trials(created), trials -> count(trials, "SUCCEEDED") >= 5);
      assertThat(algorithms(home)).hasSize(2); // the guard and the algorithm
      server.kill();
    }
    within60Seconds(() -> algorithms(home), List::isEmpty);
    try (ServerProcess server = ServerProcess.start(home)) {
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(90), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      List<JsonNode> trials = server.trials(id);
      assertThat(trials).hasSize(14);
      assertThat(trials.stream().map(trial -> parameterId(home, id, trial)))
          .doesNotHaveDuplicates();
      assertThat(Files.readString(log(home, "tuner.stdout"))).containsPattern("imported [5-9]\\n");
    }
    assertThat(algorithms(home)).isEmpty();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void anAssessorAndAnAdvisorEndWhatTheyThinkBad(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String trial =
        "echo 'orrery: intermediate '$ORRERY_PARAM_X\n"
            + "[ $ORRERY_PARAM_X = 0 ] && sleep 300\n"
            + "echo 'orrery: final '$ORRERY_PARAM_X\n";
    String assessor =
        """
        from nni.assessor import Assessor, AssessResult


        class Strict(Assessor):
            def assess_trial(self, trial_job_id, trial_history):
                return AssessResult.Good if trial_history[-1] > 0 else AssessResult.Bad
        """;
    String advisor =
        """
        import json

        from nni.runtime.msg_dispatcher_base import MsgDispatcherBase
        from nni.runtime.protocol import CommandType, send


        class Ladder(MsgDispatcherBase):
            def handle_initialize(self, data):
                self.values = list(data['x']['_value'])

            def handle_request_trial_jobs(self, data):
                for _ in range(min(data, len(self.values))):
                    value = self.values.pop(0)
                    send(CommandType.NewTrialJob, json.dumps(
                        {'parameter_id': 'x_%d' % value, 'parameter_source': 'algorithm', 'parameters': {'x': value}}))

            def handle_report_metric_data(self, data):
                if data['type'] == 'PERIODICAL' and json.loads(data['value']) == 0:
                    send(CommandType.KillTrialJob, json.dumps(data['trial_job_id']))

            def handle_trial_end(self, data):
                print('end of', json.loads(data['hyper_params'])['parameter_id'], data['event'])
        """;
    String rest =
        """
        trialCommand: bash trial.sh
        trialConcurrency: 1
        searchSpace: {x: {_type: choice, _value: [1, 0, 2]}}
        trainingService: {platform: local}
        """;
    Path file = project(temp, "strict.py", assessor, rest);
    Files.writeString(temp.resolve("project/algorithms/ladder.py"), advisor);
    Files.writeString(temp.resolve("project/trial.sh"), trial);
    try (ServerProcess server = ServerProcess.start(home)) {
      String judged =
          create(
              server,
              file,
              rest
                  + "tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}\n"
                  + "assessor: {className: strict.Strict, codeDirectory: algorithms}\n");
      String advised =
          create(
              server,
              file,
              rest + "advisor: {className: ladder.Ladder, codeDirectory: algorithms}\n");
      for (String id : List.of(judged, advised)) {
        JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(90), "DONE", "FAILED", "ERROR");
        assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
        assertThat(server.trials(id))
            .extracting(t -> t.at("/parameters/x") + " " + t.get("status").textValue())
            .containsExactly("1 SUCCEEDED", "0 EARLY_STOPPED", "2 SUCCEEDED");
      }
      assertThat(server.trials(judged).get(1).get("reason").textValue())
          .isEqualTo("strict.Strict: bad after 1 intermediate results");
      Path log = home.resolve("experiments/" + advised + "/log/tuner.stdout");
      List<String> ends =
          within60Seconds(() -> Files.readAllLines(log), lines -> lines.size() == 3);
      assertThat(ends)
          .containsExactly(
              "end of x_1 SUCCEEDED", "end of x_0 EARLY_STOPPED", "end of x_2 SUCCEEDED");
    }
    assertThat(algorithms(home)).isEmpty();
  }

  @Test
  @Timeout(180)
  void oneThatAlwaysFailsEndsTheExperimentWithWhatPythonSaid(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String faulty = WALK.replace("parameters = {}\n", "parameters = {}; parameter_id / 0\n");
    Path file = project(temp, "walk.py", faulty, EXPERIMENT.formatted(4));
    try (ServerProcess server = ServerProcess.start(home)) {
      String id = create(server, file, Files.readString(file));
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).isEqualTo("ERROR");
      assertThat(ended.get("error").textValue())
          .startsWith("the tuner failed: the tuner walk.WalkTuner failed 5 times in a row")
          .contains("ZeroDivisionError: division by zero, at File \"walk.py\", line 17");
      Path log = home.resolve("experiments/" + id + "/log/tuner.stderr");
      assertThat(Files.readString(log)).contains("Traceback (most recent call last)");
    }
    assertThat(algorithms(home)).isEmpty();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void oneThatHangsOrDiesIsNoticedAndGivenUp(@TempDir Path temp) throws Exception {
    Path home = Files.createDirectories(temp.resolve("home").toAbsolutePath());
    Files.writeString(home.resolve("orrery.yml"), "tuner: {patience: 8}\n");
    String sleeps = WALK.replace("parameters = {}\n", "import time; time.sleep(1000)\n");
    String dies = WALK.replace("parameters = {}\n", "import os; os.abort()\n");
    Path file = project(temp, "walk.py", sleeps, EXPERIMENT.formatted(4));
    Files.writeString(temp.resolve("project/algorithms/dies.py"), dies);
    try (ServerProcess server = ServerProcess.start(home)) {
      String config = Files.readString(file);
      String hanging = create(server, file, config);
      String dying = create(server, file, config.replace("walk.Walk", "dies.Walk"));
      JsonNode waiting = awaitError(server, hanging);
      assertThat(waiting.get("status").textValue()).isEqualTo("RUNNING");
      assertThat(waiting.get("error").textValue())
          .matches("the tuner walk\\.WalkTuner has not answered for [5-7] s");

      JsonNode dead = server.awaitStatus(dying, Duration.ofSeconds(60), "ERROR");
      assertThat(dead.get("error").textValue())
          .contains("dies.WalkTuner failed 5 times in a row", "its process ended with code 134");
      server.post("/experiments/" + hanging + "/stop", "");
      server.awaitStatus(hanging, Duration.ofSeconds(30), "STOPPED");
    }
    assertThat(algorithms(home)).isEmpty();
  }

  private static JsonNode awaitError(ServerProcess server, String id) throws Exception {
    return within60Seconds(
        () -> server.get("/experiments/" + id), now -> now.get("error").isTextual());
  }

  private static <T> T within60Seconds(Callable<T> question, Predicate<T> condition)
      throws Exception {
    for (long end = System.nanoTime() + 60_000_000_000L; ; Thread.sleep(20)) {
      T answer = question.call();
      if (condition.test(answer)) {
        return answer;
      }
      assertThat(System.nanoTime()).as("%s", answer).isLessThan(end);
    }
  }

  private static Path project(Path temp, String module, String code, String experiment)
      throws IOException {
    Path project = Files.createDirectories(temp.resolve("project").toAbsolutePath());
    Files.createDirectories(project.resolve("algorithms"));
    Files.writeString(project.resolve("algorithms").resolve(module), code);
    Files.writeString(project.resolve("trial.sh"), PARABOLA);
    return Files.writeString(project.resolve("experiment.yml"), experiment);
  }

  private static String create(ServerProcess server, Path file, String config) throws Exception {
    return server.post("/experiments?base=" + file.getParent(), config).get("id").textValue();
  }

  private static long count(List<JsonNode> trials, String status) {
    return trials.stream().filter(t -> t.get("status").textValue().equals(status)).count();
  }

  private static JsonNode parameterId(Path home, String experiment, JsonNode trial) {
    Path directory = home.resolve("experiments/" + experiment + "/trials");
    Path file = directory.resolve(trial.get("id").textValue()).resolve("parameter.cfg");
    try {
      return Json.parse(Files.readString(file)).get("parameter_id");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The log of the only experiment. */
  private static Path log(Path home, String name) throws IOException {
    try (Stream<Path> experiments = Files.list(home.resolve("experiments"))) {
      return experiments
          .map(experiment -> experiment.resolve("log").resolve(name))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow();
    }
  }

  /** The living processes that run algorithms of this home's experiments. */
  private static List<String> algorithms(Path home) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains("orrery_algorithms " + home))
        .toList();
  }
}
