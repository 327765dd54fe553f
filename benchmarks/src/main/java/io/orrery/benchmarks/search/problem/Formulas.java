package io.orrery.benchmarks.search.problem;

import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Functions with a known optimum, by the name of the problem. The name may begin with {@code
 * noisy_}, and end with the number of dimensions and with {@code _shifted}, the shift being the
 * list {@code s=[…]} of the formula: the test functions below are defined for any number of
 * dimensions.
 *
 * <p>The test functions are in Surjanovic and Bingham's "Virtual library of simulation
 * experiments"; the others imitate the tuning of models.
 */
final class Formulas {
  private static final Pattern NAME =
      Pattern.compile("(?:noisy_)?([a-z_]+?)\\d*(?:_shifted|_rotated)?");
  private static final Pattern SHIFT = Pattern.compile("\\bs=\\[([^\\]]*)\\]");

  private static final double[] HARTMANN_WEIGHTS = {1, 1.2, 3, 3.2};
  private static final double[][] HARTMANN_SCALES = {
    {10, 3, 17, 3.5, 1.7, 8},
    {0.05, 10, 17, 0.1, 8, 14},
    {3, 3.5, 1.7, 10, 17, 8},
    {17, 8, 0.05, 10, 0.1, 14}
  };
  private static final double[][] HARTMANN_CENTRES = {
    {0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
    {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
    {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665},
    {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}
  };
  private static final double[] INTEGER_TARGETS = {11, 3, 27, 18, 7, 22, 14};

  private Formulas() {}

  /**
   * The function of a problem.
   *
   * @param formula in words, for its constants
   * @return null when there is none of this name, or not for so many parameters
   */
  static @Nullable ProblemObjective named(String name, SearchSpace space, String formula) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return null;
    }
    int dimensions = space.dimensions().size();
    double[] shift = shift(formula, dimensions);
    return switch (parts.group(1)) {
      case "branin" -> dimensions == 2 ? vector(space, shift, Formulas::branin) : null;
      case "hartmann" -> dimensions == 6 ? vector(space, shift, Formulas::hartmann) : null;
      case "sphere" -> vector(space, shift, x -> sum(x, v -> v * v));
      case "ackley" -> vector(space, shift, Formulas::ackley);
      case "rosenbrock" -> vector(space, shift, Formulas::rosenbrock);
      case "levy" -> vector(space, shift, Formulas::levy);
      case "rastrigin" ->
          vector(space, shift, x -> sum(x, v -> 10 + v * v - 10 * Math.cos(2 * Math.PI * v)));
      case "styblinski_tang" ->
          vector(space, shift, x -> sum(x, v -> 0.5 * (v * v * v * v - 16 * v * v + 5 * v)));
      case "michalewicz" -> vector(space, shift, Formulas::michalewicz);
      case "integer" ->
          dimensions == INTEGER_TARGETS.length ? vector(space, shift, Formulas::integers) : null;
      case "lr_ridge" -> p -> lrRidge(p.values());
      case "nested_models" -> p -> nestedModels(p.values());
      case "mixed_categorical" -> p -> mixedCategorical(p.values());
      default -> null;
    };
  }

  private static double[] shift(String formula, int dimensions) {
    Matcher list = SHIFT.matcher(formula);
    return list.find()
        ? Arrays.stream(list.group(1).split(",")).mapToDouble(Double::parseDouble).toArray()
        : new double[dimensions];
  }

  /** A function of numbers in the order of the space. */
  private static ProblemObjective vector(
      SearchSpace space, double[] shift, ToDoubleFunction<double[]> function) {
    List<String> names = List.copyOf(space.dimensions().keySet());
    return (Parameters parameters) -> {
      double[] x = new double[names.size()];
      for (int i = 0; i < x.length; i++) {
        x[i] = number(parameters.values(), names.get(i)) - shift[i];
      }
      return function.applyAsDouble(x);
    };
  }

  private interface Term {
    double of(double x);
  }

  private static double sum(double[] x, Term term) {
    double sum = 0;
    for (double v : x) {
      sum += term.of(v);
    }
    return sum;
  }

