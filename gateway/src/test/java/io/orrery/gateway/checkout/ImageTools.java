package io.orrery.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs Buildah and Podman with a storage of their own. The image that others begin with is made
 * without a registry: from the archive of a file system that {@code -Dorrery.image.base} names, or
 * that mmdebstrap makes.
 */
final class ImageTools {
  static final String BASE = "localhost/orrery-base";
  private static final String PACKAGES = "ca-certificates,python3-minimal,libpython3-stdlib,zlib1g";

  private final Path directory;

  private ImageTools(Path directory) {
    this.directory = directory;
  }

  /** Skips the test where the tools, or what a base is made of, are missing. */
  static ImageTools open(Path directory) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "containers are run as root here");
    assumeTrue(isInstalled("buildah") && isInstalled("podman"), "needs buildah and podman");
    String archive = System.getProperty("orrery.image.base", "");
    assumeTrue(!archive.isEmpty() || isInstalled("mmdebstrap"), "needs mmdebstrap or a base");
    ImageTools tools = new ImageTools(directory);
    tools.configure();
    tools.makeBase(archive);
    return tools;
  }

  private static boolean isInstalled(String command) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  private void configure() throws IOException {
    String runtime = isInstalled("runc") ? "runtime = \"runc\"\n" : "";
    Files.writeString(
        directory.resolve("containers.conf"),
        """
        [containers]
        default_ulimits = []
        netns = "host"
        log_driver = "k8s-file"
        [engine]
        cgroup_manager = "cgroupfs"
        events_logger = "file"
        """
            + runtime);
    Files.writeString(
        directory.resolve("storage.conf"),
        """
        [storage]
        driver = "vfs"
        graphroot = "%s/graph"
        runroot = "%s/run"
        """
            .formatted(directory, directory));
  }

  private void makeBase(String archive) throws Exception {
    Path context = Files.createDirectory(directory.resolve("base"));
    Path tar = context.resolve("base.tar");
    if (archive.isEmpty()) {
      run(
          Map.of(),
          "mmdebstrap",
          "--variant=minbase",
          "--include=" + PACKAGES,
          "bookworm",
          tar.toString());
    } else {
      Files.copy(Path.of(archive), tar);
    }
    Files.writeString(context.resolve("Containerfile"), "FROM scratch\nADD base.tar /\n");
    run(Map.of(), "buildah", "bud", "--isolation", "chroot", "--tag", BASE, context.toString());
  }

  /** Runs a command, and answers with what it printed on its standard output. */
  String run(Map<String, String> environment, String... command) throws Exception {
    Path errors = Files.createTempFile(directory, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(List.of(command)).redirectError(errors.toFile());
    builder.environment().put("CONTAINERS_CONF", directory.resolve("containers.conf").toString());
    builder
        .environment()
        .put("CONTAINERS_STORAGE_CONF", directory.resolve("storage.conf").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("%s: %s%s", List.of(command), printed, Files.readString(errors))
        .isZero();
    return printed.strip();
  }

  String podman(String... command) throws Exception {
    return run(
        Map.of(), Stream.concat(Stream.of("podman"), Stream.of(command)).toArray(String[]::new));
  }
}
