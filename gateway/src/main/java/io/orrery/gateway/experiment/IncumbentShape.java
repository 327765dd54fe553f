package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Incumbents;
import io.orrery.core.bus.contract.Incumbents.Incumbent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds to an experiment whose search repeats trials which configuration is likely the best. */
final class IncumbentShape {
  private static final Logger LOG = LoggerFactory.getLogger(IncumbentShape.class);

  private final Bus bus;
  private final Duration timeout;

  /**
   * @param timeout the experiment itself is known: its reader does not wait for longer
   */
  IncumbentShape(Bus bus, Duration timeout) {
    this.bus = bus;
    this.timeout = timeout;
  }

  /** The same shape; without it where no server can tell yet, or there is no result. */
  Future<ObjectNode> added(ObjectNode experiment) {
    if (experiment.path("objectives").size() != 1
        || !repeats(experiment.path("config").path("tuner"))) {
      return Future.succeededFuture(experiment);
    }
    ExperimentId id = new ExperimentId(experiment.path("id").asText());
    return bus.request(Incumbents.INCUMBENT, new Incumbents.IncumbentOf(id))
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .map(incumbent -> shaped(experiment, incumbent))
        .recover(failure -> {
          if (!(failure instanceof TimeoutException)) {
            LOG.warn("could not tell the incumbent of experiment {}: {}", id, failure.getMessage());
          }
          return Future.succeededFuture(experiment);
        });
  }

  /** Whether a search tries the best again, each as its own arguments say it. */
  private static boolean repeats(JsonNode tuner) {
    JsonNode arguments = tuner.path("classArgs");
    return switch (tuner.path("name").asText().toLowerCase(Locale.ROOT)) {
      case "auto", "gp", "gptuner" -> arguments.path("repeats").asBoolean(false);
      case "metis", "metistuner" -> !arguments.path("no_resampling").asBoolean(true);
      default -> false;
    };
  }

  private static ObjectNode shaped(ObjectNode experiment, Incumbent incumbent) {
    if (incumbent.parameters() == null) {
      return experiment;
    }
    ObjectNode json = experiment.putObject("incumbent");
    json.set("parameters", Json.MAPPER.valueToTree(incumbent.parameters()));
    ArrayNode trials = json.putArray("trials");
    incumbent.trials().forEach(trial -> trials.add(trial.value()));
    json.put("mean", incumbent.mean());
    return experiment;
  }
}
