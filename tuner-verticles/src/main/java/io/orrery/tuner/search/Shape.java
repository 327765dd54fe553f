package io.orrery.tuner.search;

import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values that an {@link Option} takes. */
public sealed interface Shape<T> {
  /** One word for lists: {@code integer}, {@code number}, {@code text}, {@code object}. */
  String type();

  /** The values in words, to complete "must be …". */
  String words();

  /**
   * Reads a JSON value.
   *
   * @return null when it is no such value; what is wrong has been added to the findings
   */
  @Nullable T read(Object json, String pointer, List<Finding> findings);

  /** What an explicit null means; null when it is the same as to give nothing. */
  default @Nullable T ofNull() {
    return null;
  }

  private static void refuse(Shape<?> shape, Object json, String at, List<Finding> findings) {
    findings.add(new Finding(at, "must be " + shape.words() + ", this is " + shown(json)));
  }

  private static String shown(Object json) {
    return switch (json) {
      case String text -> "'" + text + "'";
      case Map<?, ?> map -> "an object";
      case List<?> list -> "a list";
      default -> json.toString();
    };
  }

  /** An integer between two bounds, both included; may be written {@code 3.0}. */
  record Whole(long low, long high) implements Shape<Long> {
    @Override
    public String type() {
      return "integer";
    }

    @Override
    public String words() {
      boolean bounded = low > Long.MIN_VALUE || high < Long.MAX_VALUE;
      return "an integer" + (bounded ? range(low, high, high < Long.MAX_VALUE) : "");
    }

    @Override
    public @Nullable Long read(Object json, String pointer, List<Finding> findings) {
      Long value =
          switch (json) {
            case Long l -> l;
            case Integer i -> i.longValue();
            case Double d when d == Math.rint(d) && Math.abs(d) <= 0x1.0p53 -> d.longValue();
            default -> null;
          };
      if (value == null || value < low || value > high) {
        refuse(this, json, pointer, findings);
        return null;
      }
      return value;
    }
  }

  /** A flag: true or false. */
  record Flag() implements Shape<Boolean> {
    @Override
    public String type() {
      return "boolean";
    }

    @Override
    public String words() {
      return "true or false";
    }

    @Override
    public @Nullable Boolean read(Object json, String pointer, List<Finding> findings) {
      if (json instanceof Boolean value) {
        return value;
      }
      refuse(this, json, pointer, findings);
      return null;
    }
  }

  /** A finite number between two bounds, both included. */
  record Real(double low, double high) implements Shape<Double> {
    @Override
    public String type() {
      return "number";
    }

    @Override
    public String words() {
      return "a number" + range(low, high, high < Double.MAX_VALUE);
    }

    @Override
    public @Nullable Double read(Object json, String pointer, List<Finding> findings) {
      double value = json instanceof Number number ? number.doubleValue() : Double.NaN;
      if (value >= low && value <= high && Double.isFinite(value)) {
        return value;
      }
      refuse(this, json, pointer, findings);
      return null;
    }
  }

  /** A text that is not empty. */
  record Text() implements Shape<String> {
    @Override
    public String type() {
      return "text";
    }

    @Override
    public String words() {
      return "text";
    }

    @Override
    public @Nullable String read(Object json, String pointer, List<Finding> findings) {
      if (json instanceof String text && !text.isBlank()) {
        return text;
      }
      refuse(this, json, pointer, findings);
      return null;
    }
  }

  /**
   * A choice of several words, whatever their case.
   *
   * @param ofNull the word that an explicit null stands for, if any
   */
  record Word(List<String> choices, @Nullable String ofNull) implements Shape<String> {
    public Word {
      choices = List.copyOf(choices);
    }

    public Word(List<String> choices) {
      this(choices, null);
    }

    @Override
    public String type() {
      return "text";
    }

    @Override
    public String words() {
      return "one of " + String.join(", ", choices);
    }

    @Override
    public @Nullable String read(Object json, String pointer, List<Finding> findings) {
      for (String choice : choices) {
        if (json instanceof String text && choice.equalsIgnoreCase(text)) {
          return choice;
        }
      }
      String hint = json instanceof String text ? Nearest.hint(text, choices) : "";
      findings.add(new Finding(pointer, "must be " + words() + ", this is " + shown(json) + hint));
      return null;
    }
  }

  /** An object with options of its own. */
  record Group(List<Option<?>> members) implements Shape<Arguments> {
    public Group {
      members = List.copyOf(members);
    }

    @Override
    public String type() {
      return "object";
    }

    @Override
    public String words() {
      return "an object of " + String.join(", ", members.stream().map(Option::name).toList());
    }

    @Override
    public @Nullable Arguments read(Object json, String pointer, List<Finding> findings) {
      if (json instanceof Map<?, ?> map) {
        return Arguments.read(members, map, pointer, findings);
      }
      refuse(this, json, pointer, findings);
      return null;
    }
  }

  private static String range(Number low, Number high, boolean bounded) {
    return bounded ? " from " + low + " to " + high : " of at least " + low;
  }
}
