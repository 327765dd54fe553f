package io.orrery.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    Path maven =
        Files.writeString(Files.createDirectory(temp.resolve("bin")).resolve("mvn"), MAVEN);
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    age();
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

  private Outcome orrery() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of(checkout.resolve("orrery").toString(), "version"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .merge("PATH", temp.resolve("bin").toString(), (path, own) -> own + ":" + path);
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
}
