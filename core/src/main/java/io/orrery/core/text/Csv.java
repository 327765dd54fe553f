package io.orrery.core.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines of CSV (RFC 4180), as spreadsheets read them. */
public final class Csv {
  private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r]");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private Csv() {}

  /** A line with its end. */
  public static String line(List<String> cells) {
    return cells.stream().map(Csv::quoted).collect(Collectors.joining(",", "", "\r\n"));
  }

  /**
   * Returns the content of a cell for a text that a user chose. A spreadsheet would run one that
   * begins like a formula, so that one has an apostrophe before it, as OWASP advises; a number is
   * none.
   */
  public static String text(String chosen) {
    return FORMULA.matcher(chosen).lookingAt() && !NUMBER.matcher(chosen).matches()
        ? "'" + chosen
        : chosen;
  }

  /** Returns the text that a user chose, of the content of a cell that {@link #text} made. */
  public static String chosen(String content) {
    String rest = content.isEmpty() ? "" : content.substring(1);
    return content.startsWith("'") && !text(rest).equals(rest) ? rest : content;
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
