package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the commands of NNI that read code, annotated or an algorithm, and older files. */
@Timeout(120)
class NnictlCodeIT extends NnictlJourney {
  @Test
  void annotatedCodeBecomesASearchSpaceAndPlainCodeThatRuns() throws Exception {
    Files.createDirectories(directory.resolve("annotated"));
    write(
        "annotated/train.py",
        """
        def train():
            '''@nni.variable(nni.choice(0.25, 0.5), name=rate)'''
            rate = 7
            '''@nni.report_final_result(rate)'''

        if __name__ == '__main__':
            '''@nni.get_next_parameter()'''
            train()
        """);
    write("annotated.yml", CONFIG.formatted("python3 train.py", 2) + "useAnnotation: true\n");
    well("up", "--detach", "--port", "0", "--router-port", "off");
    assertThat(run("create", "-c", "annotated.yml").err()).contains("nnictl ss_gen");

    String[] command = {"ss_gen", "-t", "python3 train.py", "-d", "annotated", "-f", "space.json"};
    well(command);
    assertThat(Json.parse(Files.readString(directory.resolve("space.json"))).toString())
        .isEqualTo("{\"rate\":{\"_type\":\"choice\",\"_value\":[0.25,0.5]}}");
    well("ss_gen", "-t", "python3 train.py", "-d", "annotated", "--plain_dir", "plain");
    Result again = run("ss_gen", "-t", "python3 train.py", "-d", "annotated", "-p", "plain");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("exists already");

    write(
        "plain/experiment.yml",
        CONFIG
            .formatted("python3 train.py", 2)
            .replaceAll("searchSpace: .*", "searchSpaceFile: ../space.json"));
    String id = id(well("create", "-c", "plain/experiment.yml", "-p", "0").out());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> well("experiment", "status", id).json().path("status").asText().equals("DONE"));
    well("trial", "ls", id).json().forEach(trial -> assertThat(metric(trial)).isIn(0.25, 0.5));
  }

  @Test
  void aRegisteredAlgorithmHasAName() throws IOException {
    Files.createDirectories(directory.resolve("algorithms"));
    Files.writeString(
        directory.resolve("algorithms/steps.py"),
        """
        from nni.tuner import Tuner

        class Steps(Tuner):
            def __init__(self, step=1):
                self.step = step

            def update_search_space(self, search_space):
                pass

            def generate_parameters(self, parameter_id, **kwargs):
                return {'x': parameter_id * self.step}
        """);
    Files.writeString(
        directory.resolve("meta.yml"),
        """
        algoType: tuner
        builtinName: Steps
        className: steps.Steps
        codeDirectory: algorithms
        classArgs: {step: 3}
        """);
    Files.writeString(
        directory.resolve("config.yml"),
        """
        trialCommand: 'echo orrery: final $ORRERY_PARAM_X'
        trialConcurrency: 1
        maxTrialNumber: 3
        searchSpace: {x: {_type: randint, _value: [0, 100]}}
        tuner: {name: steps}
        trainingService: {platform: local}
        """);
    well("up", "--detach", "--port", "0", "--router-port", "off");
    assertThat(run("create", "-c", "config.yml").err()).contains("there is no tuner 'steps'");
    assertThat(run("algo", "register", "-m", "config.yml").err())
        .contains("builtinName is missing");
    assertThat(well("algo", "register", "--meta_path", "meta.yml").out())
        .isEqualTo("INFO:  Steps registered successfully!\n");
    assertThat(well("algo", "list").out()).containsPattern("Steps +tuners +steps\\.Steps");
    assertThat(well("algo", "show", "steps").json().path("className").asText())
        .isEqualTo("steps.Steps");
    assertThat(well("package", "list").out()).contains("Steps");
    String id = id(well("create", "-c", "config.yml", "-p", "0").out());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> well("experiment", "status", id).json().path("status").asText().equals("DONE"));
    assertThat(well("trial", "ls", id, "--head", "1").out()).contains("\\\"x\\\":6");
    assertThat(well("algo", "unregister", "STEPS").out())
        .isEqualTo("INFO:  STEPS unregistered successfully!\n");
    assertThat(run("algo", "unregister", "Steps").code()).isEqualTo(1);
  }

  @Test
  void aDryRunMakesTheSearchSpaceThatAScriptAsksFor() throws IOException {
    Files.writeString(
        directory.resolve("asks.py"),
        """
        import nni
        print('learning', nni.choice(0.1, 0.01, name='lr'), nni.uniform(0, 1, name='momentum'))
        """);
    well("up", "--detach", "--port", "0", "--router-port", "off");
    Result made = well("ss_gen", "--trial_command", "python3 asks.py", "-f", "space.json");
    assertThat(made.err()).contains("learning 0.1 0.5");
    assertThat(made.out()).contains("INFO:  Generate search space done: '");
    assertThat(Json.parse(Files.readString(directory.resolve("space.json"))).toString())
        .isEqualTo(
            "{\"lr\":{\"_type\":\"choice\",\"_value\":[0.1,0.01]},"
                + "\"momentum\":{\"_type\":\"uniform\",\"_value\":[0,1]}}");
  }

  @Test
  void anOlderFileIsConvertedAndTheResultRuns() throws IOException {
    Files.writeString(
        directory.resolve("v1.yml"),
        """
        authorName: author
        experimentName: older
        trialConcurrency: 1
        maxExecDuration: 1h
        maxTrialNum: 2
        trainingServicePlatform: local
        searchSpacePath: space.json
        useAnnotation: false
        tuner: {builtinTunerName: Random, classArgs: {optimize_mode: maximize}}
        trial: {command: 'echo orrery: final 1', codeDir: ., gpuNum: 0}
        """);
    Files.writeString(
        directory.resolve("space.json"), "{\"x\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
    well("up", "--detach", "--port", "0", "--router-port", "off");
    Result converted = runAs("orrery", "experiment", "convert", "v1.yml");
    assertThat(converted.code()).as(converted.err()).isZero();
    assertThat(converted.out())
        .contains(
            "# authorName is left out: it has no effect.",
            "# trial.command is trialCommand now.",
            "maxTrialNumber: 2",
            "  platform: \"local\"");
    Files.writeString(directory.resolve("v3.yml"), converted.out());
    assertThat(runAs("orrery", "experiment", "convert", "v3.yml").out())
        .startsWith("# This is the form of version 2 and 3 already.");
    Result id = runAs("orrery", "experiment", "create", "v3.yml");
    assertThat(id.code()).as(id.err()).isZero();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            well("experiment", "status", id.out().strip())
                .json()
                .path("status")
                .asText()
                .equals("DONE"));

    Files.writeString(
        directory.resolve("slip.yml"),
        Files.readString(directory.resolve("v1.yml")).replace("maxTrialNum:", "maxTrialNumm:"));
    Result refused = runAs("orrery", "experiment", "convert", "slip.yml");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("maxTrialNumm").contains("maxTrialNum");
    assertThat(run("experiment", "convert", "slip.yml").code()).isEqualTo(1);
  }
}
