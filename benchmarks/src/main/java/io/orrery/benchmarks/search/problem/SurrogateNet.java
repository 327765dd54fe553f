package io.orrery.benchmarks.search.problem;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A residual net that was trained on the results of many trials, and stands in for them: blocks of
 * batch norm and two linear layers with a gate between, and a linear head. Categories enter as
 * embeddings, numbers through a list of elementary operations.
 */
final class SurrogateNet {
  private record Matrix(float[] values, int rows, int columns) {}

  private final JsonNode layout;
  private final Map<String, Matrix> tensors = new LinkedHashMap<>();
  private final double epsilon;

  private SurrogateNet(JsonNode layout, FloatBuffer weights) {
    this.layout = layout;
    this.epsilon = layout.path("bn_eps").asDouble();
    layout
        .path("tensors")
        .properties()
        .forEach(entry -> {
          JsonNode shape = entry.getValue().path("shape");
          int rows = shape.path(0).asInt();
          int columns = shape.size() > 1 ? shape.path(1).asInt() : 1;
          float[] values = new float[rows * columns];
          weights.get(entry.getValue().path("offset").asInt(), values);
          tensors.put(entry.getKey(), new Matrix(values, rows, columns));
        });
  }

  /** Reads the layout, a {@code .json} file, and the weights, a {@code .bin} file. */
  static SurrogateNet read(List<Path> files) throws IOException {
    ByteBuffer weights = ByteBuffer.wrap(Files.readAllBytes(ending(files, ".bin")));
    return new SurrogateNet(
        Json.parse(Files.readString(ending(files, ".json"))),
        weights.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
  }

  private static Path ending(List<Path> files, String suffix) {
    Predicate<Path> matches = file -> file.toString().endsWith(suffix);
    return files.stream()
        .filter(matches)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("a surrogate needs a file *" + suffix));
  }

  /** The quantities that it predicts. */
  List<String> targets() {
    return names(layout.path("targets"));
  }

  List<String> instances() {
    List<String> instances = new ArrayList<>();
    layout.path("instances").forEach(instance -> instances.add(instance.asText()));
    return instances;
  }

  /** The name of the categorical input that knows a category; null when none or several do. */
  @Nullable String inputWith(String category) {
    List<String> found =
        names(layout.path("categories")).stream()
            .filter(name -> category(name, category) >= 0)
            .toList();
    return found.size() == 1 ? found.getFirst() : null;
  }

  boolean hasInput(String name) {
    return layout.path("categories").has(name) || layout.path("pre").has(name);
  }

  /**
   * A prediction.
   *
   * @param inputs by name: numbers, or categories as text; what is absent is 0 or {@code #na#}
   */
  double predict(String target, String instance, Map<String, Object> inputs) {
    double[] h = add(times("first.weight", input(instance, inputs)), "first.bias");
    for (int k = 0; k < layout.path("blocks").asInt(); k++) {
      String block = "block" + k;
      double[] u =
          add(times(block + ".linear0.weight", norm(block + ".bn", h)), block + ".linear0.bias");
      double[] gated = new double[u.length / 2];
      for (int i = 0; i < gated.length; i++) {
        gated[i] = u[i] * Math.max(u[i + gated.length], 0);
      }
      double[] change = add(times(block + ".linear1.weight", gated), block + ".linear1.bias");
      for (int i = 0; i < h.length; i++) {
        h[i] += change[i];
      }
    }
    double[] last = norm("head.bn", h);
    for (int i = 0; i < last.length; i++) {
      last[i] = Math.max(last[i], 0);
    }
    double[] outputs = add(times("head.linear.weight", last), "head.linear.bias");
    JsonNode description = layout.path("targets").path(target);
    return through(description.path("ops"), outputs[description.path("row").asInt()]);
  }

  private double[] input(String instance, Map<String, Object> inputs) {
    List<Double> z = new ArrayList<>();
    for (float value : tensor("instance_embedding." + instance).values()) {
      z.add((double) value);
    }
    for (JsonNode name : layout.path("cat_order")) {
      Object category = inputs.getOrDefault(name.asText(), "#na#");
      Matrix embedding = tensor("embedding." + name.asText());
      int row = category(name.asText(), String.valueOf(category));
      if (row < 0) {
        throw new IllegalArgumentException(name.asText() + " has no category " + category);
      }
      for (int i = 0; i < embedding.columns(); i++) {
        z.add((double) embedding.values()[row * embedding.columns() + i]);
      }
    }
    for (JsonNode name : layout.path("cont_order")) {
      double number = inputs.get(name.asText()) instanceof Number n ? n.doubleValue() : 0;
      z.add(through(layout.path("pre").path(name.asText()), number));
    }
    return z.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private int category(String name, String category) {
    JsonNode known = layout.path("categories").path(name);
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).asText().equals(category)) {
        return i;
      }
    }
    return -1;
  }

  private static double through(JsonNode operations, double start) {
    double value = start;
    for (JsonNode operation : operations) {
      double constant = operation.path(1).asDouble();
      value =
          switch (operation.path(0).asText()) {
            case "add" -> value + constant;
            case "sub" -> value - constant;
            case "mul" -> value * constant;
            case "div" -> value / constant;
            case "log" -> Math.log(value);
            case "exp" -> Math.exp(value);
            case "neg" -> -value;
            case "sigmoid" -> 1 / (1 + Math.exp(-value));
            case "clip" -> Math.clamp(value, constant, operation.path(2).asDouble());
            default -> throw new IllegalArgumentException("unknown operation " + operation);
          };
    }
    return value;
  }

  private double[] norm(String name, double[] h) {
    float[] weight = tensor(name + ".weight").values();
    float[] bias = tensor(name + ".bias").values();
    float[] mean = tensor(name + ".mean").values();
    float[] variance = tensor(name + ".var").values();
    double[] b = new double[h.length];
    for (int i = 0; i < h.length; i++) {
      b[i] = (h[i] - mean[i]) / Math.sqrt(variance[i] + epsilon) * weight[i] + bias[i];
    }
    return b;
  }

  private double[] times(String name, double[] x) {
    Matrix matrix = tensor(name);
    double[] product = new double[matrix.rows()];
    for (int row = 0; row < product.length; row++) {
      double sum = 0;
      int offset = row * matrix.columns();
      for (int i = 0; i < x.length; i++) {
        sum += matrix.values()[offset + i] * x[i];
      }
      product[row] = sum;
    }
    return product;
  }

  private double[] add(double[] x, String name) {
    float[] bias = tensor(name).values();
    for (int i = 0; i < x.length; i++) {
      x[i] += bias[i];
    }
    return x;
  }

  private Matrix tensor(String name) {
    Matrix found = tensors.get(name);
    if (found == null) {
      throw new IllegalArgumentException("the net has no tensor " + name);
    }
    return found;
  }

  private static List<String> names(JsonNode object) {
    return object.propertyStream().map(Map.Entry::getKey).toList();
  }
}
