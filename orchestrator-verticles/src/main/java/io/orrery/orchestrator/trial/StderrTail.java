package io.orrery.orchestrator.trial;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The last lines that a failed trial wrote to stderr, short enough to be part of its reason. */
public final class StderrTail {
  /** Bytes that are worth reading from the end of the file. */
  public static final int BYTES = 8_192;

  private static final int LINES = 8;
  private static final int LINE_LENGTH = 300;
  private static final int LENGTH = 1_000;

  private StderrTail() {}

  /**
   * The last lines that are not blank: at most 8, of at most 300 characters each, and about 1,000
   * in all. The line of Python's last traceback that names the exception is always among them: its
   * message may have any number of lines. Colours and other control characters are left out; of a
   * progress bar, which returns to the beginning of its line, the last state counts.
   *
   * @param end of the file, which may begin in the middle of a line
   * @return lines separated by newlines; empty when there is nothing to show
   */
  public static String of(byte[] end) {
    List<String> lines =
        new String(end, StandardCharsets.UTF_8)
            .replaceAll("\u001b\\[[0-9;?]*[ -/]*[@-~]", "")
            .lines()
            .map(StderrTail::shown)
            .filter(line -> !line.isBlank())
            .toList();
    int from = Math.max(0, lines.size() - LINES);
    int length = 0;
    for (int i = lines.size() - 1; i >= from; i--) {
      length += lines.get(i).length() + 1;
      if (length > LENGTH && i < lines.size() - 1) {
        from = i + 1;
      }
    }
    int exception = exception(lines);
    String last = String.join("\n", lines.subList(from, lines.size()));
    return exception >= 0 && exception < from ? lines.get(exception) + "\n…\n" + last : last;
  }

  /** The index of the line that names the exception of the last traceback; -1 without one. */
  private static int exception(List<String> lines) {
    int traceback = lines.lastIndexOf("Traceback (most recent call last):");
    for (int i = traceback + 1; traceback >= 0 && i < lines.size(); i++) {
      if (!Character.isWhitespace(lines.get(i).charAt(0))) {
        return i;
      }
    }
    return -1;
  }

  private static String shown(String line) {
    String plain = line.replaceAll("[\\p{Cntrl}&&[^\t]]", "").replace("\t", "    ").stripTrailing();
    return plain.length() <= LINE_LENGTH ? plain : plain.substring(0, LINE_LENGTH - 1) + "…";
  }
}
