package io.orrery.core.trial;

import java.util.List;

/**
 * A condition on the trials of a list. A trial without a value fits no condition.
 *
 * @param values one; several where any of them will do, which only EQUAL and UNEQUAL know. Doubles
 *     for numbers, durations in seconds, times in milliseconds since the epoch; words as they are
 */
public record TrialCondition(TrialField field, Comparison comparison, List<Object> values) {
  /** The comparison of a value. */
  public enum Comparison {
    EQUAL("="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    /** As users write it. */
    public String sign() {
      return sign;
    }

    /** Whether it knows only whether two values are the same. */
    public boolean isEquality() {
      return this == EQUAL || this == UNEQUAL;
    }
  }

  public TrialCondition {
    values = List.copyOf(values);
    if (values.isEmpty() || (values.size() > 1 && !comparison.isEquality())) {
      throw new IllegalArgumentException(comparison + " with " + values.size() + " values");
    }
  }
}
