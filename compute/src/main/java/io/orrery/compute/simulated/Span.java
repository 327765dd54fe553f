package io.orrery.compute.simulated;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A duration as a distribution over seconds. As text: {@code 10m}, {@code uniform(5m, 20m)}, {@code
 * exponential(10m)} by its mean, {@code lognormal(10m, 0.5)} by its median and the standard
 * deviation of its logarithm.
 */
record Span(String text, ToDoubleFunction<RandomGenerator> drawing) {
  /** No span is longer: a hundred years, so that no sum of them overflows. */
  static final double LONGEST = 36_500 * 86_400.0;

  private static final Map<String, Integer> ARGUMENTS =
      Map.of("constant", 1, "uniform", 2, "exponential", 1, "lognormal", 2);

  private static final Pattern CALL = Pattern.compile("([a-z]+)\\s*\\((.*)\\)");
  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{0,12})?|\\.[0-9]{1,12})\\s*(ms|[smhd]?)");

  /** One drawn, in seconds, 0 to {@link #LONGEST}. */
  double draw(RandomGenerator random) {
    return Math.clamp(drawing.applyAsDouble(random), 0, LONGEST);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException says what is wrong, as the end of a sentence
   */
  static Span read(String text) {
    String plain = text.strip().toLowerCase(Locale.ROOT);
    Matcher call = CALL.matcher(plain);
    if (!call.matches()) {
      double fixed = seconds(plain);
      return new Span(text, random -> fixed);
    }
    String name = call.group(1);
    List<String> arguments = Stream.of(call.group(2).split(",")).map(String::strip).toList();
    Integer wanted = ARGUMENTS.get(name);
    if (wanted == null || wanted != arguments.size()) {
      throw unreadable(text);
    }
    double first = seconds(arguments.getFirst());
    return switch (name) {
      case "uniform" -> {
        double last = seconds(arguments.getLast());
        if (last < first) {
          throw new IllegalArgumentException("ends before it begins: " + text);
        }
        yield new Span(text, random -> first + (last - first) * random.nextDouble());
      }
      case "exponential" -> new Span(text, random -> first * random.nextExponential());
      case "lognormal" -> {
        double spread = number(arguments.getLast());
        yield new Span(text, random -> first * Math.exp(spread * random.nextGaussian()));
      }
      default -> new Span(text, random -> first);
    };
  }

  private static double number(String text) {
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 && number <= 10) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, with what would be right.
    }
    throw new IllegalArgumentException(
        "needs a standard deviation of the logarithm from 0 to 10, this is " + text);
  }

  private static double seconds(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw unreadable(text);
    }
    double seconds = Double.parseDouble(time.group(1)) * unit(time.group(2));
    if (seconds > LONGEST) {
      throw new IllegalArgumentException("is longer than a hundred years: " + text);
    }
    return seconds;
  }

  private static double unit(String letters) {
    return switch (letters) {
      case "ms" -> 1e-3;
      case "m" -> 60;
      case "h" -> 3_600;
      case "d" -> 86_400;
      default -> 1;
    };
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        "must be a time such as 10m, uniform(5m, 20m), exponential(10m) or lognormal(10m, 0.5),"
            + " this is '"
            + text
            + "'");
  }
}
