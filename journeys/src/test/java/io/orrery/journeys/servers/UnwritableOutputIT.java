package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a command whose result cannot be written says so and fails (F6). */
@Timeout(60)
class UnwritableOutputIT {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"version", "--help", "status --json"})
  void aFullStandardOutputIsSaid(String words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(words.split(" ")));
    builder.environment().put("ORRERY_HOME", temp.toString());
    builder.redirectOutput(Path.of("/dev/full").toFile());
    Process process = builder.start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said).contains("standard output: No space left on device");
    assertThat(process.exitValue()).isEqualTo(1);
  }
}
