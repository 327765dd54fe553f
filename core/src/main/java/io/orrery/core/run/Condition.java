package io.orrery.core.run;

import org.jspecify.annotations.Nullable;

/**
 * A condition upon which a step runs: a comparison, or one value that is {@code true} or {@code
 * false}.
 *
 * @param right null for one value
 */
public record Condition(ValueText left, Operator operator, @Nullable ValueText right) {
  /** A comparison; {@link #IS_TRUE} has one operand. */
  public enum Operator {
    IS_TRUE(""),
    EQUAL("=="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">=");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    /** The operator as it is written. */
    public String sign() {
      return sign;
    }
  }

  /** The condition in words. */
  public String shown() {
    return right == null ? left.shown() : left.shown() + " " + operator.sign + " " + right.shown();
  }
}
