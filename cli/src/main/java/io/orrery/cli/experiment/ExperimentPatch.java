package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import java.util.ArrayList;
import java.util.List;

/** A change of an experiment; the server checks the values. */
public final class ExperimentPatch {
  private final ObjectNode changes = JsonNodeFactory.instance.objectNode();

  /** Trials at the same time. */
  public ExperimentPatch trialConcurrency(int trials) {
    changes.put("trialConcurrency", trials);
    return this;
  }

  /** Trials in all. */
  public ExperimentPatch maxTrialNumber(int trials) {
    changes.put("maxTrialNumber", trials);
    return this;
  }

  /**
   * How long the experiment may run.
   *
   * @param duration seconds, or with a unit as in {@code 90m}
   */
  public ExperimentPatch maxExperimentDuration(String duration) {
    if (duration.matches("[0-9]{1,9}")) {
      changes.put("maxExperimentDuration", Long.parseLong(duration));
    } else {
      changes.put("maxExperimentDuration", duration);
    }
    return this;
  }

  public ExperimentPatch searchSpace(JsonNode space) {
    changes.set("searchSpace", space);
    return this;
  }

  /** Another limit, by its key in an experiment file. */
  ExperimentPatch limit(String key, int most) {
    changes.put(key, most);
    return this;
  }

  /** The keys that change, as an experiment file has them. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    changes.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** The changes as the API takes them. */
  JsonNode body() {
    return changes;
  }

  /**
   * Makes the changes.
   *
   * @return the experiment after them
   */
  public JsonNode apply(Api api, String experiment) {
    return api.patch(Resource.of("experiments", experiment), changes);
  }
}
