package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The distribution as it was packaged. */
@DisabledIfSystemProperty(
    named = "aot.skip",
    matches = "true",
    disabledReason = "it was built without its start-up cache")
class DistributionIT {
  private static final Path DISTRIBUTION =
      Path.of(System.getProperty("orrery.distribution")).toAbsolutePath();

  @Test
  void startsFromTheCacheThatItsBuildTrained() throws Exception {
    assertThat(DISTRIBUTION.resolve("lib/orrery.aot")).exists();

    assertThat(run("-Xlog:class+load"))
        .containsPattern("io\\.orrery\\.gateway\\.launch\\.Main source: shared objects file");
  }

  @Test
  void startsWithoutItOnAJvmThatItDoesNotFit() throws Exception {
    assertThat(run("-XX:-UseCompressedOops")).startsWith("orrery ");
  }

  private static String run(String options) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(DISTRIBUTION.resolve("bin/orrery").toString(), "version");
    builder.environment().put("ORRERY_JAVA_OPTS", options);
    builder.redirectErrorStream(true);
    Path output = Files.createTempFile("orrery-version", ".txt");
    try {
      int code = builder.redirectOutput(output.toFile()).start().waitFor();
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(code).as(text).isZero();
      return text;
    } finally {
      Files.delete(output);
    }
  }
}
