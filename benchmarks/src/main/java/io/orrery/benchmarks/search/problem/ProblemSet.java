package io.orrery.benchmarks.search.problem;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The problems of a folder: {@code problems.json} and the data that it names.
 *
 * @param problems those that can be evaluated, checked against the values that the folder gives
 * @param skipped why each of the others cannot, by name
 */
public record ProblemSet(List<SearchProblem> problems, Map<String, String> skipped) {
  /** How exactly an evaluator of plain doubles has to agree with the values of the folder. */
  private static final double EXACT = 1e-9;

  /** The same for nets, whose weights have 32 bits and whose sums may be taken in another order. */
  private static final double NEARLY = 1e-6;

  public ProblemSet {
    problems = List.copyOf(problems);
    skipped = Map.copyOf(skipped);
  }

  /**
   * Reads a folder.
   *
   * @throws IllegalStateException when an evaluator disagrees with a check point
   */
  public static ProblemSet read(Path folder) throws IOException {
    return read(Json.parse(Files.readString(folder.resolve("problems.json"))), folder);
  }

  /**
   * Reads a document.
   *
   * @param folder where the files are that it names
   */
  static ProblemSet read(JsonNode document, Path folder) throws IOException {
    List<SearchProblem> problems = new ArrayList<>();
    Map<String, String> skipped = new LinkedHashMap<>();
    for (JsonNode entry : document.path("problems")) {
      String name = entry.path("name").asText();
      JsonNode evaluation = entry.path("evaluation");
      ProblemObjective objective = objective(entry, folder);
      if (objective == null) {
        skipped.put(
            name, "no evaluator for " + evaluation.path("kind").asText() + " '" + name + "'");
      } else {
        SearchProblem problem = problem(entry, objective);
        check(
            problem,
            entry.path("check_points"),
            evaluation.path("kind").asText().equals("surrogate") ? NEARLY : EXACT);
        problems.add(problem);
      }
    }
    return new ProblemSet(problems, skipped);
  }

  private static @Nullable ProblemObjective objective(JsonNode entry, Path folder)
      throws IOException {
    JsonNode evaluation = entry.path("evaluation");
    List<Path> files = new ArrayList<>();
    evaluation.path("files").forEach(file -> files.add(folder.resolve(file.asText())));
    return switch (evaluation.path("kind").asText()) {
      case "function" ->
          Formulas.named(
              entry.path("name").asText(),
              SpaceReader.read(entry.path("search_space")),
              evaluation.path("formula").asText());
      case "table" ->
          new LookupTable(
              Json.parse(Files.readString(files.getFirst())),
              SpaceReader.read(entry.path("search_space")));
      case "surrogate" ->
          SurrogateProblem.described(
              evaluation.path("formula").asText(),
              SurrogateNet.read(files),
              entry.path("curve_length").asInt(0));
      default -> null;
    };
  }

  private static SearchProblem problem(JsonNode entry, ProblemObjective objective) {
    List<String> tags = new ArrayList<>();
    entry.path("tags").forEach(tag -> tags.add(tag.asText()));
    return new SearchProblem(
        entry.path("name").asText(),
        tags,
        SpaceReader.read(entry.path("search_space")),
        objective,
        entry.path("noise_sd").asDouble(0),
        entry.path("curve_length").asInt(0),
        entry.path("f_star").asDouble(),
        entry.path("f_ref").asDouble());
  }

  private static void check(SearchProblem problem, JsonNode points, double tolerance) {
    for (JsonNode point : points) {
      Parameters parameters = Json.MAPPER.convertValue(point.path("parameters"), Parameters.class);
      compare(problem, parameters, problem.value(parameters), point.path("value"), tolerance);
      if (point.has("curve")) {
        double[] curve = problem.curve(parameters);
        for (int epoch = 0; epoch < curve.length; epoch++) {
          compare(problem, parameters, curve[epoch], point.path("curve").path(epoch), 1e-4);
        }
      }
    }
  }

  private static void compare(
      SearchProblem problem,
      Parameters parameters,
      double ours,
      JsonNode theirs,
      double tolerance) {
    double difference = Math.abs(ours - theirs.asDouble());
    if (!(difference <= tolerance * Math.max(Math.abs(theirs.asDouble()), 1e-12))) {
      throw new IllegalStateException(
          "%s: %s has the value %s, our evaluator says %s, a difference of %.3g"
              .formatted(problem.name(), parameters.toJson(), theirs, ours, difference));
    }
  }
}
