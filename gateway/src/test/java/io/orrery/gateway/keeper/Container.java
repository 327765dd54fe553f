package io.orrery.gateway.keeper;

import io.orrery.compute.service.Keepers.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that plays a container: it starts in an empty directory, with the variables of its
 * launch and no others, outlives the server, and is known by its directory alone.
 */
public final class Container {
  private final Path directory;

  public Container(Path directory) {
    this.directory = directory;
  }

  /** Whether it was made; one that has ended still was. */
  boolean exists() {
    return Files.isDirectory(directory);
  }

  /**
   * Makes and starts it, unless there is one of this name.
   *
   * @param image where its process begins; null for a directory with nothing in it
   */
  void start(Launch launch, @Nullable Path image) throws IOException {
    Files.createDirectories(directory.getParent());
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException before) {
      return;
    }
    Path disk = Files.createDirectory(directory.resolve("disk"));
    ProcessBuilder builder = new ProcessBuilder(launch.command());
    builder.environment().clear();
    builder.environment().putAll(launch.environmentWithToken());
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("TMPDIR", disk.toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("ORRERY_KEEPER_GRACE", "0.5");
    builder.environment().put("CONTAINER", directory.toString());
    Process process =
        builder
            .directory(image == null ? disk.toFile() : image.toFile())
            .redirectOutput(directory.resolve("stdout").toFile())
            .redirectError(directory.resolve("stderr").toFile())
            .start();
    Path draft = directory.resolve("pid.new");
    Files.writeString(draft, Long.toString(process.pid()));
    Files.move(draft, directory.resolve("pid"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Waits until its first process has ended; then all the others are killed, as a runtime does. */
  void awaitEnd() throws Exception {
    while (!Files.exists(directory.resolve("pid"))) {
      Thread.sleep(5);
    }
    Optional<ProcessHandle> first = first();
    if (first.isPresent()) {
      first.get().onExit().get();
    }
    for (ProcessHandle process : processes()) {
      process.destroyForcibly();
      process.onExit().get();
    }
  }

  /** Its keeper dies as if its node had. */
  void lose() throws Exception {
    first().ifPresent(ProcessHandle::destroyForcibly);
  }

  /** What its keeper said of itself. */
  String errors() throws IOException {
    return Files.readString(directory.resolve("stderr"));
  }

  /** What is left on its disk. */
  List<String> leftOnDisk() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("disk"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  public boolean runs() throws IOException {
    return !processes().isEmpty();
  }

  /**
   * While a process becomes another program, as the keeper's does, its variables cannot be read.
   */
  private Optional<ProcessHandle> first() throws Exception {
    Optional<ProcessHandle> process =
        ProcessHandle.of(Long.parseLong(Files.readString(directory.resolve("pid"))));
    for (int i = 0; i < 200 && process.isPresent(); i++) {
      if (isMarked(process.get().pid())) {
        return process;
      }
      Thread.sleep(5);
      process = process.filter(ProcessHandle::isAlive);
    }
    return Optional.empty();
  }

  private List<ProcessHandle> processes() throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    ProcessHandle.allProcesses().filter(process -> isMarked(process.pid())).forEach(found::add);
    return found;
  }

  /** Everything in it inherits its variables. */
  private boolean isMarked(long pid) {
    try {
      String variables =
          new String(
              Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")),
              StandardCharsets.UTF_8);
      return ("\0" + variables).contains("\0CONTAINER=" + directory + "\0");
    } catch (IOException gone) {
      return false;
    }
  }
}
