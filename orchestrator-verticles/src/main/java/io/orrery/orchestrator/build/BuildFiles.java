package io.orrery.orchestrator.build;

import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of one start of a build: {@code work}, in which it works, and {@code run-<n>} of each
 * launch of its process, with the log. Blocks.
 *
 * @param storage of the project: the layers of its builds
 * @param directory of the start
 */
record BuildFiles(Path storage, Path directory) {
  private static final Pattern RUN = Pattern.compile("run-(\\d{1,3})");
  private static final int SHORT = 16 << 10;

  static BuildFiles of(Path root, ImageBuild build) {
    return of(root, build.project().value(), build.name(), build.number());
  }

  static BuildFiles of(Path root, String project, String name, int number) {
    Path storage = root.toAbsolutePath().normalize().resolve(project);
    return new BuildFiles(storage, storage.resolve("builds").resolve(name + "-" + number));
  }

  /** Deletes what a build that was deleted has left, where this one has its name and number. */
  void claim(ImageBuild build) throws IOException {
    if (!Files.exists(directory) || !isOf(build)) {
      clearAll(build);
    }
  }

  /** Deletes everything, and notes whose files come here. */
  void clearAll(ImageBuild build) throws IOException {
    DirectoryTree.delete(directory);
    Files.createDirectories(directory);
    DurableFile.write(owner(), BuildRun.id(build).value().getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the files are those of a build, and not of a deleted one with its name and number. */
  boolean isOf(ImageBuild build) throws IOException {
    try {
      return Files.readString(owner()).equals(BuildRun.id(build).value());
    } catch (NoSuchFileException none) {
      // So it is before the first file, and where a version before this one began the build.
      return !Files.exists(directory)
          || !Files.getLastModifiedTime(directory).toInstant().isBefore(build.createdAt());
    }
  }

  private Path owner() {
    return directory.resolve("build");
  }

  Path work() {
    return directory.resolve("work");
  }

  Path context() {
    return work().resolve("context");
  }

  Path script() {
    return work().resolve("build.sh");
  }

  Path run(int number) {
    return directory.resolve("run-" + number);
  }

  /** The number of the last launch; 0 when there was none. */
  int lastRun() throws IOException {
    int last = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "run-*")) {
      for (Path each : all) {
        var name = RUN.matcher(each.getFileName().toString());
        if (name.matches()) {
          last = Math.max(last, Integer.parseInt(name.group(1)));
        }
      }
    } catch (NoSuchFileException none) {
      return 0;
    }
    return last;
  }

  /** Whether everything is there that the process needs. */
  boolean isPrepared() {
    return Files.exists(directory.resolve("prepared"));
  }

  void notePrepared() throws IOException {
    DurableFile.write(directory.resolve("prepared"), new byte[0]);
  }

  /** The text that the build has written into a file; null when it is not there. */
  @Nullable String told(String file) throws IOException {
    Path path = work().resolve(file);
    try {
      return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) <= SHORT * 64L
          ? Files.readString(path, StandardCharsets.UTF_8).strip()
          : null;
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  /** Deletes what only a build that runs needs; the log stays. */
  void clear() throws IOException {
    DirectoryTree.delete(work());
  }
}
