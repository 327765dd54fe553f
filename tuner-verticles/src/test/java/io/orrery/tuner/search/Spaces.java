package io.orrery.tuner.search;

import io.orrery.core.constraint.Constraint;
import io.orrery.core.json.Json;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The search spaces that tests share, in NNI's form. */
public final class Spaces {
  public static final SearchSpace NESTED =
      of(
          """
          {"opt": {"_type": "choice", "_value": [
             {"_name": "sgd", "lr": {"_type": "loguniform", "_value": [1e-5, 0.1]},
              "schedule": {"_type": "choice", "_value": [
                {"_name": "step", "every": {"_type": "randint", "_value": [1, 5]}},
                {"_name": "flat"}]}},
             {"_name": "none"}]},
           "layers": {"_type": "randint", "_value": [1, 4]}}
          """);

  public static final SearchSpace FINITE_NESTED =
      of(
          """
          {"a": {"_type": "choice", "_value": [
             {"_name": "x", "p": {"_type": "quniform", "_value": [-1, 1, 0.5]},
              "r": {"_type": "choice", "_value": [
                {"_name": "deep", "s": {"_type": "randint", "_value": [0, 3]}},
                {"_name": "leaf"}]}},
             {"_name": "y"}]},
           "b": {"_type": "choice", "_value": [1, "one", true, null, [1, 2], {"k": 1}, 1.0]}}
          """);

  public static final SearchSpace FINITE =
      of(
          """
          {"a": {"_type": "quniform", "_value": [2, 10, 5]},
           "b": {"_type": "randint", "_value": [-3, 4]},
           "c": {"_type": "qloguniform", "_value": [0.5, 20, 3]},
           "d": {"_type": "choice", "_value": ["x", "y"]}}
          """);

  public static final SearchSpace CONTINUOUS =
      of(
          """
          {"lr": {"_type": "loguniform", "_value": [1e-5, 0.1]},
           "momentum": {"_type": "uniform", "_value": [0, 1]},
           "width": {"_type": "quniform", "_value": [16, 512, 16]},
           "init": {"_type": "normal", "_value": [0, 0.1]},
           "act": {"_type": "choice", "_value": ["relu", "tanh", "gelu"]}}
          """);

  /** Of these some points may not be tried; of the last two a few dozen may. */
  public static final List<SearchSpace> CONSTRAINED =
      List.of(
          under(CONTINUOUS, "momentum + 1000 * lr <= 0.5 or act == 'tanh' and width < 128"),
          under(NESTED, "opt.lr < 0.001", "layers > 1 or opt == 'none'"),
          under(FINITE, "a * b <= 6", "c != 3 or d == 'y'"),
          under(FINITE_NESTED, "a.p > 0", "a == 'x' or b == 'one'"));

  /** One space for each type, and the mixtures above. */
  public static final List<SearchSpace> ALL =
      List.of(
          one("choice", "[\"a\", 2, 3.5, false, {\"n\": [1]}]"),
          one("randint", "[3, 9]"),
          one("uniform", "[-1, 2.5]"),
          one("quniform", "[0.05, 1.0, 0.1]"),
          one("loguniform", "[1e-6, 10]"),
          one("qloguniform", "[1, 1000, 7]"),
          one("normal", "[5, 2]"),
          one("qnormal", "[5, 2, 0.3]"),
          one("lognormal", "[0, 1]"),
          one("qlognormal", "[0, 1, 0.5]"),
          NESTED,
          FINITE_NESTED,
          FINITE,
          CONTINUOUS);

  private Spaces() {}

  public static SearchSpace of(String json) {
    return SpaceReader.read(Json.parse(json));
  }

  public static SearchSpace one(String type, String value) {
    return of("{\"p\": {\"_type\": \"" + type + "\", \"_value\": " + value + "}}");
  }

  public static SearchSpace under(SearchSpace space, String... constraints) {
    return space.under(Stream.of(constraints).map(Constraint::read).toList());
  }

  /** Parameters as they are after a trip through JSON. */
  public static Parameters read(String json) {
    @SuppressWarnings("unchecked")
    Map<String, Object> values = Json.read(json, Map.class);
    return new Parameters(values);
  }
}
