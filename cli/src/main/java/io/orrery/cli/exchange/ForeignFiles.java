package io.orrery.cli.exchange;

import io.orrery.core.file.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The plain files and directories of a folder that another program, or another person, has written.
 * What a link leads to is no part of the folder, and a FIFO would be waited for: these are left
 * out, each with a notice that names it.
 */
final class ForeignFiles {
  private final Consumer<String> notices;
  private final Set<Path> named = new HashSet<>();

  ForeignFiles(Consumer<String> notices) {
    this.notices = notices;
  }

  /** The directories in a directory, in the order of their names. */
  List<Path> directories(Path parent) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(parent)) {
      for (Path each : all.sorted().toList()) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          found.add(each);
        } else if (!Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          leaveOut(each);
        }
      }
    }
    return found;
  }

  /** The files below a directory; none when it is not there. */
  List<Path> below(Path directory) throws IOException {
    if (!isDirectory(directory)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted().toList()) {
        if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          found.add(each);
        } else if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          leaveOut(each);
        }
      }
    }
    return found;
  }

  boolean isDirectory(Path path) throws IOException {
    return isThere(path) && is(path, Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
  }

  boolean isFile(Path path) throws IOException {
    return isThere(path) && is(path, Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS));
  }

  private static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private boolean is(Path path, boolean wanted) throws IOException {
    if (!wanted) {
      leaveOut(path);
    }
    return wanted;
  }

  private void leaveOut(Path path) throws IOException {
    if (named.add(path)) {
      notices.accept("left out %s: it is %s".formatted(path, FileKind.of(path)));
    }
  }
}
