package io.orrery.core.tracking;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the words of a filter or an order from left to right. */
final class SearchScanner {
  private static final String QUOTES = "'\"`";

  private final String text;
  private final SearchSubject subject;
  private int at;

  SearchScanner(String text, SearchSubject subject) {
    this.text = text;
    this.subject = subject;
  }

  private void skipSpaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  boolean atEnd() {
    skipSpaces();
    return at == text.length();
  }

  /** Takes a word in any case, when it is the next one; a word ends where no letter follows. */
  boolean take(String word) {
    skipSpaces();
    int end = at + word.length();
    boolean there =
        text.regionMatches(true, at, word, 0, word.length())
            && (end >= text.length() || !isOfWord(text.charAt(end)));
    if (there) {
      at = end;
    }
    return there;
  }

  /** Takes a sign, when it is the next one. */
  boolean takeSign(String sign) {
    skipSpaces();
    boolean there = text.startsWith(sign, at);
    if (there) {
      at += sign.length();
    }
    return there;
  }

  /** A text in single or double quotes; null when there is none. A quote is doubled inside. */
  @Nullable String quoted() {
    skipSpaces();
    return at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')
        ? quotedText()
        : null;
  }

  private String quotedText() {
    char quote = text.charAt(at);
    StringBuilder value = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != quote) {
        value.append(c);
      } else if (i + 1 < text.length() && text.charAt(i + 1) == quote) {
        value.append(quote);
        i++;
      } else {
        at = i + 1;
        return value.toString();
      }
    }
    throw refused("the quote " + quote + " at " + (at + 1) + " has no end");
  }

  /** A number; null when there is none. */
  @Nullable Double number() {
    skipSpaces();
    int end = at;
    while (end < text.length() && "+-.0123456789eE".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    try {
      double value = Double.parseDouble(text.substring(at, end));
      at = end;
      return value;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '/' || c == ':';
  }

  /** A field, such as {@code metrics.acc}, {@code tags."my tag"} or {@code status}. */
  SearchField field() {
    skipSpaces();
    if (at < text.length() && (text.charAt(at) == '`' || text.charAt(at) == '"')) {
      return attribute(quotedText());
    }
    int from = at;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    String word = text.substring(from, at);
    if (word.isEmpty()) {
      throw refused("a field such as " + example() + " is missing at " + (from + 1));
    }
    int dot = word.indexOf('.');
    if (dot < 0) {
      return attribute(word);
    }
    String key = word.substring(dot + 1);
    if (key.isEmpty() && at < text.length() && QUOTES.indexOf(text.charAt(at)) >= 0) {
      key = quotedText();
    }
    if (key.isEmpty()) {
      throw refused("the key after '" + word + "' is missing");
    }
    return field(word.substring(0, dot), key);
  }

  private SearchField field(String prefix, String key) {
    SearchField.Kind kind =
        switch (prefix.toLowerCase(Locale.ROOT)) {
          case "metric", "metrics" -> SearchField.Kind.METRIC;
          case "param", "params", "parameter", "parameters" -> SearchField.Kind.PARAMETER;
          case "tag", "tags" -> SearchField.Kind.TAG;
          case "attr", "attribute", "attributes", "run" -> SearchField.Kind.TEXT;
          default ->
              throw refused(
                  "'%s' is none of metrics, params, tags and attributes%s"
                      .formatted(
                          prefix,
                          Nearest.hint(
                              prefix, List.of("metrics", "params", "tags", "attributes"))));
        };
    if (kind == SearchField.Kind.TEXT) {
      return attribute(key);
    }
    if (kind != SearchField.Kind.TAG && !subject.isLogged()) {
      throw refused("there are no " + prefix + " to search by; there are tags and attributes");
    }
    return new SearchField(kind, key);
  }

  private SearchField attribute(String name) {
    String attribute = subject.attribute(name);
    if (subject.hasNumber(attribute)) {
      return new SearchField(SearchField.Kind.NUMBER, attribute);
    }
    if (subject.hasText(attribute)) {
      return new SearchField(SearchField.Kind.TEXT, attribute);
    }
    throw refused(
        "there is no attribute '%s', only %s"
            .formatted(name, String.join(", ", subject.attributes())));
  }

  private String example() {
    return subject.isLogged() ? "metrics.loss" : "name";
  }

  /** What is left, shortened for a message. */
  String rest() {
    skipSpaces();
    return text.substring(at, Math.min(text.length(), at + 40));
  }

  static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
