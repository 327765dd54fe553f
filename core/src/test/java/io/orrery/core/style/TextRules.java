package io.orrery.core.style;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks what needs no parser: words, the length of files, and the width of documents. */
final class TextRules {
  static final int MAX_LINES = 400;

  /** The most lines of a file of main code whose type doc gives the reason. */
  static final int MAX_LINES_WITH_REASON = 500;

  static final int MAX_COLUMNS = 120;

  private static final Set<String> CODE = Set.of("java", "js", "py", "css");

  /** A line that Markdown does not let us wrap: a row of a table, or a link alone. */
  private static final Pattern UNBREAKABLE =
      Pattern.compile("\\s*\\|.*|\\s*!?\\[[^]]*\\]\\S*|\\s*<?https?://\\S+");

  /** The fixed words of the reason, in a text whose line ends and stars are blanks. */
  private static final String REASON = "longer than " + MAX_LINES + " lines, because ";

  private static final Pattern LINE_END = Pattern.compile("\\s*\\n[\\s*]*");

  private TextRules() {}

  static List<Finding> check(SourceFile file) {
    List<Finding> findings = new ArrayList<>();
    words(file, findings);
    List<String> lines = file.text().lines().toList();
    if (file.kind().equals("md")) {
      for (int i = 0; i < lines.size(); i++) {
        width(file, i + 1, lines.get(i), findings);
      }
    }
    int most = givesReason(file) ? MAX_LINES_WITH_REASON : MAX_LINES;
    int length = lines.size();
    if (CODE.contains(file.kind()) && length > most) {
      findings.add(
          new Finding(Rule.FILE_LENGTH, file.path(), length, "the file has " + length + " lines"));
    }
    return findings;
  }

  private static boolean givesReason(SourceFile file) {
    return file.isJava()
        && file.path().contains("src/main/")
        && LINE_END.matcher(file.text()).replaceAll(" ").contains(REASON);
  }

  /** Searches the whole text for each word, which is ten times as quick as a regular expression. */
  private static void words(SourceFile file, List<Finding> findings) {
    String text = file.text().toLowerCase(Locale.ROOT);
    Wording.WORDS.forEach((word, better) -> {
      for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (isWord(text, at, at + word.length())) {
          int line = 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
          findings.add(
              new Finding(Rule.BANNED_WORD, file.path(), line, "\"" + word + "\"", better));
        }
      }
    });
  }

  /**
   * Says whether a match is a word of its own. It is none as part of a name such as {@code
   * a.house.B}, and none alone between quotation marks: that is a key or a value of a format.
   */
  private static boolean isWord(String text, int start, int end) {
    char before = start == 0 ? ' ' : text.charAt(start - 1);
    char after = end == text.length() ? ' ' : text.charAt(end);
    boolean isPath = before == '.' && start > 1 && !Character.isWhitespace(text.charAt(start - 2));
    boolean isKey = before == '"' && (after == '"' || text.startsWith("\\\"", end));
    return !Character.isJavaIdentifierPart(before)
        && !Character.isJavaIdentifierPart(after)
        && !isPath
        && !isKey;
  }

  private static void width(SourceFile file, int number, String line, List<Finding> findings) {
    int columns = line.codePointCount(0, line.length());
    if (columns > MAX_COLUMNS && !UNBREAKABLE.matcher(line).matches()) {
      findings.add(
          new Finding(Rule.DOC_WIDTH, file.path(), number, "the line has " + columns + " columns"));
    }
  }
}
