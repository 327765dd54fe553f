package io.orrery.core.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .nniignore} files that are in force in a directory: its own, and those of the
 * directories above it up to the root of the code. As with git, the nearest file that says
 * something about a path decides, and in it the last line that does.
 *
 * @param base the directory of this file below the root, with a slash behind; empty for the root
 * @param above null at the root
 */
record IgnoreFile(String base, List<IgnorePattern> patterns, @Nullable IgnoreFile above) {
  static final String NAME = ".nniignore";

  private static final int MOST_BYTES = 1 << 20;

  /** Those in force in a directory; those of the directory above when it has none of its own. */
  static @Nullable IgnoreFile in(Path directory, String base, @Nullable IgnoreFile above)
      throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return above;
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " is longer than 1 MiB");
    }
    return new IgnoreFile(
        base, read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)), above);
  }

  private static List<IgnorePattern> read(String text) {
    List<IgnorePattern> patterns = new ArrayList<>();
    String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
    for (String line : content.split("\n", -1)) {
      IgnorePattern pattern =
          IgnorePattern.of(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      if (pattern != null) {
        patterns.add(pattern);
      }
    }
    return List.copyOf(patterns);
  }

  /**
   * Whether a path stays behind. What lies in a directory that stays behind does so as well: this
   * is not asked again for it.
   *
   * @param path below the root, with {@code /} between names
   */
  boolean ignores(String path, boolean directory) {
    String below = path.substring(base.length());
    for (IgnorePattern pattern : patterns.reversed()) {
      if (pattern.matches(below, directory)) {
        return !pattern.negated();
      }
    }
    return above != null && above.ignores(path, directory);
  }
}
