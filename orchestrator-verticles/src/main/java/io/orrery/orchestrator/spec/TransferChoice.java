package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choice of earlier experiments that a search shall learn from, as {@code transfer} says it.
 */
public sealed interface TransferChoice {
  String AUTO = ValueType.Transfer.AUTO;
  String OFF = ValueType.Transfer.OFF;

  /** The choice of none, which counts when nothing is said. */
  record Off() implements TransferChoice {}

  /** The choice of those of the same project that have most in common with it. */
  record Auto() implements TransferChoice {}

  /** The choice of these and no others. */
  record Named(List<Wanted> experiments) implements TransferChoice {
    public Named {
      experiments = List.copyOf(experiments);
    }
  }

  /**
   * An experiment that is named.
   *
   * @param renamed for names of its parameters, what they are called here; null where that is to be
   *     found out
   */
  record Wanted(ExperimentId experiment, @Nullable Map<String, String> renamed) {
    private static Wanted of(JsonNode given) {
      if (!given.isObject()) {
        return new Wanted(new ExperimentId(given.asText()), null);
      }
      ExperimentId id = new ExperimentId(given.path("id").asText());
      if (!given.has("rename")) {
        return new Wanted(id, null);
      }
      Map<String, String> renamed = new LinkedHashMap<>();
      given
          .path("rename")
          .properties()
          .forEach(entry -> renamed.put(entry.getKey(), entry.getValue().asText()));
      return new Wanted(id, renamed);
    }
  }

  /** The choice of an experiment that was read. */
  static TransferChoice of(ExperimentSpec spec) {
    JsonNode given = Json.parse(spec.description().config()).path("transfer");
    if (given.isArray()) {
      List<Wanted> named = new ArrayList<>();
      given.forEach(one -> named.add(Wanted.of(one)));
      return new Named(named);
    }
    return given.asText().equals(AUTO) ? new Auto() : new Off();
  }

  /** Refuses it where the search cannot learn. */
  static void check(ObjectNode root, AlgorithmReader.Search search, Walk walk) {
    JsonNode given = root.path("transfer");
    if (given.isMissingNode() || given.asText().equals(OFF) || walk.faultyWithin("/transfer")) {
      return;
    }
    String name = search.tuner().name();
    if (!"Auto".equalsIgnoreCase(name) || search.objectives().several()) {
      walk.refuse(
          "/transfer",
          "must be off here: only the tuner Auto with one objective learns from earlier"
              + " experiments");
    }
  }
}
