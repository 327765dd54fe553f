package io.orrery.compute.local;

import io.orrery.core.id.AttemptRef;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The TensorBoard event files below an attempt's directory. What is found once is read on for as
 * long as the attempt is followed. Links are not followed, and a trial that writes files without
 * end is looked at no further than the bounds below. Not thread safe.
 */
final class EventFiles {
  /** The part of a name by which TensorBoard finds event files. */
  private static final String NAME = "tfevents";

  private static final int MOST_FILES = 1_000;
  private static final int MOST_LOOKED_AT = 20_000;
  private static final int DEEPEST = 10;

  /** Longest name of a source that the metric log takes. */
  private static final int LONGEST_SOURCE = 1_000;

  private record Followed(FileTailReader tail, EventFileDecoder file) {}

  private final Path directory;
  private final AttemptRef attempt;
  private final Map<Path, Followed> files = new LinkedHashMap<>();

  EventFiles(Path directory, AttemptRef attempt) {
    this.directory = directory;
    this.attempt = attempt;
  }

  /** Looks for files that are new. */
  void look() throws IOException {
    if (Files.isDirectory(directory)) {
      Files.walkFileTree(directory, Set.of(), DEEPEST, new Search());
    }
  }

  List<FileTailReader> tails() {
    return files.values().stream().map(Followed::tail).toList();
  }

  /** The events that had to be passed over, in words; null for none. */
  @Nullable String complaint() {
    long damaged = files.values().stream().mapToLong(followed -> followed.file().damaged()).sum();
    return damaged == 0 ? null : "in its event files %d records were damaged".formatted(damaged);
  }

  private void follow(Path path) {
    String source = "tfevents:" + directory.relativize(path);
    if (source.length() <= LONGEST_SOURCE && !files.containsKey(path)) {
      EventFileDecoder file = new EventFileDecoder(attempt, source);
      files.put(path, new Followed(new FileTailReader(directory, path, file), file));
    }
  }

  private final class Search extends SimpleFileVisitor<Path> {
    private int seen;

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes found) {
      if (found.isRegularFile() && path.getFileName().toString().contains(NAME)) {
        follow(path);
      }
      return files.size() < MOST_FILES && ++seen < MOST_LOOKED_AT
          ? FileVisitResult.CONTINUE
          : FileVisitResult.TERMINATE;
    }

    /** One that was removed while we looked, or that we may not read. */
    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
