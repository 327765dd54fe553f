package io.orrery.orchestrator.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Turns the paths of a file into absolute ones: {@code ~} is the user's home, relative ones start
 * from the base, symbolic links are resolved as far as the path exists.
 *
 * @param base absolute; null allows absolute paths only
 */
record Paths(@Nullable Path base, Path home) {
  /** The absolute path, or null after a finding. Looks at the file system. */
  @Nullable Path resolve(String text, String pointer, Walk walk) {
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
