package io.orrery.cli.print;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that a user named for a result, treated as {@code cp} would treat it: links are followed,
 * a FIFO or a device is written into, a directory is refused, and a file that is there keeps its
 * mode. A plain file appears whole or not at all, since half a result looks like a result.
 */
public final class OutputFile {
  private OutputFile() {}

  /** Writes a result to a stream. */
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /**
   * Writes a file.
   *
   * @throws IOException when it is a directory or cannot be written; a plain file is as it was then
   */
  public static void write(Path file, Content content) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory; name a file");
    }
    boolean there = Files.exists(file);
    boolean dangling = !there && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (dangling || (there && !isReplaceable(file.toRealPath()))) {
      try (OutputStream out = Files.newOutputStream(file)) {
        content.write(out);
      }
    } else {
      replace(there ? file.toRealPath() : file.toAbsolutePath(), there, content);
    }
  }

  /** Whether another file in its place would be the same to all users. */
  private static boolean isReplaceable(Path file) throws IOException {
    return Files.isRegularFile(file)
        && (int) Files.getAttribute(file, "unix:nlink") == 1
        && Files.isWritable(file)
        && Files.isWritable(file.getParent());
  }

  private static void replace(Path file, boolean there, Content content) throws IOException {
    Path part = file.resolveSibling("." + UUID.randomUUID() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE_NEW)) {
        content.write(out);
      }
      if (there) {
        Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(file));
        if (!Files.getOwner(part).equals(Files.getOwner(file))) {
          Files.setOwner(part, Files.getOwner(file));
        }
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
