package io.orrery.compute.runtime.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real Podman with a store and a socket of its own, and an image in which the Python of this
 * machine runs: the image is empty, and the machine's directories are mounted. It needs root, and
 * no network.
 */
public final class PodmanEngine {
  /** The name of the image. */
  public static final String IMAGE = "localhost/orrery-test/python:latest";

  private static final List<String> SYSTEM = List.of("/usr", "/lib", "/lib64", "/bin");

  private final Path directory;
  private final String python;
  private Process service;

  private PodmanEngine(Path directory, String python) {
    this.directory = directory;
    this.python = python;
  }

  /** Starts one; skips the test when it cannot. */
  public static PodmanEngine start() throws Exception {
    assumeTrue(isInstalled(), "no Podman is installed (Debian and Ubuntu: apt install podman)");
    assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "the Podman of the tests is started as root");
    // The path of a socket has at most 107 bytes.
    Path directory = Files.createTempDirectory(Path.of("/tmp"), "orrery-podman");
    PodmanEngine engine =
        new PodmanEngine(
            directory,
            output(List.of("python3", "-c", "import sys; print(sys.base_prefix)")).strip());
    try {
      engine.configure();
      engine.serve();
      engine.makeImage();
      engine.tryIt();
    } catch (Exception e) {
      engine.close();
      throw e;
    }
    return engine;
  }

  private static boolean isInstalled() {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "podman")));
  }

  private void configure() throws IOException {
    boolean isRunc = Files.isExecutable(Path.of("/usr/sbin/runc"));
    String runtime = isRunc ? "runc" : "crun";
    Files.writeString(
        directory.resolve("runtime"),
        """
        #!/bin/sh
        for word; do
          if rm "%1$s/kill-after-$word" 2> /dev/null; then
            %2$s "$@"; code=$?
            kill -9 "$(cat %1$s/service.pid)"
            exit $code
          fi
        done
        exec %2$s "$@"
        """
            .formatted(directory, isRunc ? "/usr/sbin/runc" : "crun"));
    Files.setPosixFilePermissions(
        directory.resolve("runtime"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(
        directory.resolve("containers.conf"),
        """
        [containers]
        default_ulimits = []
        log_driver = "k8s-file"
        [engine]
        cgroup_manager = "cgroupfs"
        events_logger = "file"
        runtime = "%1$s"
        [engine.runtimes]
        %1$s = ["%2$s/runtime"]
        """
            .formatted(runtime, directory));
    Files.writeString(
        directory.resolve("storage.conf"),
        """
        [storage]
        driver = "vfs"
        graphroot = "%s/graph"
        runroot = "%s/run"
        """
            .formatted(directory, directory));
    // A registry of the tests is asked without TLS.
    Files.writeString(
        directory.resolve("registries.conf"),
        """
        [[registry]]
        prefix = "127.0.0.1"
        location = "127.0.0.1"
        insecure = true
        """);
  }

  /** The socket on which it answers. */
  public Path socket() {
    return directory.resolve("podman.sock");
  }

  /** The mounts that Python needs, as a document has them. */
  public String mounts() {
    List<String> paths = new ArrayList<>(SYSTEM);
    paths.removeIf(path -> !Files.exists(Path.of(path)));
    if (!python.startsWith("/usr")) {
      paths.add(python);
    }
    return String.join(",", paths.stream().map(path -> path + "(hostpath):" + path).toList());
  }

  /** Starts the service; containers that run go on when it is killed. */
  public void serve() throws Exception {
    service =
        process(List.of("podman", "system", "service", "--time", "0", "unix://" + socket()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("service.log").toFile())
            .start();
    Files.writeString(directory.resolve("service.pid"), Long.toString(service.pid()));
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!Files.exists(socket()) && System.nanoTime() < end && service.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    if (!Files.exists(socket())) {
      throw new IOException(Files.readString(directory.resolve("service.log")));
    }
  }

  /** Kills the service, as a crash does. */
  public void kill() throws Exception {
    service.destroyForcibly().waitFor();
    Files.deleteIfExists(socket());
  }

  /**
   * Has the service killed as soon as its runtime has done something, before it notes that.
   *
   * @param what the runtime's command: {@code create} or {@code start}
   */
  public void killAfter(String what) throws IOException {
    Files.createFile(directory.resolve("kill-after-" + what));
  }

  /** Waits until the service was killed, and starts it again. */
  public void serveAgain() throws Exception {
    service.waitFor();
    Files.deleteIfExists(socket());
    serve();
  }

  private void makeImage() throws Exception {
    Path root = directory.resolve("root");
    for (String path : List.of("tmp", "etc", "usr", "lib", "lib64", "bin", "proc", "sys", "dev")) {
      Files.createDirectories(root.resolve(path));
    }
    Path tar = directory.resolve("image.tar");
    output(List.of("tar", "-C", root.toString(), "-cf", tar.toString(), "."));
    podman(
        "import",
        "--change",
        "ENV PATH=" + python + "/bin:/usr/bin:/bin",
        "--change",
        "ENV LISTEN_HOST=0.0.0.0",
        tar.toString(),
        IMAGE);
  }

  /** Skips the test where no container can run, as in many containers. */
  private void tryIt() throws Exception {
    List<String> line = new ArrayList<>(List.of("run", "--rm", "--init", "--memory", "64m"));
    for (String mount : mounts().split(",")) {
      String path = mount.substring(mount.indexOf(':') + 1);
      line.addAll(List.of("--volume", path + ":" + path + ":ro"));
    }
    line.addAll(List.of(IMAGE, "python3", "--version"));
    String failure = null;
    try {
      podman(line.toArray(String[]::new));
    } catch (IOException e) {
      failure = e.getMessage();
    }
    assumeTrue(failure == null, "Podman cannot run a container here: " + failure);
  }

  /** Runs a command of Podman, and answers with what it printed. */
  public String podman(String... command) throws Exception {
    List<String> line = new ArrayList<>(List.of("podman"));
    line.addAll(List.of(command));
    return output(process(line));
  }

  private ProcessBuilder process(List<String> command) {
    // Podman writes into its working directory.
    ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile());
    process.environment().put("CONTAINERS_CONF", directory.resolve("containers.conf").toString());
    process
        .environment()
        .put("CONTAINERS_STORAGE_CONF", directory.resolve("storage.conf").toString());
    process
        .environment()
        .put("CONTAINERS_REGISTRIES_CONF", directory.resolve("registries.conf").toString());
    return process;
  }

  private static String output(List<String> command) throws Exception {
    return output(new ProcessBuilder(command));
  }

  private static String output(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    process.getInputStream().transferTo(text);
    if (process.waitFor() != 0) {
      throw new IOException(builder.command() + ": " + text);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /** Deletes its containers and its store, and ends it. */
  public void close() throws Exception {
    podman("rm", "--all", "--force", "--time", "0");
    if (service != null) {
      service.destroy();
      service.waitFor();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
