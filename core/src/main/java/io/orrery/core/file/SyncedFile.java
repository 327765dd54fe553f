package io.orrery.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files whose content is on the disk, and not only on its way there. */
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

  /** Makes names in a directory durable: a file that was renamed may else have its old name. */
  public static void syncNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
