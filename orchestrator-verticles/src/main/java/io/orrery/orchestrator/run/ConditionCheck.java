package io.orrery.orchestrator.run;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.Condition;
import io.orrery.core.run.ValueText;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Evaluates conditions: numbers are compared as numbers, anything else as text. */
final class ConditionCheck {
  private static final int MOST_DIGITS = 400;

  private ConditionCheck() {}

  /**
   * The result of a condition.
   *
   * @param words the condition with its values, for the reason of a step
   */
  record Result(boolean holds, String words) {}

  /**
   * Evaluates a condition.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when values cannot be compared so
   */
  static Result of(Condition condition, RunOutputs outputs) {
    String left = outputs.text(condition.left()).strip();
    ValueText second = condition.right();
    if (second == null) {
      return new Result(truth(left), left);
    }
    String right = outputs.text(second).strip();
    String words = "%s %s %s".formatted(cut(left), condition.operator().sign(), cut(right));
    BigDecimal one = number(left);
    BigDecimal other = number(right);
    boolean numbers = one != null && other != null;
    boolean holds =
        switch (condition.operator()) {
          case IS_TRUE -> truth(left);
          case EQUAL -> numbers ? compare(one, other, words) == 0 : left.equals(right);
          case UNEQUAL -> numbers ? compare(one, other, words) != 0 : !left.equals(right);
          case LESS -> compare(one, other, words) < 0;
          case AT_MOST -> compare(one, other, words) <= 0;
          case MORE -> compare(one, other, words) > 0;
          case AT_LEAST -> compare(one, other, words) >= 0;
        };
    return new Result(holds, words);
  }

  private static int compare(@Nullable BigDecimal one, @Nullable BigDecimal other, String words) {
    if (one == null || other == null) {
      throw new Problem.Refused(new Finding("", "when compares numbers, and here is " + words))
          .toException();
    }
    return one.compareTo(other);
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw new Problem.Refused(
                  new Finding("", "when is true or false, and here is " + cut(text)))
              .toException();
    };
  }

  private static @Nullable BigDecimal number(String text) {
    if (text.length() > MOST_DIGITS) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      // 1e999999999 would take for ever to compare.
      return Math.abs((long) number.scale()) > MOST_DIGITS ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String cut(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
