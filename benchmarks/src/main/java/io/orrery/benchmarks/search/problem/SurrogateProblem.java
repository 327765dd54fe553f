package io.orrery.benchmarks.search.problem;

import io.orrery.core.trial.Parameters;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A target and instance of a {@link SurrogateNet}, as a sentence describes them: {@code 100 -
 * accuracy predicted by the net n, instance 17, epoch=52}. Parameters are inputs by their own
 * names; a category whose parameter has another name goes to the only input that knows it.
 */
final class SurrogateProblem implements ProblemObjective {
  private static final Pattern TARGET =
      Pattern.compile("^(?:([\\d.]+)\\s*-|(-))?\\s*(.+?) predicted\\b");
  private static final Pattern INSTANCE = Pattern.compile("\\binstance ([^\\s,;]+)");
  private static final Pattern CONSTANT = Pattern.compile("\\b(\\w+)=(-?[\\d.]+(?:e-?\\d+)?)\\b");
  private static final String EPOCH = "epoch";

  private final SurrogateNet net;
  private final String target;
  private final String instance;
  private final double offset;
  private final double sign;
  private final Map<String, Object> constants;
  private final int epochs;

  private SurrogateProblem(
      SurrogateNet net,
      String target,
      String instance,
      double offset,
      double sign,
      Map<String, Object> constants,
      int epochs) {
    this.net = net;
    this.target = target;
    this.instance = instance;
    this.offset = offset;
    this.sign = sign;
    this.constants = Map.copyOf(constants);
    this.epochs = epochs;
  }

  /** Reads the sentence; null when it names no target or no instance of the net. */
  static @Nullable SurrogateProblem described(String sentence, SurrogateNet net, int epochs) {
    Matcher what = TARGET.matcher(sentence);
    Matcher which = INSTANCE.matcher(sentence);
    if (!what.find() || !which.find() || !net.instances().contains(which.group(1))) {
      return null;
    }
    String wanted = letters(what.group(3));
    String target =
        net.targets().stream().filter(t -> letters(t).equals(wanted)).findFirst().orElse(null);
    if (target == null) {
      return null;
    }
    Map<String, Object> constants = new HashMap<>();
    Matcher constant = CONSTANT.matcher(sentence);
    while (constant.find()) {
      constants.put(constant.group(1), Double.valueOf(constant.group(2)));
    }
    double offset = what.group(1) == null ? 0 : Double.parseDouble(what.group(1));
    double sign = what.group(1) == null && what.group(2) == null ? 1 : -1;
    return new SurrogateProblem(net, target, which.group(1), offset, sign, constants, epochs);
  }

  private static String letters(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  @Override
  public double value(Parameters parameters) {
    return predict(inputs(parameters));
  }

  @Override
  public double[] curve(Parameters parameters) {
    if (epochs == 0) {
      return ProblemObjective.super.curve(parameters);
    }
    Map<String, Object> inputs = inputs(parameters);
    double[] curve = new double[epochs];
    for (int epoch = 1; epoch <= epochs; epoch++) {
      inputs.put(EPOCH, epoch);
      curve[epoch - 1] = predict(inputs);
    }
    return curve;
  }

  @Override
  public double after(Parameters parameters, int epoch) {
    Map<String, Object> inputs = inputs(parameters);
    inputs.put(EPOCH, epoch);
    return predict(inputs);
  }

  private double predict(Map<String, Object> inputs) {
    return offset + sign * net.predict(target, instance, inputs);
  }

  private Map<String, Object> inputs(Parameters parameters) {
    Map<String, Object> inputs = new HashMap<>(constants);
    parameters.values().forEach((name, value) -> add(inputs, name, value));
    return inputs;
  }

  private void add(Map<String, Object> inputs, String name, @Nullable Object value) {
    if (value instanceof Map<?, ?> chosen) {
      chosen.forEach(
          (inner, v) -> add(inputs, inner.equals("_name") ? name : String.valueOf(inner), v));
    } else if (value instanceof String category && !net.hasInput(name)) {
      String input = net.inputWith(category);
      if (input == null) {
        throw new IllegalArgumentException("no single input knows the category " + category);
      }
      inputs.put(input, category);
    } else if (value != null) {
      inputs.put(name, value);
    }
  }
}
