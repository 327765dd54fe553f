package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The experiment that was typed; mixed into the verbs that work on one. */
public final class ExperimentChoice {
  private static final String HINT = "; `orrery experiment list` shows all";

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description =
          "The experiment's id or the beginning of it. Default: the only one that has not ended;"
              + " where nothing is changed, else the newest.")
  private @Nullable String given;

  /** The experiment that was chosen: see {@link #of}. */
  public JsonNode experiment(Api api) {
    return of(api, given);
  }

  /** The id of {@link #experiment}. */
  public String id(Api api) {
    return idOf(api, given);
  }

  /** The experiment that is looked at: see {@link #shown(Session, String)}. */
  public JsonNode shown(Session session) {
    return shown(session, given);
  }

  /**
   * The same as {@link #of}, for verbs that change nothing: where no id was given and no experiment
   * is active, the newest one, which is named on stderr.
   */
  public static JsonNode shown(Session session, @Nullable String given) {
    if (given != null) {
      return named(session.api(), checked(given));
    }
    List<JsonNode> all = session.api().list(Resource.of("experiments"), null);
    boolean noneActive = all.stream().allMatch(ExperimentChoice::hasEnded);
    if (all.size() < 2 || !noneActive) {
      return only(all);
    }
    JsonNode newest = all.getFirst();
    session.terminal().say("experiment " + ids(List.of(newest)) + ", the newest one");
    return newest;
  }

  /** As it was typed. */
  public @Nullable String given() {
    return given;
  }

  /**
   * An id or the beginning of one; without any, the only experiment that has not ended, else the
   * only one there is.
   *
   * @return the experiment as the API shows it
   * @throws CommandFailure failed, naming the candidates, when it is none or not clear; refused
   *     when the id can be none
   */
  public static JsonNode of(Api api, @Nullable String given) {
    return given == null
        ? only(api.list(Resource.of("experiments"), null))
        : named(api, checked(given));
  }

  /** Refuses a text that cannot be part of an address, such as an empty variable of a script. */
  static String checked(String given) {
    if (given.isBlank() || given.equals(".") || given.equals("..")) {
      throw CommandFailure.refused("'" + given + "' is not an experiment's id" + HINT);
    }
    return given;
  }

  /** The id of {@link #of}. */
  public static String idOf(Api api, @Nullable String given) {
    return of(api, given).path("id").asText();
  }

  /** Whether nothing more happens in an experiment of the API. */
  public static boolean hasEnded(JsonNode experiment) {
    String status = experiment.path("status").asText();
    for (ExperimentStatus known : ExperimentStatus.values()) {
      if (known.name().equals(status)) {
        return known.isFinal();
      }
    }
    return false;
  }

  private static JsonNode only(List<JsonNode> all) {
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
        .map(e -> {
          String name = e.path("name").asText("");
          return e.path("id").asText() + (name.isEmpty() ? "" : " (" + name + ")");
        })
        .collect(Collectors.joining(", "));
  }
}
