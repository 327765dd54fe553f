package io.orrery.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A release of the distribution: made alike twice, and used by a stranger. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ReleaseIT {
  private static final String VERSION = "9.8.7";

  /** A number that no account has: files of others and their homes are closed to it. */
  private static final String STRANGER = "54321";

  @TempDir static Path temp;
  private static Path release;

  @BeforeAll
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  static void makeIt() throws Exception {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    release = made("release", "--runtime");
  }

  @Test
  void theSameDistributionGivesTheSameBytes() throws Exception {
    Path again = made("again", "--runtime");

    assertThat(Files.readString(again.resolve("SHA256SUMS")))
        .isEqualTo(Files.readString(release.resolve("SHA256SUMS")))
        .contains("orrery-9.8.7.tar.gz", ".deb", ".whl", "linux");
  }

  @Test
  void theSumsAreThoseOfTheFiles() throws Exception {
    run(release, Map.of(), "sha256sum", "--check", "--strict", "SHA256SUMS");
  }

  /** The quick start of the release, in a path with a space, by who has no Java. */
  @Test
  void aStrangerRunsTheDigitsOnTheJavaOfTheRelease() throws Exception {
    Path unpacked = unpacked("own java", file("linux"));

    assertThat(digits(unpacked, Map.of())).matches("best: [a-z0-9]+ 0\\.9.*");
  }

  @Test
  void theTarballWithoutOneTakesTheJavaOfTheMachine() throws Exception {
    Path unpacked = unpacked("any java", release.resolve("orrery-9.8.7.tar.gz"));
    assertThat(unpacked.resolve("jre")).doesNotExist();

    assertThat(digits(unpacked, Map.of("JAVA_HOME", System.getProperty("java.home"))))
        .matches("best: [a-z0-9]+ 0\\.9.*");
  }

  @Test
  void theCompletionsAreReadByTheirShellsAndThePagesAreThere() throws Exception {
    Path unpacked = unpacked("completions", release.resolve("orrery-9.8.7.tar.gz"));

    run(unpacked, Map.of(), "bash", "-n", "share/completions/orrery.bash");
    assertThat(
            run(
                unpacked,
                Map.of(),
                "bash",
                "-c",
                "source share/completions/orrery.bash && complete -p orrery"))
        .contains("complete")
        .contains("orrery");
    assertThat(unpacked.resolve("share/completions/orrery.fish"))
        .content()
        .contains("complete -c orrery");
    assertThat(unpacked.resolve("share/man/man1/orrery-up.1")).content().contains(".SH");
  }

  /** The client and the SDK for trials, in an environment of their own and without a network. */
  @Test
  void theWheelIsInstalledInAnEnvironmentOfItsOwn() throws Exception {
    Path folder = strangersFolder("python");
    run(folder, Map.of(), "python3", "-m", "venv", "own");
    run(folder, Map.of(), "own/bin/pip", "install", "--no-index", file(".whl").toString());

    assertThat(
            run(
                folder,
                Map.of(),
                "own/bin/python",
                "-c",
                "import nni, orrery, importlib.metadata as m; from nni.experiment import Experiment;"
                    + " print(m.version('orrery'), callable(orrery.search))"))
        .isEqualTo(VERSION + " True");
  }

  @Test
  void theStartUpCacheIsMadeWhereItIsUnpacked() throws Exception {
    Path unpacked = unpacked("with cache", file("linux"));

    run(unpacked, Map.of(), "libexec/train", ".");

    assertThat(unpacked.resolve("lib/orrery.aot")).isNotEmptyFile();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(unpacked.resolve("lib/orrery.aot"))))
        .as("the server may be another user than who made it")
        .endsWith("r--");
    assertThat(
            run(unpacked, Map.of("ORRERY_JAVA_OPTS", "-Xlog:class+load"), "bin/orrery", "version"))
        .containsPattern("io\\.orrery\\.gateway\\.launch\\.Main source: shared objects file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orrery", "nnictl"})
  void thePackageOfDebianHasTheCommandsOnThePath(String command) throws Exception {
    assumeThat(Path.of("/usr/bin/dpkg-deb")).exists();
    Path root = strangersFolder("a root of " + command);

    run(root, Map.of(), "dpkg-deb", "--extract", file(".deb").toString(), ".");

    assertThat(run(root, Map.of(), "usr/bin/" + command, "--version")).isNotBlank();
    assertThat(root.resolve("lib/systemd/system/orrery.service")).isNotEmptyFile();
    assertThat(root.resolve("lib/systemd/system/orrery-router.service")).isNotEmptyFile();
    assertThat(root.resolve("usr/share/man/man1/orrery-up.1.gz")).isNotEmptyFile();
    assertThat(run(root, Map.of(), "dpkg-deb", "--field", file(".deb").toString(), "Version"))
        .isEqualTo(VERSION);
  }

  private static String digits(Path unpacked, Map<String, String> more) throws Exception {
    String printed =
        run(unpacked, more, "bin/orrery", "experiment", "run", "examples/digits/experiment.yml");
    return printed.lines().toList().getLast();
  }

  private static Path made(String name, String... more) throws Exception {
    Path target = Files.createDirectory(temp.resolve(name));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> line = new ArrayList<>(List.of("python3", "-B", "../deploy/release/make.py"));
    line.addAll(List.of("--dist", System.getProperty("orrery.distribution")));
    line.addAll(List.of("--version", VERSION, "--target", target.toString()));
    line.addAll(List.of(more));
    ended(new ProcessBuilder(line));
    return target;
  }

  private static Path file(String part) throws IOException {
    try (var files = Files.list(release)) {
      return files
          .filter(file -> file.getFileName().toString().contains(part))
          .findAny()
          .orElseThrow();
    }
  }

  private static Path unpacked(String name, Path tarball) throws Exception {
    Path folder = strangersFolder(name);
    run(folder, Map.of(), "tar", "xzf", tarball.toString());
    return folder.resolve("orrery-" + VERSION);
  }

  private static Path strangersFolder(String name) throws Exception {
    Path folder = Files.createDirectory(temp.resolve(name));
    if (isRoot()) {
      ended(new ProcessBuilder("chown", STRANGER + ":" + STRANGER, folder.toString()));
    }
    return folder;
  }

  /** As another user where that can be, with nothing of this one's environment. */
  private static String run(Path directory, Map<String, String> more, String... command)
      throws Exception {
    List<String> line = new ArrayList<>();
    if (isRoot()) {
      line.addAll(List.of("setpriv", "--reuid", STRANGER, "--regid", STRANGER, "--clear-groups"));
    }
    line.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "HOME", directory.toString()));
    builder.environment().putAll(more);
    return ended(builder);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static String ended(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", builder.command(), printed).isZero();
    return printed.strip();
  }
}
