package io.orrery.tuner.python;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process writes to stderr: the last of it says why it died.
 *
 * @param from where in the file this process began to write
 */
record Complaints(Path file, long from) {
  private static final int TAIL = 4_096;
  private static final int LINES = 3;

  /** Its last lines in one, empty when there is nothing. */
  String last() {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(from, open.length() - TAIL);
      byte[] bytes = new byte[(int) Math.max(0, open.length() - start)];
      open.seek(start);
      open.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList();
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
