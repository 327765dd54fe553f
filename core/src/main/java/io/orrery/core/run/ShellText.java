package io.orrery.core.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A text for the shell with values in it. A value goes through a variable, which a shell expands to
 * the text that it is and never reads as a command, and the place of the value is quoted so that it
 * stays one word.
 *
 * @param command the text, with {@code ${ORRERY_VALUE_1}} and so on in the place of values
 * @param variables the values by the names of these variables
 */
public record ShellText(String command, Map<String, String> variables) {
  private static final String PREFIX = "ORRERY_VALUE_";

  /** The quotes that a place stands in. */
  private enum Quotes {
    NONE,
    SINGLE,
    DOUBLE,
    COMMENT
  }

  /**
   * Reads a text.
   *
   * @param outputs the texts of outputs of tasks
   */
  public static ShellText of(ValueText text, Function<OutputRef, String> outputs) {
    StringBuilder command = new StringBuilder();
    Map<String, String> variables = new LinkedHashMap<>();
    Scanner scanner = new Scanner();
    for (ValueText.Piece piece : text.pieces()) {
      String value =
          switch (piece) {
            case ValueText.Written(String written) -> {
              scanner.read(written);
              command.append(written);
              yield null;
            }
            case ValueText.Given(String given) -> given;
            case ValueText.Output(var ref) -> outputs.apply(ref);
          };
      if (value != null) {
        String name = PREFIX + (variables.size() + 1);
        variables.put(name, value);
        command.append(
            switch (scanner.quotes) {
              case NONE -> "\"${" + name + "}\"";
              case SINGLE -> "'\"${" + name + "}\"'";
              case DOUBLE, COMMENT -> "${" + name + "}";
            });
        scanner.word();
      }
    }
    return new ShellText(command.toString(), variables);
  }

  /** Follows the quotes of a text, as POSIX has them (Shell Command Language, 2.2). */
  private static final class Scanner {
    private Quotes quotes = Quotes.NONE;
    private boolean escaped;
    private boolean atWordStart = true;

    void word() {
      atWordStart = false;
      escaped = false;
    }

    void read(String text) {
      text.chars().forEach(each -> read((char) each));
    }

    private void read(char c) {
      if (escaped) {
        escaped = false;
        atWordStart = false;
        return;
      }
      switch (quotes) {
        case NONE -> {
          if (c == '\\') {
            escaped = true;
          } else if (c == '\'') {
            quotes = Quotes.SINGLE;
          } else if (c == '"') {
            quotes = Quotes.DOUBLE;
          } else if (c == '#' && atWordStart) {
            quotes = Quotes.COMMENT;
          }
          atWordStart = Character.isWhitespace(c) || ";&|()".indexOf(c) >= 0;
        }
        case SINGLE -> {
          if (c == '\'') {
            quotes = Quotes.NONE;
          }
        }
        case DOUBLE -> {
          if (c == '\\') {
            escaped = true;
          } else if (c == '"') {
            quotes = Quotes.NONE;
          }
        }
        case COMMENT -> {
          if (c == '\n') {
            quotes = Quotes.NONE;
            atWordStart = true;
          }
        }
      }
    }
  }
}
