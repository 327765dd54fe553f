package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which experiment is meant by what was typed. */
public final class ExperimentChoice {
  private static final String HINT = "; `orrery experiment list` shows all";

  private ExperimentChoice() {}

  /**
   * An id or the beginning of one; without any, the only experiment that has not ended, else the
   * only one there is.
   *
   * @return the experiment as the API shows it
   * @throws CommandFailure failed, naming the candidates, when it is none or not clear
   */
  public static JsonNode of(Api api, @Nullable String given) {
    return given == null ? only(api) : named(api, given);
  }

  /** The id of {@link #of}. */
  public static String idOf(Api api, @Nullable String given) {
    return of(api, given).path("id").asText();
  }

  /** Whether nothing more happens in an experiment of the API. */
  static boolean hasEnded(JsonNode experiment) {
    String status = experiment.path("status").asText();
    for (ExperimentStatus known : ExperimentStatus.values()) {
      if (known.name().equals(status)) {
        return known.isFinal();
      }
    }
    return false;
  }

  private static JsonNode only(Api api) {
    List<JsonNode> all = api.list(Resource.of("experiments"), null);
    List<JsonNode> active = all.stream().filter(e -> !hasEnded(e)).toList();
    if (active.size() == 1) {
      return active.getFirst();
    }
    if (all.size() == 1) {
      return all.getFirst();
    }
    if (all.isEmpty()) {
      throw CommandFailure.failed(
          "there is no experiment yet; `orrery experiment run FILE` makes one");
    }
    throw CommandFailure.failed(
        active.isEmpty()
            ? "no experiment is active; say which one" + HINT
            : "several experiments are active; say which one: " + ids(active));
  }

  private static JsonNode named(Api api, String given) {
    try {
      return api.get(Resource.of("experiments", given));
    } catch (ProblemResponse e) {
      if (e.status() != 404 && e.status() != 400) {
        throw e;
      }
    }
    List<JsonNode> all = api.list(Resource.of("experiments"), null);
    List<JsonNode> fitting =
        all.stream().filter(e -> e.path("id").asText().startsWith(given)).toList();
    return switch (fitting.size()) {
      case 1 -> fitting.getFirst();
      case 0 ->
          throw CommandFailure.failed(
              "there is no experiment '"
                  + given
                  + "'"
                  + Nearest.hint(given, all.stream().map(e -> e.path("id").asText()).toList())
                  + HINT);
      default ->
          throw CommandFailure.failed(
              "several experiments begin with '" + given + "': " + ids(fitting));
    };
  }

  private static String ids(List<JsonNode> experiments) {
    return experiments.stream()
        .map(e -> e.path("id").asText() + " (" + e.path("name").asText() + ")")
        .collect(Collectors.joining(", "));
  }
}
