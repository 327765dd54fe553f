package io.orrery.compute.attempt;

import io.orrery.core.file.SyncedFile;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Writes small files atomically and durably. */
public final class DurableFile {
  private DurableFile() {}

  /** Writes one, in the place of what was there; on the disk when it returns. */
  public static void write(Path file, byte[] content) throws IOException {
    Files.move(
        draft(file, content),
        file,
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes one unless it is there: of several processes that try, one does.
   *
   * @return whether this one did
   */
  public static boolean create(Path file, byte[] content) throws IOException {
    Path draft = draft(file, content);
    try {
      Files.createLink(file, draft);
      return true;
    } catch (FileAlreadyExistsException earlier) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static Path draft(Path file, byte[] content) throws IOException {
    Path draft = draft(file);
    SyncedFile.write(draft, content);
    return draft;
  }

  /** Most often the directory is there, and to make it once more costs an exception. */
  private static Path draft(Path file) throws IOException {
    try {
      return Files.createTempFile(file.getParent(), file.getFileName() + "-", ".new");
    } catch (NoSuchFileException firstOfAll) {
      Files.createDirectories(file.getParent());
      return Files.createTempFile(file.getParent(), file.getFileName() + "-", ".new");
    }
  }

  /** Writes a record as JSON, in the same way. */
  public static void writeJson(Path file, Object record) throws IOException {
    write(file, Json.write(record).getBytes(StandardCharsets.UTF_8));
  }

  /** Reads one back; null when there is no such file. */
  public static <T> @Nullable T readJson(Path file, Class<T> type) throws IOException {
    if (!Files.exists(file)) {
      // Most often there is none, and an exception costs more than a look.
      return null;
    }
    try {
      return Json.read(Files.readString(file), type);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
