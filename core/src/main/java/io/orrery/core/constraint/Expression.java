package io.orrery.core.constraint;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a constraint. Its value is a Double, a String or a Boolean; null when a parameter in it
 * does not exist in this trial, because its branch was not chosen, or has a value that cannot be
 * reckoned with.
 */
sealed interface Expression {
  /** Where it stands in the text, from 1. */
  int column();

  record Value(int column, Object value) implements Expression {}

  record Name(int column, String path) implements Expression {}

  record Arithmetic(int column, Operator operator, Expression left, Expression right)
      implements Expression {}

  record Negative(int column, Expression of) implements Expression {}

  record Call(int column, Function function, List<Expression> arguments) implements Expression {}

  record Comparison(int column, Relation relation, Expression left, Expression right)
      implements Expression {}

  record Not(int column, Expression of) implements Expression {}

  /** A conjunction or disjunction. */
  record Joined(int column, boolean all, List<Expression> parts) implements Expression {}

  /** Operators of arithmetic, as IEEE 754 and Python have them. */
  enum Operator {
    PLUS("+"),
    MINUS("-"),
    TIMES("*"),
    DIVIDED("/"),
    MODULO("%"),
    POWER("**");

    final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    double apply(double a, double b) {
      return switch (this) {
        case PLUS -> a + b;
        case MINUS -> a - b;
        case TIMES -> a * b;
        case DIVIDED -> a / b;
        // The remainder has the divisor's sign, as in the language that trials are written in.
        case MODULO -> a - b * Math.floor(a / b);
        case POWER -> Math.pow(a, b);
      };
    }
  }

  enum Relation {
    AT_MOST("<="),
    LESS("<"),
    AT_LEAST(">="),
    MORE(">"),
    EQUAL("=="),
    UNEQUAL("!=");

    final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    boolean ordered() {
      return this != EQUAL && this != UNEQUAL;
    }

    boolean holds(double a, double b) {
      return switch (this) {
        case AT_MOST -> a <= b;
        case LESS -> a < b;
        case AT_LEAST -> a >= b;
        case MORE -> a > b;
        case EQUAL -> a == b;
        case UNEQUAL -> a != b;
      };
    }
  }

  enum Function {
    MIN(1, Integer.MAX_VALUE),
    MAX(1, Integer.MAX_VALUE),
    ABS(1, 1),
    LOG(1, 1),
    EXP(1, 1);

    final int fewest;
    final int most;

    Function(int fewest, int most) {
      this.fewest = fewest;
      this.most = most;
    }

    double apply(double[] x) {
      double first = x[0];
      return switch (this) {
        case ABS -> Math.abs(first);
        case LOG -> Math.log(first);
        case EXP -> Math.exp(first);
        case MIN -> Arrays.stream(x).min().orElse(first);
        case MAX -> Arrays.stream(x).max().orElse(first);
      };
    }

    static @Nullable Function named(String name) {
      for (Function function : values()) {
        if (function.name().equals(name.toUpperCase(Locale.ROOT))) {
          return function;
        }
      }
      return null;
    }
  }
}
