package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code examples/python} as they stand, with a real server. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class PythonExamplesIT {
  private static final Path EXAMPLES =
      Path.of("..", "examples", "python").toAbsolutePath().normalize();

  /** The last line of each. */
  private static final Map<String, String> LAST =
      Map.of(
          "bowl", "best: 0\\.0\\d\\d at \\{'x': [12]\\..*",
          "spaces", "best: (1\\.0|0\\.9)\\d* with .*'optimizer': \\{'_name'.*",
          "stop_early", "best: 0\\.00\\d+, \\d+ of 24 trials were stopped early",
          "several_numbers", "best: 0\\.0\\d+, its result \\{'default': .*'width': \\d+\\}",
          "digits_knn", "best: [89]\\d\\.\\d % right with .*",
          "command", "best: [0-3]\\.\\d+ after 10 trials",
          "look_again", "best: 30",
          "track", "run [0-9a-f]{32} is tracked",
          "flow", "picked: slope 3\\.0\\d, offset [01]\\.\\d+, rate 0\\.0\\d+",
          "budget", "best: -0\\.\\d+ of \\d+ trials");

  @Test
  @Timeout(300)
  void eachProgramFindsWhatItsPageSays(@TempDir Path temp) throws Exception {
    try (Stream<Path> all = Files.list(EXAMPLES)) {
      assertThat(
              all.map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".py"))
                  .map(name -> name.substring(0, name.length() - 3)))
          .containsExactlyInAnyOrderElementsOf(LAST.keySet());
    }
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      for (String name : new TreeSet<>(LAST.keySet())) {
        assertThat(EXAMPLES.resolve(name + ".md")).content().contains(name + ".py");
        String said = run(server, name);
        assertThat(said.lines().toList().getLast())
            .as("%s: %s", name, said)
            .matches(Pattern.compile(LAST.get(name)));
      }
    }
    assertThat(Leftovers.of(temp)).isEmpty();
  }

  private static String run(ServerProcess server, String name) throws Exception {
    Path errors = server.home().resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder("python3", EXAMPLES.resolve(name + ".py").toString())
            .redirectError(errors.toFile());
    builder.environment().put("ORRERY_HOME", server.home().toString());
    builder.environment().put("PYTHONPATH", server.home().resolve("sdk/current/compat").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", name, Files.readString(errors)).isZero();
    assertThat(errors).content().as(name).doesNotContain("Traceback");
    return said;
  }
}
