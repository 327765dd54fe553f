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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The plain files and directories of a folder that another program, or another person, has written.
 * Links, which lead out of the folder, and FIFOs, which would be waited for, are left out, each
 * with a notice that names it.
 */
final class ForeignFiles {
  private final Consumer<String> notices;
  private final Set<Path> named = new HashSet<>();

  ForeignFiles(Consumer<String> notices) {
    this.notices = notices;
  }

  /** The directories in a directory, in the order of their names. */
  List<Path> directories(Path parent) throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return chosen(all, ForeignFiles::isPlainDirectory, ForeignFiles::isPlainFile);
    }
  }

  /** The files below a directory; none when it is not there. */
  List<Path> below(Path directory) throws IOException {
    if (!isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return chosen(all, ForeignFiles::isPlainFile, ForeignFiles::isPlainDirectory);
    }
  }

  /** Those that are wanted, in their order; what is neither wanted nor passed over is left out. */
  private List<Path> chosen(Stream<Path> all, Predicate<Path> wanted, Predicate<Path> passed)
      throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : all.sorted().toList()) {
      if (wanted.test(each)) {
        found.add(each);
      } else if (!passed.test(each)) {
        leaveOut(each);
      }
    }
    return found;
  }

  private static boolean isPlainFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isPlainDirectory(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  boolean isDirectory(Path path) throws IOException {
    return isThere(path) && is(path, isPlainDirectory(path));
  }

  boolean isFile(Path path) throws IOException {
    return isThere(path) && is(path, isPlainFile(path));
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
