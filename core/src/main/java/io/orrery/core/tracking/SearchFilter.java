package io.orrery.core.tracking;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the grammar of MLflow's search: comparisons with {@code AND} between them, such as
 * {@code metrics.loss < 0.3 AND params."my key" = 'x' AND tags.team ILIKE 'vis%'}.
 *
 * <p>Metrics and numeric attributes are compared with numbers by {@code = != > >= < <=}; all other
 * fields with quoted texts by {@code = != LIKE ILIKE}, attributes also by {@code IN} and {@code NOT
 * IN} with a list in brackets.
 */
public record SearchFilter(List<Comparison> comparisons) {
  /** The most characters of a filter. */
  public static final int MOST_CHARACTERS = 20_000;

  private static final int MOST_COMPARISONS = 100;
  private static final int MOST_VALUES = 1_000;

  public SearchFilter {
    comparisons = List.copyOf(comparisons);
  }

  /** The way in which a field is compared. */
  public enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    LIKE("LIKE"),
    ILIKE("ILIKE"),
    IN("IN"),
    NOT_IN("NOT IN");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    /** The operator as it is written. */
    public String sign() {
      return sign;
    }

    private boolean isOfNumbers() {
      return switch (this) {
        case EQUAL, NOT_EQUAL, GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL -> true;
        case LIKE, ILIKE, IN, NOT_IN -> false;
      };
    }
  }

  /**
   * A comparison of a field with a number, or with one text or several.
   *
   * @param number 0 unless the field is numeric
   * @param texts one, or those of a list; empty when the field is numeric
   */
  public record Comparison(
      SearchField field, Operator operator, double number, List<String> texts) {
    public Comparison {
      texts = List.copyOf(texts);
    }

    /** The text that the field is compared with. */
    public String text() {
      return texts.getFirst();
    }
  }

  /**
   * Reads a filter.
   *
   * @param text null or blank for one that all objects pass
   * @throws io.orrery.core.problem.ProblemException Refused, with what is wrong
   */
  public static SearchFilter parse(@Nullable String text, SearchSubject subject) {
    if (text == null || text.isBlank()) {
      return new SearchFilter(List.of());
    }
    if (text.length() > MOST_CHARACTERS) {
      throw SearchScanner.refused("a filter has at most %,d characters".formatted(MOST_CHARACTERS));
    }
    SearchScanner scanner = new SearchScanner(text, subject);
    List<Comparison> comparisons = new ArrayList<>();
    do {
      comparisons.add(comparison(scanner));
      if (comparisons.size() > MOST_COMPARISONS) {
        throw SearchScanner.refused(
            "a filter has at most %d comparisons".formatted(MOST_COMPARISONS));
      }
    } while (scanner.take("and"));
    if (!scanner.atEnd()) {
      throw SearchScanner.refused(
          "after a comparison there is AND or the end, not '%s'%s"
              .formatted(
                  scanner.rest(), scanner.take("or") ? "; OR is not supported, as in MLflow" : ""));
    }
    return new SearchFilter(comparisons);
  }

  private static Comparison comparison(SearchScanner scanner) {
    SearchField field = scanner.field();
    Operator operator = operator(scanner);
    if (field.kind().isNumeric()) {
      Double number = operator.isOfNumbers() ? scanner.number() : null;
      if (number == null) {
        throw SearchScanner.refused(
            "%s is compared with a number by =, !=, >, >=, <, <=; not as in '%s %s'"
                .formatted(field.key(), operator.sign(), scanner.rest()));
      }
      return new Comparison(field, operator, number, List.of());
    }
    return new Comparison(field, operator, 0, texts(scanner, field, operator));
  }

  private static Operator operator(SearchScanner scanner) {
    if (scanner.take("not")) {
      if (scanner.take("in")) {
        return Operator.NOT_IN;
      }
      throw SearchScanner.refused("after NOT there is IN, not '" + scanner.rest() + "'");
    }
    for (Operator word : List.of(Operator.LIKE, Operator.ILIKE, Operator.IN)) {
      if (scanner.take(word.sign())) {
        return word;
      }
    }
    // The longer ones first.
    for (Operator sign :
        List.of(
            Operator.GREATER_OR_EQUAL,
            Operator.LESS_OR_EQUAL,
            Operator.NOT_EQUAL,
            Operator.GREATER,
            Operator.LESS,
            Operator.EQUAL)) {
      if (scanner.takeSign(sign.sign())) {
        return sign;
      }
    }
    throw SearchScanner.refused(
        "one of =, !=, >, >=, <, <=, LIKE, ILIKE, IN is missing before '" + scanner.rest() + "'");
  }

  private static List<String> texts(SearchScanner scanner, SearchField field, Operator operator) {
    return switch (operator) {
      case EQUAL, NOT_EQUAL, LIKE, ILIKE -> List.of(text(scanner, field));
      case IN, NOT_IN -> {
        if (field.kind() != SearchField.Kind.TEXT) {
          throw SearchScanner.refused(
              "%s is compared by =, !=, LIKE, ILIKE, not by %s"
                  .formatted(field.key(), operator.sign()));
        }
        yield list(scanner, field);
      }
      case GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL ->
          throw SearchScanner.refused(
              "%s is a text: it is compared by =, !=, LIKE, ILIKE%s"
                  .formatted(
                      field.key(), field.kind() == SearchField.Kind.TEXT ? ", IN, NOT IN" : ""));
    };
  }

  private static List<String> list(SearchScanner scanner, SearchField field) {
    List<String> texts = new ArrayList<>();
    if (!scanner.takeSign("(")) {
      throw SearchScanner.refused("a list is written ('a', 'b')");
    }
    do {
      texts.add(text(scanner, field));
    } while (scanner.takeSign(",") && texts.size() <= MOST_VALUES);
    if (!scanner.takeSign(")") || texts.size() > MOST_VALUES) {
      throw SearchScanner.refused(
          "a list of at most %,d texts ends with a bracket".formatted(MOST_VALUES));
    }
    return texts;
  }

  private static String text(SearchScanner scanner, SearchField field) {
    String text = scanner.quoted();
    if (text == null) {
      throw SearchScanner.refused(
          "%s is compared with a text in quotes such as 'x', not '%s'"
              .formatted(field.key(), scanner.rest()));
    }
    return text;
  }

  /** Whether a text matches a pattern in which {@code %} stands for any text, {@code _} for one. */
  public static boolean like(String text, String pattern, boolean anyCase) {
    String subject = anyCase ? text.toLowerCase(Locale.ROOT) : text;
    String wanted = anyCase ? pattern.toLowerCase(Locale.ROOT) : pattern;
    int star = -1;
    int mark = 0;
    int at = 0;
    int p = 0;
    while (at < subject.length()) {
      if (p < wanted.length() && wanted.charAt(p) == '%') {
        star = p++;
        mark = at;
      } else if (p < wanted.length()
          && (wanted.charAt(p) == '_' || wanted.charAt(p) == subject.charAt(at))) {
        p++;
        at++;
      } else if (star >= 0) {
        p = star + 1;
        at = ++mark;
      } else {
        return false;
      }
    }
    while (p < wanted.length() && wanted.charAt(p) == '%') {
      p++;
    }
    return p == wanted.length();
  }
}
