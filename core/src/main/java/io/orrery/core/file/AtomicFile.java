package io.orrery.core.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.regex.Pattern;

/** Replaces small files of our own, which no other user needs to read. */
public final class AtomicFile {
  private static final String DRAFT = ".new";
  private static final Pattern DRAFTS = Pattern.compile(".+-[0-9]+" + Pattern.quote(DRAFT));

  private AtomicFile() {}

  /**
   * Deletes what a process left behind that was killed while it wrote. The directory must not be
   * written to meanwhile.
   */
  public static void sweep(Path directory) throws IOException {
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(
            directory, file -> DRAFTS.matcher(file.getFileName().toString()).matches())) {
      for (Path file : left) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /**
   * Writes a file anew: a reader sees the old content or the new one, whenever the process ends,
   * and once this returns the new one is on the disk. Only the owner may read it. Of several
   * writers at once, servers that share a directory among them, one stays whole.
   *
   * @param file in a directory that exists
   */
  public static void write(Path file, byte[] content) throws IOException {
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Path fresh = draft(directory, file);
    try {
      SyncedFile.write(fresh, content);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    SyncedFile.syncNames(directory);
  }

  /**
   * Writes a file anew that is of no use after a crash of the machine: as {@link #write}, but
   * without waiting for the disk, so that it may be missing or empty after one.
   *
   * @param file in a directory that exists
   */
  public static void replace(Path file, byte[] content) throws IOException {
    Path fresh = draft(Objects.requireNonNull(file.toAbsolutePath().getParent()), file);
    try {
      Files.write(fresh, content);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static Path draft(Path directory, Path file) throws IOException {
    return Files.createTempFile(
        directory,
        file.getFileName() + "-",
        DRAFT,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }
}
