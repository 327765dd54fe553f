package io.orrery.core.constraint;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A number that follows from parameters, such as {@code (lr - 0.1) ** 2 + 0.01 * layers}: in the
 * language of {@link Constraint}.
 */
public final class Formula {
  private final Expression expression;

  private Formula(Expression expression) {
    this.expression = expression;
  }

  /**
   * Reads one.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the column of what is wrong
   */
  public static Formula read(String text) {
    if (text.length() > Constraint.LONGEST) {
      throw refused(
          new Fault(
              Constraint.LONGEST, "a formula has at most " + Constraint.LONGEST + " characters"));
    }
    try {
      return new Formula(Parser.read(text));
    } catch (Parser.Stumble stumble) {
      throw refused(stumble.fault());
    }
  }

  private static RuntimeException refused(Fault fault) {
    return new Problem.Refused(new Finding("", fault.toString())).toException();
  }

  /**
   * What does not make sense in it.
   *
   * @param parameters all that there may be, by path
   */
  public List<Fault> check(Map<String, Kind> parameters) {
    return new TypeCheck(parameters).check(expression, Kind.NUMBER, "a formula is");
  }

  /**
   * Its value; empty when it speaks of a parameter that these do not have, or that is no number.
   *
   * @param parameters JSON values by name
   */
  public OptionalDouble of(Map<String, ? extends @Nullable Object> parameters) {
    return new Evaluation(parameters).of(expression) instanceof Double number
        ? OptionalDouble.of(number)
        : OptionalDouble.empty();
  }
}
