package io.orrery.core.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Writes small files of our own, which no other user needs to read: their mode is 0600 from the
 * first byte on.
 *
 * <p><b>Atomic.</b> Content is written to a draft beside the file, {@code <name>-<number>.new},
 * which then gets the name: a reader sees the old content or the new one, whenever the process
 * ends, and a write that fails changes nothing.
 *
 * <p><b>Durable.</b> Once {@link #write} or {@link #create} returns, the content and the name
 * survive a power cut. {@link #replace} does not wait for the disk.
 *
 * <p><b>Concurrent.</b> Of several writers at once, also servers that share a directory, one stays
 * whole.
 *
 * <p>The directory of a file must exist, unless a {@link JsonFile} is written.
 */
public final class DurableFile {
  private static final String DRAFT = ".new";
  private static final Pattern DRAFTS = Pattern.compile(".+-[0-9]+" + Pattern.quote(DRAFT));

  private DurableFile() {}

  /** Writes a file, in the place of what was there. */
  public static void write(Path file, byte[] content) throws IOException {
    Path draft = draft(file);
    try {
      SyncedFile.write(draft, content);
      SyncedFile.move(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * Writes a file unless it is there: of several processes that try, one does.
   *
   * @return whether this one did
   */
  public static boolean create(Path file, byte[] content) throws IOException {
    Path draft = draft(file);
    try {
      SyncedFile.write(draft, content);
      Files.createLink(file, draft);
      SyncedFile.syncNames(directory(file));
      return true;
    } catch (FileAlreadyExistsException earlier) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * Replaces a file that is of no use after a crash of the machine: as {@link #write}, but without
   * waiting for the disk, so that it may be missing or empty after one.
   */
  public static void replace(Path file, byte[] content) throws IOException {
    Path draft = draft(file);
    try {
      Files.write(draft, content);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * Deletes the drafts that a process left behind that was killed while it wrote. The directory
   * must not be written to meanwhile.
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

  private static Path draft(Path file) throws IOException {
    return Files.createTempFile(
        directory(file),
        file.getFileName() + "-",
        DRAFT,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  private static Path directory(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent());
  }
}