  private static double branin(double[] x) {
    double a = x[1] - 5.1 / (4 * Math.PI * Math.PI) * x[0] * x[0] + 5 / Math.PI * x[0] - 6;
    return a * a + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x[0]) + 10;
  }

  private static double hartmann(double[] x) {
    double value = 0;
    for (int i = 0; i < HARTMANN_WEIGHTS.length; i++) {
      double distance = 0;
      for (int j = 0; j < x.length; j++) {
        distance += HARTMANN_SCALES[i][j] * square(x[j] - HARTMANN_CENTRES[i][j]);
      }
      value -= HARTMANN_WEIGHTS[i] * Math.exp(-distance);
    }
    return value;
  }

  private static double ackley(double[] x) {
    double squares = sum(x, v -> v * v) / x.length;
    double waves = sum(x, v -> Math.cos(2 * Math.PI * v)) / x.length;
    return -20 * Math.exp(-0.2 * Math.sqrt(squares)) - Math.exp(waves) + 20 + Math.E;
  }

  private static double rosenbrock(double[] x) {
    return IntStream.range(0, x.length - 1)
        .mapToDouble(i -> 100 * square(x[i + 1] - x[i] * x[i]) + square(1 - x[i]))
        .sum();
  }

  private static double levy(double[] x) {
    double[] w = Arrays.stream(x).map(v -> 1 + (v - 1) / 4).toArray();
    int last = w.length - 1;
    double value = square(Math.sin(Math.PI * w[0]));
    for (int i = 0; i < last; i++) {
      value += square(w[i] - 1) * (1 + 10 * square(Math.sin(Math.PI * w[i] + 1)));
    }
    return value + square(w[last] - 1) * (1 + square(Math.sin(2 * Math.PI * w[last])));
  }

  private static double michalewicz(double[] x) {
    return -IntStream.range(0, x.length)
        .mapToDouble(i -> Math.sin(x[i]) * Math.pow(Math.sin((i + 1) * x[i] * x[i] / Math.PI), 20))
        .sum();
  }

  private static double integers(double[] x) {
    double[] d = new double[x.length];
    for (int i = 0; i < d.length; i++) {
      d[i] = (x[i] - INTEGER_TARGETS[i]) / 10;
    }
    double coupling = 0;
    for (int i = 0; i < d.length - 1; i++) {
      coupling += square(d[i] - d[i + 1]);
    }
    return sum(d, v -> v * v) + 0.5 * coupling + 0.3 * Math.abs(d[0] * d[3]);
  }

  private static double lrRidge(Map<?, ?> p) {
    double a = Math.log10(number(p, "lr"));
    double b = Math.log(number(p, "batch")) / Math.log(2);
    double w = Math.log10(number(p, "wd"));
    double dropout = number(p, "dropout");
    double r = a - 0.55 * (b - 5) * Math.log10(2) + 1.9;
    return 0.05
        + 0.16 * r * r * (r > 0 ? 3 : 1)
        + 0.012 * square(w + 4.2)
        + 0.03 * (1 - Math.exp(-square((dropout - 0.25) / 0.2)))
        + 0.004 * square(b - 5.5)
        + 0.02 * Math.abs(Math.sin(1.5 * r));
  }

  private static double nestedModels(Map<?, ?> p) {
    double s = 0.02 * square(number(p, "scale") - 0.6);
    Map<?, ?> model = (Map<?, ?>) Objects.requireNonNull(p.get("model"));
    return s
        + switch (text(model, "_name")) {
          case "linear" -> 0.31 + 0.01 * square(Math.log10(number(model, "C")) + 0.5);
          case "tree" ->
              0.22
                  + 0.006 * square(number(model, "depth") - 7)
                  + 0.05 * square(number(model, "feature") - 0.35);
          case "net" -> {
            double r = Math.log10(number(model, "lr")) + 2.6;
            yield 0.10
                + 0.05 * r * r
                + 0.015 * square(number(model, "layers") - 3)
                + 0.04 * square(number(model, "dropout") - 0.2)
                + 0.01 * (1 - Math.cos(6 * r));
          }
          default -> 0.40;
        };
  }

  private static double mixedCategorical(Map<?, ?> p) {
    String first = text(p, "cat1");
    String second = text(p, "cat2");
    boolean flag = Boolean.TRUE.equals(p.get("flag"));
    double u = number(p, "u");
    double base =
        switch (first) {
          case "a" -> 0;
          case "b" -> 0.35;
          case "c" -> 0.12;
          case "d" -> 0.5;
          default -> 0.22;
        };
    double centre =
        switch (second) {
          case "p" -> 0.7;
          case "q" -> 0.2;
          default -> 0.45;
        };
    double t = centre + (first.equals("a") || first.equals("c") ? 0.15 : -0.1);
    return base
        + (first.equals("a") && !second.equals("r") ? 0.3 : 0)
        + 2 * square(u - t)
        + 0.02 * square(number(p, "n") - (second.equals("r") ? 4 : 9))
        + (flag == second.equals("q") ? 0.08 : 0)
        + 0.05 * square(Math.log10(number(p, "g")) + 1.3)
        + 0.3 * square(number(p, "v") - 0.5 * u);
  }

  private static double square(double x) {
    return x * x;
  }

  private static double number(Map<?, ?> parameters, String name) {
    if (parameters.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("the parameter " + name + " is no number");
  }

  private static String text(Map<?, ?> parameters, String name) {
    return String.valueOf(parameters.get(name));
  }
}
