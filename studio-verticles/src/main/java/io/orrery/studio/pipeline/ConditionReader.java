package io.orrery.studio.pipeline;

import io.orrery.core.run.Condition.Operator;
import io.orrery.studio.pipeline.TaskDocument.When;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads conditions: one comparison of two texts, or one text that is true or false. */
final class ConditionReader {
  /** Longer signs before those that they begin with. */
  private static final List<Operator> SIGNS =
      List.of(
          Operator.AT_MOST,
          Operator.AT_LEAST,
          Operator.EQUAL,
          Operator.UNEQUAL,
          Operator.LESS,
          Operator.MORE);

  private ConditionReader() {}

  /**
   * Reads a condition.
   *
   * @param wrong told of each fault, in a sentence
   * @return null when it is none
   */
  static @Nullable When read(String text, LookupScope scope, Consumer<String> wrong) {
    int at = 0;
    boolean inside = false;
    while (at < text.length()) {
      if (text.startsWith("{{", at)) {
        inside = true;
        at += 2;
      } else if (text.startsWith("}}", at)) {
        inside = false;
        at += 2;
      } else {
        Operator operator = inside ? null : signAt(text, at);
        if (operator != null) {
          return comparison(text, at, operator, scope, wrong);
        }
        at++;
      }
    }
    if (text.isBlank()) {
      wrong.accept("when is a condition such as {{parameters.epochs}} > 3");
      return null;
    }
    return new When(LookupReader.read(unquoted(text), scope, wrong), Operator.IS_TRUE, null);
  }

  private static @Nullable When comparison(
      String text, int at, Operator operator, LookupScope scope, Consumer<String> wrong) {
    String left = text.substring(0, at);
    String right = text.substring(at + operator.sign().length());
    if (left.isBlank() || right.isBlank()) {
      wrong.accept("a comparison has a value on both sides of " + operator.sign());
      return null;
    }
    return new When(
        LookupReader.read(unquoted(left), scope, wrong),
        operator,
        LookupReader.read(unquoted(right), scope, wrong));
  }

  private static @Nullable Operator signAt(String text, int at) {
    for (Operator operator : SIGNS) {
      if (text.startsWith(operator.sign(), at)) {
        return operator;
      }
    }
    return null;
  }

  private static String unquoted(String text) {
    String plain = text.strip();
    boolean quoted =
        plain.length() >= 2
            && (plain.charAt(0) == '"' || plain.charAt(0) == '\'')
            && plain.charAt(plain.length() - 1) == plain.charAt(0);
    return quoted ? plain.substring(1, plain.length() - 1) : plain;
  }
}
