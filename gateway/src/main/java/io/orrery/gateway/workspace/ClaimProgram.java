package io.orrery.gateway.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.core.problem.Problem;
import io.orrery.gateway.workspace.WorkspaceEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program that reads and changes files within a pod, {@code claim.sh}, and what it answers. It
 * comes by its own stdin, so that neither names of files nor the program itself stand in the
 * command, which API servers log and whose length they limit.
 */
final class ClaimProgram {
  private static final String FILE = "claim.sh";

  /** Reads a line, in which {@code \n} and {@code \\} stand for what they mean, and runs it. */
  static final List<String> WORDS =
      List.of("/bin/sh", "-c", "IFS= read -r program && eval \"$(printf %b \"$program\")\"");

  /** The end of each answer. */
  static final byte[] END = "//\n".getBytes(UTF_8);

  /** An answer that stands for no entry. */
  static final String NONE = "none";

  static final int MISSING = 44;
  static final int UNFIT = 49;
  static final int BROKE_OFF = 40;

  private static final String LINE = line();

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?s)(\\p{XDigit}{1,8}) (\\d{1,18}) (-?\\d{1,12}) [^/.]*(?:\\.(\\d{1,9}))?[^/]*/\\./(.*)");

  private static final int HEX = 16;
  private static final int NANO_DIGITS = 9;
  private static final int TYPE = 0xF000;
  private static final int TYPE_FILE = 0x8000;
  private static final int TYPE_DIRECTORY = 0x4000;
  private static final int TYPE_LINK = 0xA000;

  private ClaimProgram() {}

  private static String line() {
    try (InputStream in =
        Objects.requireNonNull(ClaimProgram.class.getResourceAsStream(FILE), FILE)) {
      String text = new String(in.readAllBytes(), UTF_8);
      return text.replace("\\", "\\\\").replace("\n", "\\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The input that begins an operation.
   *
   * @param directory that it is in
   */
  static byte[] begin(String operation, ClaimPath directory, String... more) {
    StringBuilder input = new StringBuilder(LINE).append('\n');
    append(input, operation, directory.root());
    append(input, names(directory));
    append(input, more);
    return input.toString().getBytes(UTF_8);
  }

  /** The line of the program itself. */
  static byte[] program() {
    return lines(LINE);
  }

  /** The lines that name a directory. */
  static String[] names(ClaimPath directory) {
    List<String> names = directory.path().names();
    String[] lines = new String[names.size() + 1];
    lines[0] = Integer.toString(names.size());
    for (int i = 0; i < names.size(); i++) {
      lines[i + 1] = names.get(i);
    }
    return lines;
  }

  static byte[] lines(String... lines) {
    StringBuilder input = new StringBuilder();
    append(input, lines);
    return input.toString().getBytes(UTF_8);
  }

  private static void append(StringBuilder input, String... lines) {
    for (String line : lines) {
      input.append(line).append('\n');
    }
  }

  /** Reads an answer that tells of a file, without its end. */
  static WorkspaceEntry entry(String answer) {
    Matcher form = ENTRY.matcher(answer);
    if (!form.matches()) {
      throw new Problem.Broken("the pod tells '%s' of a file".formatted(shortened(answer)))
          .toException();
    }
    Kind kind =
        switch (Integer.parseUnsignedInt(form.group(1), HEX) & TYPE) {
          case TYPE_FILE -> Kind.FILE;
          case TYPE_DIRECTORY -> Kind.DIRECTORY;
          case TYPE_LINK -> Kind.LINK;
          default -> Kind.OTHER;
        };
    String fraction = Objects.requireNonNullElse(form.group(4), "0");
    long nanos = Long.parseLong(fraction + "0".repeat(NANO_DIGITS - fraction.length()));
    return new WorkspaceEntry(
        form.group(5),
        kind,
        kind == Kind.FILE ? Long.parseLong(form.group(2)) : 0,
        Instant.ofEpochSecond(Long.parseLong(form.group(3)), nanos));
  }

  static String shortened(String text) {
    int most = 500;
    String line = text.strip().replaceAll("\\R", "; ");
    return line.length() <= most ? line : line.substring(0, most) + "…";
  }
}
