package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The trial that is meant: {@code EXPERIMENT/TRIAL}, or {@code TRIAL} with or without --experiment.
 */
final class TrialChoice {
  @Parameters(
      paramLabel = "[EXPERIMENT/]TRIAL",
      description = "The trial; of both ids the beginning is enough.")
  private String given = "";

  @Option(
      names = "--experiment",
      paramLabel = "E",
      description =
          "Its experiment, when it is not in front of the trial. Default: the only active one;"
              + " where nothing is changed, else the newest.")
  private @Nullable String experiment;

  /** The path of the trial, both ids whole. */
  Resource resource(Api api, String... below) {
    return resource(api, parent -> ExperimentChoice.of(api, parent), below);
  }

  /** The same for a verb that changes nothing: without an experiment, the newest will do. */
  Resource shown(Session session, String... below) {
    return resource(session.api(), parent -> ExperimentChoice.shown(session, parent), below);
  }

  /** The trial as it was typed: its experiment, null for the default, and its own id. */
  Typed typed() {
    String trial = given;
    String parent = experiment;
    int slash = given.indexOf('/');
    if (slash >= 0) {
      parent = given.substring(0, slash);
      trial = given.substring(slash + 1);
      if (experiment != null && !experiment.startsWith(parent)) {
        throw CommandFailure.refused(
            "'" + given + "' is not a trial of experiment '" + experiment + "'");
      }
    }
    if (trial.isBlank() || trial.equals(".") || trial.equals("..")) {
      throw CommandFailure.refused(
          "'" + given + "' is not a trial's id; `orrery trial list` shows them all");
    }
    return new Typed(parent, trial);
  }

  /**
   * The two ids as they were typed.
   *
   * @param experiment null where none was
   */
  record Typed(@Nullable String experiment, String trial) {}

  private Resource resource(
      Api api, Function<@Nullable String, JsonNode> experiments, String... below) {
    Typed typed = typed();
    String trial = typed.trial();
    String experimentId = experiments.apply(typed.experiment()).path("id").asText();
    return Resource.of("experiments", experimentId, "trials", whole(api, experimentId, trial))
        .below(below);
  }

  private static String whole(Api api, String experiment, String trial) {
    try {
      return api.get(Resource.of("experiments", experiment, "trials", trial)).path("id").asText();
    } catch (ProblemResponse e) {
      if (e.status() != 404 && e.status() != 400) {
        throw e;
      }
    }
    List<String> all =
        api.list(Resource.of("experiments", experiment, "trials"), null).stream()
            .map((JsonNode t) -> t.path("id").asText())
            .toList();
    List<String> fitting = all.stream().filter(id -> id.startsWith(trial)).toList();
    return switch (fitting.size()) {
      case 1 -> fitting.getFirst();
      case 0 ->
          throw CommandFailure.failed(
              "experiment "
                  + experiment
                  + " has no trial '"
                  + trial
                  + "'"
                  + Nearest.hint(trial, all));
      default ->
          throw CommandFailure.failed(
              "several trials begin with '"
                  + trial
                  + "': "
                  + fitting.stream().limit(20).collect(Collectors.joining(", ")));
    };
  }
}
