package io.orrery.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Replaces small files of our own, which nobody else need read. */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Writes a file anew: a reader sees the old content or the new one, whenever the process ends,
   * and once this returns the new one is on the disk. Only the owner may read it. Two writers of
   * one file must not do so at once.
   *
   * @param file in a directory that exists; the name beside it that ends with .new is used up
   */
  public static void write(Path file, byte[] content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    // One that a crash left behind may have other permissions.
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    SyncedFile.write(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      SyncedFile.syncNames(directory);
    }
  }
}
