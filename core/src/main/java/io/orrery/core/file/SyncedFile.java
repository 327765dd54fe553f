package io.orrery.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Writes and moves files so that they are on the disk, and not only on their way there. */
public final class SyncedFile {
  private SyncedFile() {}

  /**
   * Writes a file in its place, in the place of what was there; on the disk when it returns. Who
   * reads it meanwhile, or after a crash, may find a part.
   */
  public static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /**
   * Gives a file that was synced a name in another place of its file system, in the place of what
   * had it; durable when this returns, as far as the directory itself is.
   */
  public static void move(Path file, Path target) throws IOException {
    Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncNames(Objects.requireNonNull(target.toAbsolutePath().getParent()));
  }

  /** Makes names in a directory durable: a file that was renamed may else have its old name. */
  public static void syncNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
