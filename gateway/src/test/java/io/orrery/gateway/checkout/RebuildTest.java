package io.orrery.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tells when {@code ./orrery} builds. The script is the real one, in a checkout of a few files
 * whose path has a space; a stand-in for Maven makes a program that prints how often it was built.
 */
class RebuildTest {
  private static final Path ROOT = Path.of("..");
  private static final String MAVEN =
      """
      #!/bin/sh
      for argument; do
        case $argument in -Ddist.directory=*) dist=${argument#*=} ;; esac
      done
      echo "$*" >>../built
      if [ -e ../broken ]; then
        echo "[INFO] Building Orrery core 0.1.0                      [2/10]"
        echo "[ERROR] no such symbol"
        exit 1
      fi
      if [ -e ../slow ]; then
        echo "[INFO] Building Orrery core 0.1.0                      [2/10]"
        echo "[INFO] Downloading from central: https://repository.example/netty/netty.jar"
        until [ -e ../go ]; do sleep 0.1; done
      fi
      mkdir -p "$dist/bin"
      printf '#!/bin/sh\\necho built %d times\\n' "$(grep -c . ../built)" >"$dist/bin/orrery"
      chmod +x "$dist/bin/orrery"
      """;

  @TempDir Path temp;
  private Path checkout;
  private Path source;

  private record Outcome(int code, String printed, String said) {}

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = Files.createDirectory(temp.resolve("a checkout"));
    copy("orrery");
    copy("gateway/src/main/dist/bin/jdk.sh");
    source = write("core/src/main/java/Source.java", "class Source {}\n");
    write("core/pom.xml", "<project/>\n");
    write("pom.xml", "<project/>\n");
    write("trial-sdk/python/orrery_trial/client.py", "x = 1\n");
    Files.createDirectory(temp.resolve("bin"));
    program("mvn", MAVEN);
    age();
  }

  /** Puts a program before those of the system. */
  private void program(String name, String text) throws IOException {
    Path program = Files.writeString(temp.resolve("bin").resolve(name), text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void copy(String name) throws IOException {
    Path target = checkout.resolve(name);
    Files.createDirectories(target.getParent());
    Files.copy(ROOT.resolve(name), target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
  }

  private Path write(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Makes every file and folder of the checkout older than a build that begins now. */
  private void age() throws IOException {
    FileTime past = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    try (Stream<Path> files = Files.walk(checkout)) {
      for (Path file :
          files.filter(each -> !each.startsWith(checkout.resolve("gateway/target"))).toList()) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  private ProcessBuilder builder(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .merge("PATH", temp.resolve("bin").toString(), (path, own) -> own + ":" + path);
    return builder;
  }

  private Outcome orrery() throws IOException, InterruptedException {
    ProcessBuilder builder = builder(checkout.resolve("orrery").toString(), "version");
    Path said = temp.resolve("said");
    builder.redirectError(said.toFile());
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes());
    return new Outcome(process.waitFor(), printed, Files.readString(said));
  }

  @Test
  void theFirstUseBuildsTheProgramAloneAndTheSecondBuildsNothing() throws Exception {
    Outcome first = orrery();
    assertThat(first.code()).as(first.said()).isZero();
    assertThat(first.printed()).isEqualTo("built 1 times\n");
    assertThat(first.said()).contains("building for the first use");
    // A1: nothing of a test is needed, so nothing of an earlier build is.
    assertThat(Files.readString(temp.resolve("built")))
        .contains("-Dprogram.only")
        .contains("package")
        .doesNotContain("install");

    Outcome second = orrery();
    assertThat(second.printed()).isEqualTo("built 1 times\n");
    assertThat(second.said()).isEmpty();
  }

  @Test
  void compiledPythonIsNoChangedSource() throws Exception {
    orrery();
    // A2: running the product writes these, and changes the time of the folder.
    write("trial-sdk/python/orrery_trial/__pycache__/client.cpython-311.pyc", "compiled");
    write("trial-sdk/python/orrery_trial/client.pyc", "compiled");
    assertThat(orrery().printed()).isEqualTo("built 1 times\n");
  }

  @Test
  void aChangedAnAddedAndARemovedSourceAreBuilt() throws Exception {
    orrery();
    Files.writeString(source, "class Source { int x; }\n");
    Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
    assertThat(orrery().printed()).isEqualTo("built 2 times\n");
    age();

    Path added = write("core/src/main/java/Added.java", "class Added {}\n");
    age();
    Outcome third = orrery();
    assertThat(third.printed()).isEqualTo("built 3 times\n");
    assertThat(third.said()).contains("sources changed");

    Files.delete(added);
    age();
    assertThat(orrery().printed()).isEqualTo("built 4 times\n");
    assertThat(orrery().printed()).isEqualTo("built 4 times\n");
  }

  @Test
  void aFailedBuildShowsTheEndOfItsLogAndLeavesTheOldProgram() throws Exception {
    orrery();
    Files.createFile(temp.resolve("broken"));
    Files.delete(source);
    Outcome failed = orrery();
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.said()).contains("the build failed").contains("no such symbol");
    assertThat(checkout.resolve("gateway/target/dist/bin/orrery")).exists();
    assertThat(checkout.resolve("gateway/target/build.lock")).doesNotExist();
  }

  /** A3: on a terminal, where a line is written again each second. */
  @Test
  @Timeout(60)
  void aBuildSaysWhatItDoesAllTheWhile() throws Exception {
    assumeThat(Path.of("/usr/bin/script")).as("script, of util-linux").exists();
    Files.createFile(temp.resolve("slow"));
    Process terminal =
        builder(
                "/usr/bin/script",
                "-qec",
                "'" + checkout.resolve("orrery") + "' version",
                temp.resolve("typescript").toString())
            .redirectErrorStream(true)
            .start();
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    InputStream screen = terminal.getInputStream();
    while (!shown.toString(StandardCharsets.UTF_8).contains("fetching netty.jar")) {
      int next = screen.read();
      assertThat(next).as("%s", shown).isNotNegative();
      shown.write(next);
    }
    Files.createFile(temp.resolve("go"));
    screen.transferTo(shown);

    assertThat(terminal.waitFor()).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("two to five minutes on two cores")
        .containsPattern("\\d:\\d\\d  Orrery core \\[2/10\\], fetching netty.jar")
        .contains("built 1 times");
  }

  /** A4: of a version that no system has, so that none is found. */
  @ParameterizedTest
  @CsvSource({
    "openjdk-99-jdk, Install it: apt install openjdk-99-jdk",
    "'', Download Temurin 99 (a .tar.gz) from https://adoptium.net/temurin/releases/?version=99"
  })
  void withoutAJdkTheAdviceIsWhatTheSystemHas(String offered, String advice) throws Exception {
    Path finder = checkout.resolve("gateway/src/main/dist/bin/jdk.sh");
    String text = Files.readString(finder);
    assertThat(text).contains("java_needed=25\n");
    Files.writeString(finder, text.replace("java_needed=25\n", "java_needed=99\n"));
    // The list of packages of a system, which names what it is asked for only where it has it.
    program("apt-cache", "#!/bin/sh\necho '" + offered + "'\n");

    Outcome outcome = orrery();

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.said()).contains("needs a JDK 99 or newer").contains(advice);
    assertThat(outcome.said().contains("apt install")).isEqualTo(!offered.isEmpty());
  }
}
