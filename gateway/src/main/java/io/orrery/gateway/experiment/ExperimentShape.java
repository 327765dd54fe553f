package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Objective;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.http.Wire;
import java.util.List;
import java.util.Map;

/** An experiment as JSON. */
public final class ExperimentShape {
  private ExperimentShape() {}

  /** As it stands in a list: without its configuration, which may be long. */
  public static ObjectNode summary(Experiment experiment) {
    ExperimentSpec spec = experiment.spec();
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", experiment.id().value())
            .put("project", experiment.ownership().project().value())
            .put("owner", experiment.ownership().owner())
            .put("name", spec.description().name())
            .put("status", experiment.status().name())
            .put("platform", spec.job().trainingService().platform())
            .put("tuner", spec.search().tuner().label())
            .put(
                "assessor",
                spec.search().assessor() == null ? null : spec.search().assessor().label())
            .put("optimizeMode", spec.search().direction().text())
            .put("trialConcurrency", spec.limits().trialConcurrency())
            .put("maxTrialNumber", spec.limits().maxTrialNumber());
    json.set("objectives", objectives(spec.search().objectives().all()));
    json.set("maxExperimentDuration", Wire.seconds(spec.limits().maxExperimentDuration()));
    json.set("trialCounts", counts(experiment.trialCounts()));
    json.put("importedTrials", experiment.imported());
    json.set("best", best(experiment));
    return json.put("executionSeconds", experiment.executionSeconds())
        .put("createdAt", Wire.time(experiment.createdAt()))
        .put("startedAt", Wire.time(experiment.startedAt()))
        .put("endedAt", Wire.time(experiment.endedAt()))
        .put("error", experiment.error());
  }

  /** With its configuration. */
  public static ObjectNode whole(Experiment experiment) {
    ObjectNode json = summary(experiment);
    json.set("config", config(experiment.spec()));
    return json;
  }

  /** The configuration in NNI's v3 form; what looks like a credential is covered. */
  static JsonNode config(ExperimentSpec spec) {
    return Credentials.covered(Json.parse(spec.description().config()));
  }

  static ObjectNode counts(Map<TrialStatus, Long> all) {
    ObjectNode counts = Json.MAPPER.createObjectNode();
    for (TrialStatus status : TrialStatus.values()) {
      Long count = all.get(status);
      if (count != null) {
        counts.put(status.name(), count);
      }
    }
    return counts;
  }

  static ArrayNode objectives(List<Objective> all) {
    ArrayNode objectives = Json.MAPPER.createArrayNode();
    all.forEach(objective ->
        objectives
            .addObject()
            .put("metric", objective.metric())
            .put("goal", objective.goal().text()));
    return objectives;
  }

  private static JsonNode best(Experiment experiment) {
    Experiment.Best best = experiment.best();
    if (best == null) {
      return Json.MAPPER.nullNode();
    }
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("trial", best.trial().value())
            .put("metric", best.metric().number());
    json.set("parameters", Wire.parameters(best.parameters()));
    return json;
  }
}
