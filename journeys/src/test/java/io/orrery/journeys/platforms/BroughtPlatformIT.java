package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.PlatformJar;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A jar in the home: the training service of the how-to page, as its reader would build it. */
@Timeout(180)
class BroughtPlatformIT {
  @TempDir private Path directory;

  @Test
  void theServiceOfThePageIsListedCheckedAndRunsTrials() throws Exception {
    Path home = directory.resolve("home");
    PlatformJar.nice(home, directory);
    PlatformJar.write(home, "broken.jar", "example.Gone", directory.resolve("none"));
    Files.writeString(home.resolve("platforms/no.jar"), "not a jar at all");

    String level = "level: 5";
    String output = run(experiment(level), "experiment", "run", "--keep");
    assertThat(output).contains("best: ");

    Result list = command("platform", "list");
    assertThat(list.out()).containsPattern("nice +nice.jar +Processes of this machine");
    assertThat(list.err())
        .contains("broken.jar cannot be used: ", "example.Gone")
        .contains("no.jar brings no platform");
    assertThat(command("platform", "check", experiment(level).toString()).out())
        .contains("is for nice");
    Result wrong = command("platform", "check", experiment("level: 20").toString());
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("/trainingService/level: must be 0 to 19");
    Result misspelt = command("platform", "check", experiment("levle: 5").toString());
    assertThat(misspelt.err()).contains("'levle'", "did you mean 'level'?");
    assertThat(command("down").code()).isZero();
  }

  private Path experiment(String line) throws IOException {
    Path code = Files.createDirectories(directory.resolve("code"));
    return Files.writeString(
        code.resolve("experiment.yml"),
        """
        trialCommand: 'echo "orrery: final $ORRERY_PARAM_X"; nice >"$NNI_OUTPUT_DIR/level"'
        trialConcurrency: 2
        maxTrialNumber: 3
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random, classArgs: {optimize_mode: maximize}}
        trainingService:
          platform: nice
          %s
        """
            .formatted(line));
  }

  private String run(Path file, String... verb) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(verb));
    arguments.add(file.toString());
    Result result = command(arguments.toArray(String[]::new));
    assertThat(result.code()).as(result.out() + result.err()).isZero();
    return result.out();
  }

  private record Result(int code, String out, String err) {}

  private Result command(String... arguments) throws Exception {
    ProcessBuilder command = new ProcessBuilder(ServerProcess.command(arguments));
    command.environment().put("ORRERY_HOME", directory.resolve("home").toString());
    command.environment().put("HOME", directory.toString());
    Path errors = directory.resolve("stderr");
    Process process = command.redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), out, Files.readString(errors));
  }
}
