package io.orrery.core.check;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The room on the file system of a directory.
 *
 * @param fileSystem its name, by which two directories are known to share one
 */
public record DiskRoom(Path directory, String fileSystem, long freeBytes, long totalBytes) {
  private static final long LITTLE = 1L << 30;
  private static final long NONE = 64L << 20;
  private static final int MEGABYTE_BITS = 20;

  /**
   * Asks the file system; blocks.
   *
   * @throws IOException when the directory is not there
   */
  public static DiskRoom of(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return new DiskRoom(directory, store.toString(), store.getUsableSpace(), store.getTotalSpace());
  }

  /** Whether it is enough for a server. */
  public CheckResult check(String name) {
    String found =
        "%,d MB free of %,d MB on %s"
            .formatted(freeBytes >> MEGABYTE_BITS, totalBytes >> MEGABYTE_BITS, fileSystem);
    String advice = "make room, or move the directory: a full disk stops everything";
    if (freeBytes < NONE) {
      return CheckResult.failed(name, found, advice);
    }
    return freeBytes < LITTLE
        ? CheckResult.warning(name, found, advice)
        : CheckResult.ok(name, found);
  }
}
