package io.orrery.core.file;

import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes records as JSON, each a {@link DurableFile} in a directory made on demand. */
public final class JsonFile {
  private JsonFile() {}

  /** Writes a record, in the place of what was there; on the disk when this returns. */
  public static void write(Path file, Object record) throws IOException {
    byte[] content = bytes(record);
    try {
      DurableFile.write(file, content);
    } catch (NoSuchFileException firstOfAll) {
      makeDirectory(file);
      DurableFile.write(file, content);
    }
  }

  /**
   * Writes a record unless there is one, as {@link DurableFile#create} does.
   *
   * @return whether this one was written
   */
  public static boolean create(Path file, Object record) throws IOException {
    byte[] content = bytes(record);
    try {
      return DurableFile.create(file, content);
    } catch (NoSuchFileException firstOfAll) {
      makeDirectory(file);
      return DurableFile.create(file, content);
    }
  }

  /** Reads a record; null when there is no such file. */
  public static <T> @Nullable T read(Path file, Class<T> type) throws IOException {
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

  private static byte[] bytes(Object record) {
    return Json.write(record).getBytes(StandardCharsets.UTF_8);
  }

  private static void makeDirectory(Path file) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }
}
