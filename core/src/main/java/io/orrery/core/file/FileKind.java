package io.orrery.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The kind of a file in words. Looks only; opens nothing, so that it never waits for a FIFO. */
public final class FileKind {
  private static final int TYPE = 0170000;
  private static final int FIFO = 0010000;
  private static final int CHARACTER = 0020000;
  private static final int BLOCK = 0060000;
  private static final int SOCKET = 0140000;

  private FileKind() {}

  /** The kind of what has a path, with its article; a link is not followed. */
  public static String of(Path path) throws IOException {
    return of(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** The kind of what has a path, or of what a link there leads to; null for a regular file. */
  public static @Nullable String otherThanFile(Path path) throws IOException {
    return Files.isRegularFile(path) ? null : of(path, new LinkOption[0]);
  }

  private static String of(Path path, LinkOption... options) throws IOException {
    BasicFileAttributes is = Files.readAttributes(path, BasicFileAttributes.class, options);
    if (is.isRegularFile()) {
      return "a regular file";
    }
    if (is.isDirectory()) {
      return "a directory";
    }
    return is.isSymbolicLink() ? "a symbolic link" : special(path, options);
  }

  private static String special(Path path, LinkOption... options) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return "a special file";
    }
    return switch ((int) Files.getAttribute(path, "unix:mode", options) & TYPE) {
      case FIFO -> "a FIFO";
      case SOCKET -> "a socket";
      case CHARACTER, BLOCK -> "a device";
      default -> "a special file";
    };
  }
}
