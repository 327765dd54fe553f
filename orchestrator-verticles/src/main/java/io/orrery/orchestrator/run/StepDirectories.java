package io.orrery.orchestrator.run;

import io.orrery.core.file.DirectoryTree;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepOutput;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directories of attempts, {@code runs/<run>/<step>-<attempt>} of a home directory: {@code
 * work}, in which the program starts, {@code inputs} and {@code outputs}. Blocks.
 *
 * @param root that of an attempt
 */
record StepDirectories(Path root) {
  private static final String MADE = ".made";

  static StepDirectories of(Path home, RunId run, int step, int attempt) {
    return new StepDirectories(all(home).resolve(run.value()).resolve(step + "-" + attempt));
  }

  /** The directory of all runs. */
  static Path all(Path home) {
    return home.toAbsolutePath().normalize().resolve("runs");
  }

  Path work() {
    return root.resolve("work");
  }

  Path inputs() {
    return root.resolve("inputs");
  }

  Path outputs() {
    return root.resolve("outputs");
  }

  /**
   * Makes them afresh: what a preparation that was broken off has left is deleted.
   *
   * @param code the directory whose copy the program starts in; null for an empty one
   * @throws IOException when an input is gone or damaged, or the disk is full
   */
  void prepare(RunArtifacts artifacts, Map<String, ResolvedStep.Input> wanted, @Nullable Path code)
      throws IOException {
    DirectoryTree.delete(root);
    Files.createDirectories(inputs());
    Files.createDirectories(outputs());
    if (code == null) {
      Files.createDirectories(work());
    } else {
      copy(code, work());
    }
    for (Map.Entry<String, ResolvedStep.Input> entry : wanted.entrySet()) {
      Path place = inputs().resolve(entry.getKey());
      List<StepOutput> outputs = entry.getValue().outputs();
      if (!entry.getValue().list()) {
        artifacts.place(outputs.getFirst(), place);
        continue;
      }
      for (int i = 0; i < outputs.size(); i++) {
        artifacts.place(outputs.get(i), place.resolve(Integer.toString(i + 1)));
      }
    }
    Files.createFile(root.resolve(MADE));
  }

  /**
   * Does the same on a worker thread, with the code of a digest.
   *
   * @param digest of the code; null for none
   * @param stay whether directories that are made already stay as they are
   */
  Future<StepDirectories> make(
      StepRunner.Surroundings with,
      Map<String, ResolvedStep.Input> wanted,
      @Nullable String digest,
      boolean stay) {
    Future<@Nullable Path> unpacked =
        digest == null
            ? Future.succeededFuture(null)
            : with.bundles().unpacked(digest).map(path -> (@Nullable Path) path);
    return unpacked.compose(code ->
        with.vertx()
            .executeBlocking(
                () -> {
                  if (!stay || !areMade()) {
                    prepare(with.artifacts(), wanted, code);
                  }
                  return this;
                },
                false));
  }

  /** Whether {@link #prepare} has completed. */
  boolean areMade() {
    return Files.isRegularFile(root.resolve(MADE));
  }

  /** Deletes them. */
  void delete() throws IOException {
    DirectoryTree.delete(root);
  }

  /** Copies a tree; links stay links. */
  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                file,
                to.resolve(from.relativize(file).toString()),
                LinkOption.NOFOLLOW_LINKS,
                StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
