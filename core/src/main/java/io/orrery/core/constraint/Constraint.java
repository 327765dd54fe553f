package io.orrery.core.constraint;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A condition on parameters, such as {@code optimizer != 'sgd' or optimizer.momentum < 0.95}: what
 * is tried fulfils it. As JSON it is its text, and texts that are equal are equal constraints.
 *
 * <p>Parameters are called by name, within a nested choice by path ({@code opt.lr}; {@code opt}
 * itself is the name of the branch), and a name that is no word stands between backticks. There are
 * numbers, texts in quotes, {@code true} and {@code false}; {@code + - * / % **}, comparisons,
 * which may be chained, {@code and}, {@code or}, {@code not}, and {@code min}, {@code max}, {@code
 * abs}, {@code log} (natural) and {@code exp}.
 *
 * <p><b>What does not apply holds.</b> A comparison with a parameter of a branch that a trial was
 * not given is neither true nor false, and a constraint is broken only by what makes it false. So
 * is a comparison with a quotient by zero, as IEEE 754 has it: nothing is smaller than NaN.
 */
public final class Constraint {
  /** Longest text, in characters. */
  public static final int LONGEST = 1_000;

  private final String text;
  private final Expression expression;

  private Constraint(String text, Expression expression) {
    this.text = text;
    this.expression = expression;
  }

  /**
   * Reads one.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the column of what is wrong
   */
  @JsonCreator
  public static Constraint read(String text) {
    if (text.length() > LONGEST) {
      throw refused(new Fault(LONGEST, "a constraint has at most " + LONGEST + " characters"));
    }
    try {
      return new Constraint(text, Parser.read(text));
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
    return new TypeCheck(parameters).check(expression, Kind.TRUTH, "a constraint is");
  }

  /** Whether parameters do not break it; JSON values by name. */
  public boolean holds(Map<String, ? extends @Nullable Object> parameters) {
    return !Objects.equals(new Evaluation(parameters).of(expression), false);
  }

  /** As it was written. */
  @JsonValue
  public String text() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Constraint that && that.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
