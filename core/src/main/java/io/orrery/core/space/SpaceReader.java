package io.orrery.core.space;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.LogNormal;
import io.orrery.core.space.Dimension.LogUniform;
import io.orrery.core.space.Dimension.Normal;
import io.orrery.core.space.Dimension.Option;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.Dimension.Uniform;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a search space in NNI's JSON form ({@code {"lr": {"_type": "loguniform", "_value": [1e-5,
 * 0.1]}}}) and reports everything that is wrong with it at once, each with its pointer.
 */
public final class SpaceReader {
  private static final List<String> TYPES =
      List.of(
          "choice",
          "randint",
          "uniform",
          "quniform",
          "loguniform",
          "qloguniform",
          "normal",
          "qnormal",
          "lognormal",
          "qlognormal");

  private static final Set<String> NAS_TYPES = Set.of("layer_choice", "input_choice");

  /**
   * How far from the mean a normal draw gets, in standard deviations: the smallest probability that
   * a generator with 53 bits tells from zero is 2^-53.
   */
  private static final double REACH = 8.3;

  private final SpaceLimits limits = new SpaceLimits();
  private final SpaceFindings findings = new SpaceFindings();

  /** Whether numbers are refused that parameters of the space could not be given. */
  private final boolean strict;

  private SpaceReader(boolean strict) {
    this.strict = strict;
  }

  /**
   * Reads a space.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with all findings
   */
  public static SearchSpace read(JsonNode json) {
    return complete(read(json, ""));
  }

  /** Reads a space that was accepted by an earlier version, which knew fewer reasons to refuse. */
  static SearchSpace stored(JsonNode json) {
    return complete(read(json, "", false));
  }

  private static SearchSpace complete(Reading reading) {
    if (!reading.findings().isEmpty()) {
      throw Problem.Refused.of(reading.findings()).toException();
    }
    return reading.space();
  }

  /**
   * Reads a space that is a part of a larger document.
   *
   * @param pointer where in the document it stands
   * @return what could be read, and what is wrong with the rest
   */
  public static Reading read(JsonNode json, String pointer) {
    return read(json, pointer, true);
  }

  /** The same; one that is not strict takes numbers that earlier versions took. */
  static Reading read(JsonNode json, String pointer, boolean strict) {
    SpaceReader reader = new SpaceReader(strict);
    SearchSpace space = reader.space(json, pointer, false, 0);
    return new Reading(
        space, reader.limits.kept() ? reader.findings.all(pointer) : reader.limits.passed());
  }

  /**
   * The outcome of reading.
   *
   * @param space complete only when there are no findings
   */
  public record Reading(SearchSpace space, List<Finding> findings) {}

