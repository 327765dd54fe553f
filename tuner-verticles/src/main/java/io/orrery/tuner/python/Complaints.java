package io.orrery.tuner.python;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The stderr of a process: the last of it says why it died.
 *
 * @param from where in the file this process began to write
 */
record Complaints(Path file, long from) {
  private static final int TAIL = 4_096;
  private static final int LINES = 3;

  /**
   * Its last lines in one, empty when there is nothing: from the exception of the last traceback
   * on, else the last three.
   */
  String last() {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(from, open.length() - TAIL);
      byte[] bytes = new byte[(int) Math.max(0, open.length() - start)];
      open.seek(start);
      open.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      return lines.subList(from(lines), lines.size()).stream()
          .limit(LINES)
          .map(String::strip)
          .collect(Collectors.joining(" | "));
    } catch (IOException e) {
      return "";
    }
  }

  /** The first line that counts: a message of many lines must not push its exception out. */
  private static int from(List<String> lines) {
    int traceback = lines.lastIndexOf("Traceback (most recent call last):");
    for (int i = traceback + 1; traceback >= 0 && i < lines.size(); i++) {
      if (!Character.isWhitespace(lines.get(i).charAt(0))) {
        return i;
      }
    }
    return Math.max(0, lines.size() - LINES);
  }
}
