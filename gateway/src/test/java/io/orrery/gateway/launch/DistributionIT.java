package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The distribution as it was packaged. */
@DisabledIfSystemProperty(
    named = "aot.skip",
    matches = "true",
    disabledReason = "it was built without its start-up cache")
class DistributionIT {
  private static final Path DISTRIBUTION =
      Path.of(System.getProperty("orrery.distribution")).toAbsolutePath();

  private static final String FROM_THE_CACHE =
      "io\\.orrery\\.gateway\\.launch\\.Main source: shared objects file";

  /**
   * The router has flags of its own; one that changes how objects look would rule the cache out.
   */
  @ParameterizedTest
  @ValueSource(strings = {"version", "route --help"})
  void startsFromTheCacheThatItsBuildTrained(String command) throws Exception {
    assertThat(DISTRIBUTION.resolve("lib/orrery.aot")).exists();
    assertThat(DISTRIBUTION.resolve("lib/command.aot")).exists();

    assertThat(run("-Xlog:class+load", command.split(" "))).containsPattern(FROM_THE_CACHE);
  }

  @Test
  void startsWithoutItOnAJvmThatItDoesNotFit() throws Exception {
    assertThat(run("-XX:-UseCompressedOops", "version")).startsWith("orrery ");
  }

  /** Java itself would take classes of the replaced jar from the cache, and others from the jar. */
  @Test
  void startsWithoutItWhenAJarWasReplaced(@TempDir Path temp) throws Exception {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    Path lib = Files.createDirectories(temp.resolve("lib"));
    for (Path program : files("bin")) {
      Files.copy(program, bin.resolve(program.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
    for (Path file : files("lib")) {
      Files.createSymbolicLink(lib.resolve(file.getFileName()), file);
    }
    Path jar =
        files("lib").stream()
            .filter(file -> file.getFileName().toString().startsWith("serving-router"))
            .findFirst()
            .orElseThrow();
    assertThat(run(temp, "-Xlog:class+load", "version")).containsPattern(FROM_THE_CACHE);

    Path replaced = lib.resolve(jar.getFileName());
    Files.delete(replaced);
    Files.copy(jar, replaced);

    assertThat(run(temp, "-Xlog:class+load", "version")).doesNotContainPattern(FROM_THE_CACHE);
  }

  private static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.list(DISTRIBUTION.resolve(folder))) {
      return files.toList();
    }
  }

  /**
   * What the cache says of compiling is of a server that runs trials; a router alone learns its
   * own.
   */
  @ParameterizedTest
  @CsvSource({"up --help, true", "route --help, false"})
  @EnabledOnJre(versions = 25)
  void aServerCompilesAsItsBuildDidAndARouterAfresh(String command, boolean asItsBuildDid)
      throws Exception {
    assertThat(run("-XX:+UnlockDiagnosticVMOptions -XX:+PrintFlagsFinal", command.split(" ")))
        .containsPattern("AOTReplayTraining +=  *" + asItsBuildDid);
  }

  /** E1: what clients can make a router hold follows from its heap. */
  @ParameterizedTest
  @CsvSource({"route, 512", "up, 768"})
  void theHeapOfARouterIsThatOfItsPage(String verb, long megabytes) throws Exception {
    assertThat(run("-XX:+PrintFlagsFinal", verb, "--help"))
        .containsPattern("MaxHeapSize += " + (megabytes << 20) + " ");
    assertThat(Files.readString(Path.of("..", "docs", "router.md")).replaceAll("\\s+", " "))
        .containsPattern("heap (of `orrery " + verb + "` )?is at most " + megabytes + " MB");
  }

  private static String run(String options, String... command)
      throws IOException, InterruptedException {
    return run(DISTRIBUTION, options, command);
  }

  private static String run(Path distribution, String options, String... command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(distribution.resolve("bin/orrery").toString());
    line.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(line);
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