  private SearchSpace space(JsonNode json, String pointer, boolean branch, int depth) {
    if (!json.isObject()) {
      refuse(pointer, "a search space is an object of parameters, this is " + kind(json));
      return SearchSpace.EMPTY;
    }
    if (strict && !limits.object(pointer, json.size() - (branch ? 1 : 0), depth)) {
      return SearchSpace.EMPTY;
    }
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      if (branch && entry.getKey().equals("_name")) {
        continue;
      }
      if (strict && !limits.name(pointer, entry.getKey())) {
        break;
      }
      Dimension dimension =
          dimension(entry.getValue(), Pointer.child(pointer, entry.getKey()), depth);
      if (dimension != null) {
        dimensions.put(entry.getKey(), dimension);
      }
    }
    return new SearchSpace(dimensions);
  }

  private @Nullable Dimension dimension(JsonNode json, String pointer, int depth) {
    if (!json.isObject()) {
      return refuse(
          pointer, "a parameter is {\"_type\": …, \"_value\": […]}, this is " + kind(json));
    }
    for (String key : (Iterable<String>) json::fieldNames) {
      if (!key.equals("_type") && !key.equals("_value")) {
        refuse(Pointer.child(pointer, key), "a parameter has _type and _value only");
      }
    }
    String type = type(json.path("_type"), pointer);
    JsonNode value = json.path("_value");
    if (!value.isArray()) {
      refuse(
          value.isMissingNode() ? pointer : pointer + "/_value",
          value.isMissingNode() ? "has no _value list" : "must be a list, this is " + kind(value));
    }
    return type == null || !value.isArray()
        ? null
        : dimension(type, value, pointer + "/_value", depth);
  }

  private @Nullable String type(JsonNode json, String pointer) {
    if (json.isMissingNode()) {
      refuse(pointer, "has no _type; one of " + String.join(", ", TYPES));
    } else if (!json.isTextual() || !TYPES.contains(json.textValue())) {
      refuse(pointer + "/_type", unknownType(json.isTextual() ? json.textValue() : kind(json)));
    } else {
      return json.textValue();
    }
    return null;
  }

  private @Nullable Dimension dimension(String type, JsonNode value, String pointer, int depth) {
    return switch (type) {
      case "choice" -> choice(value, pointer, depth);
      case "randint" -> randint(value, pointer);
      case "uniform", "quniform", "loguniform", "qloguniform" -> bounded(type, value, pointer);
      default -> normal(type, value, pointer);
    };
  }

  private static String unknownType(String type) {
    if (NAS_TYPES.contains(type)) {
      return "'" + type + "' belongs to architecture search, which is not supported";
    }
    return "'"
        + type
        + "' is no type"
        + Nearest.hint(type, TYPES)
        + "; one of "
        + String.join(", ", TYPES);
  }

  private @Nullable Dimension choice(JsonNode value, String pointer, int depth) {
    if (strict && !limits.choice(pointer, value.size())) {
      return null;
    }
    if (value.isEmpty()) {
      return refuse(pointer, "a choice needs at least one option");
    }
    List<Option> options = new ArrayList<>();
    boolean named = value.get(0).isObject() && value.get(0).has("_name");
    for (int i = 0; i < value.size(); i++) {
      JsonNode element = value.get(i);
      String at = Pointer.child(pointer, i);
      if (element instanceof ObjectNode object && object.has("_name")) {
        SearchSpace inside = space(object, at, true, depth + 1);
        if (!object.get("_name").isTextual()) {
          refuse(at + "/_name", "a branch's _name is text");
        } else if (!named) {
          refuse(at, "either all options of a choice have a _name, or none");
        } else {
          options.add(new Branch(object.get("_name").textValue(), inside));
        }
      } else if (named) {
        refuse(at, "has no _name, while the first option has one");
      } else {
        Object literal = literal(element);
        String place = strict ? Numbers.firstNotFinite(literal, at) : null;
        if (place != null) {
          refuse(place, "must be a finite number, which this is not as a double");
        }
        options.add(new Literal(literal));
      }
    }
    return options.size() == value.size() ? new Choice(options) : null;
  }

  /** A JSON value as Java has it; most are plain, and need no conversion. */
  private static @Nullable Object literal(JsonNode element) {
    return switch (element.getNodeType()) {
      case STRING -> element.textValue();
      case NUMBER -> element.numberValue();
      case BOOLEAN -> element.booleanValue();
      case NULL -> null;
      default -> Json.MAPPER.convertValue(element, Object.class);
    };
  }

  private @Nullable Dimension randint(JsonNode value, String pointer) {
    int before = findings.count();
    double[] numbers = numbers(value, pointer, "[lower, upper]", 2);
    if (findings.count() > before) {
      return null;
    }
    long lower = (long) Math.ceil(numbers[0]);
    long upper = (long) Math.ceil(numbers[1]);
    if (lower >= upper) {
      return refuse(
          pointer,
          "no integer lies in ["
              + value.get(0)
              + ", "
              + value.get(1)
              + "): upper is excluded and"
              + " must be greater than lower");
    }
    if (upper - lower < 0 || Math.max(Math.abs(numbers[0]), Math.abs(numbers[1])) > 1L << 53) {
      return refuse(pointer, "integers beyond 2^53 are not exact");
    }
    if (strict && upper - lower > Numbers.MOST_EXACT) {
      return refuse(pointer, "more than 2^53 integers are not told apart");
    }
    return new RandInt(lower, upper);
  }

  private @Nullable Dimension bounded(String type, JsonNode value, String pointer) {
    boolean quantised = type.startsWith("q");
    boolean log = type.endsWith("loguniform");
    int before = findings.count();
    double[] v =
        numbers(value, pointer, quantised ? "[low, high, q]" : "[low, high]", quantised ? 3 : 2);
    if (v[0] >= v[1]) {
      refuse(pointer, "low " + value.get(0) + " is not below high " + value.get(1));
    }
    if (log && v[0] <= 0) {
      refuse(Pointer.child(pointer, 0), "a logarithm needs low above 0, this is " + value.get(0));
    }
    step(quantised ? v[2] : 1, pointer);
    if (findings.count() == before && strict) {
      width(v[0], v[1], quantised ? v[2] : 1, quantised, pointer);
    }
    if (findings.count() > before) {
      return null;
    }
    return switch (type) {
      case "uniform" -> new Uniform(v[0], v[1]);
      case "quniform" -> new QUniform(v[0], v[1], v[2]);
      case "loguniform" -> new LogUniform(v[0], v[1]);
      default -> new QLogUniform(v[0], v[1], v[2]);
    };
  }

  private @Nullable Dimension normal(String type, JsonNode value, String pointer) {
    boolean quantised = type.startsWith("q");
    int before = findings.count();
    double[] v =
        numbers(value, pointer, quantised ? "[mu, sigma, q]" : "[mu, sigma]", quantised ? 3 : 2);
    if (v[1] <= 0) {
      refuse(Pointer.child(pointer, 1), "sigma must be above 0, this is " + value.get(1));
    }
    step(quantised ? v[2] : 1, pointer);
    if (findings.count() == before && strict) {
      extremes(type.endsWith("lognormal"), v[0], v[1], quantised ? v[2] : 0, pointer);
    }
    if (findings.count() > before) {
      return null;
    }
    return switch (type) {
      case "normal" -> new Normal(v[0], v[1]);
      case "qnormal" -> new QNormal(v[0], v[1], v[2]);
      case "lognormal" -> new LogNormal(v[0], v[1]);
      default -> new QLogNormal(v[0], v[1], v[2]);
    };
  }

  /** Refuses bounds between which a draw, or its place between them, would not be a number. */
  private void width(double low, double high, double q, boolean quantised, String pointer) {
    if (!Double.isFinite(high - low)) {
      refuse(pointer, "high - low is beyond the largest number, 1.8e308");
    } else if (quantised && Math.max(Math.abs(low), Math.abs(high)) / q > Numbers.MOST_EXACT) {
      refuse(
          Pointer.child(pointer, 2),
          "the step q is too small for these bounds: multiples beyond 2^53 are not exact. Take a"
              + " larger one, or a type without q");
    }
  }

  /**
   * Refuses what draws would take out of the numbers that there are.
   *
   * @param q 0 for none
   */
  private void extremes(boolean log, double mu, double sigma, double q, String pointer) {
    double least = mu - REACH * sigma;
    double most = mu + REACH * sigma;
    least = log ? Math.exp(least) : least;
    most = log ? Math.exp(most) : most;
    String draws = log ? "draws are e^x for x" : "draws are";
    String within = draws + " within 8.3 sigma of mu, and here they reach ";
    if (!Double.isFinite(least) || !Double.isFinite(most)) {
      refuse(pointer, within + "beyond the largest number, 1.8e308: mu or sigma is too large");
    } else if (log && q == 0 && least == 0) {
      refuse(
          pointer, within + "below the smallest number, 5e-324: mu is too low, or sigma too large");
    } else if (q > 0 && !Double.isFinite(Math.max(Math.abs(least), Math.abs(most)) / q)) {
      refuse(Pointer.child(pointer, 2), "the step q is too small: draws are not multiples of it");
    }
  }

  private void step(double q, String pointer) {
    if (q <= 0) {
      refuse(Pointer.child(pointer, 2), "the step q must be above 0");
    }
  }

  /** What is no number is NaN here: after its finding no comparison finds it wrong again. */
  private double[] numbers(JsonNode value, String pointer, String form, int count) {
    if (value.size() != count) {
      refuse(pointer, "needs " + form + ", this has " + value.size() + " elements");
    }
    double[] numbers = new double[Math.max(count, value.size())];
    Arrays.fill(numbers, Double.NaN);
    for (int i = 0; i < value.size(); i++) {
      JsonNode element = value.get(i);
      if (element.isNumber() && Double.isFinite(element.doubleValue())) {
        numbers[i] = element.doubleValue();
      } else {
        refuse(Pointer.child(pointer, i), "must be a finite number, this is " + kind(element));
      }
    }
    return numbers;
  }

  private static String kind(JsonNode json) {
    return switch (json.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      case NULL -> "null";
      default -> json.toString();
    };
  }

  private @Nullable Dimension refuse(String pointer, String message) {
    findings.add(new Finding(pointer, message));
    return null;
  }
}
