package io.orrery.core.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns the paths of a file into absolute ones: {@code ~} is the user's home, relative ones start
 * from the base, symbolic links are resolved as far as the path exists.
 *
 * @param base absolute; null allows absolute paths only
 * @param shown whether a path may be named; null when the author may name everything
 * @param own the workspace of the author; null where there are none
 */
public record Paths(
    @Nullable Path base, Path home, @Nullable Predicate<Path> shown, @Nullable OwnWorkspace own) {
  /** A key of NNI's with a default in a home directory: nothing is read or written there. */
  private static final String UNUSED = "/experimentWorkingDirectory";

  /** Paths without workspaces. */
  public Paths(@Nullable Path base, Path home, @Nullable Predicate<Path> shown) {
    this(base, home, shown, null);
  }

  /** The path that names a directory of a workspace; null when it names none. */
  @Nullable Path inWorkspace(String text, String pointer) {
    if (own == null) {
      return null;
    }
    try {
      Path path = expand(text);
      Path written = base == null ? path : base.resolve(path);
      return written.isAbsolute() && OwnWorkspace.means(pointer, written) ? written : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Whether the author may name each file, variable and cluster of the server. */
  boolean all() {
    return shown == null;
  }

  /** The absolute path, or null after a finding. Looks at the file system. */
  public @Nullable Path resolve(String text, String pointer, Walk walk) {
    Path path = absolute(text, pointer, walk);
    if (path != null && shown != null && !pointer.equals(UNUSED) && !shown.test(path)) {
      walk.refuse(
          pointer,
          "is %s, which only administrators may name: use a directory that programs may read; the"
                  .formatted(path)
              + " administrator adds one by auth.sandboxRead");
      return null;
    }
    return path;
  }

  private @Nullable Path absolute(String text, String pointer, Walk walk) {
    try {
      Path path = expand(text);
      if (path.isAbsolute()) {
        return real(path.normalize());
      }
      if (base == null) {
        walk.refuse(
            pointer,
            "must be an absolute path, because no base directory was given that '"
                + text
                + "' could start from");
        return null;
      }
      return real(base.resolve(path).normalize());
    } catch (InvalidPathException e) {
      walk.refuse(pointer, "is not a path: " + e.getReason());
      return null;
    }
  }

  private Path expand(String text) {
    if (text.equals("~")) {
      return home;
    }
    return text.startsWith("~/") ? home.resolve(text.substring(2)) : Path.of(text);
  }

  private static Path real(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      return path;
    }
    try {
      return Files.exists(path) ? path.toRealPath() : real(parent).resolve(path.getFileName());
    } catch (IOException e) {
      return path;
    }
  }
}
