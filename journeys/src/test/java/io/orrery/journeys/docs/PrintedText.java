package io.orrery.journeys.docs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of output as a page shows it with output as a command printed it. Numbers, times,
 * and ids (five or eight lower-case letters and digits with at least one digit, or after a word
 * that an id follows) may differ; so may the width of blanks. {@code …} stands for any text within
 * a line, and as a line of its own for any lines.
 */
final class PrintedText {
  private static final Pattern VARIABLE =
      Pattern.compile(
          "(?<any>…)|(?<id>\\b(?=[a-z0-9]*[0-9])[a-z][a-z0-9]{4}(?:[a-z0-9]{3})?\\b)"
              + "|(?<named>(?<=\\btrial |\\bexperiment |\\bbest: )[a-z][a-z0-9]{4,7}\\b)"
              + "|(?<number>-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)|(?<blank>\\s+)");

  private PrintedText() {}

  /** The first line of a page that the output does not have in its place; null when it has all. */
  static @Nullable String firstMissing(List<String> expected, List<String> printed) {
    int at = 0;
    boolean anywhere = false;
    for (String line : expected) {
      if (line.isBlank()) {
        continue;
      }
      if (line.strip().equals("…")) {
        anywhere = true;
        continue;
      }
      Pattern pattern = pattern(line.strip());
      int found = at;
      while (found < printed.size() && !pattern.matcher(printed.get(found).strip()).matches()) {
        found = anywhere || printed.get(found).isBlank() ? found + 1 : printed.size();
      }
      if (found >= printed.size()) {
        return line;
      }
      at = found + 1;
      anywhere = false;
    }
    return null;
  }

  private static Pattern pattern(String line) {
    StringBuilder regex = new StringBuilder();
    int at = 0;
    Matcher variable = VARIABLE.matcher(line);
    while (variable.find()) {
      regex.append(Pattern.quote(line.substring(at, variable.start())));
      if (variable.group("any") != null) {
        regex.append(".*");
      } else if (variable.group("blank") != null) {
        regex.append("\\s+");
      } else if (variable.group("number") != null) {
        regex.append("(?:-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|NaN|-?Infinity)");
      } else {
        regex.append("[a-z][a-z0-9]{4,7}");
      }
      at = variable.end();
    }
    return Pattern.compile(regex.append(Pattern.quote(line.substring(at))).toString());
  }
}
