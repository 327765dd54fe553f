package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.id.ExperimentId;
import io.vertx.core.Future;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds to an experiment which earlier ones it was given to learn from, and what they are worth. */
final class TransferShape {
  private static final Logger LOG = LoggerFactory.getLogger(TransferShape.class);

  /** The experiment itself is known: its reader does not wait for the rest. */
  private static final long PATIENCE_MS = 500;

  private final Bus bus;

  TransferShape(Bus bus) {
    this.bus = bus;
  }

  /** The same shape; without it where no server can tell at the moment. */
  Future<ObjectNode> added(ObjectNode experiment) {
    JsonNode chosen = experiment.path("config").path("transfer");
    if (chosen.isMissingNode() || chosen.asText().equals("off")) {
      return Future.succeededFuture(experiment);
    }
    ExperimentId id = new ExperimentId(experiment.path("id").asText());
    return bus.request(Transfers.WORTH, new Transfers.WorthOf(id))
        .timeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
        .map(worths -> experiment.<ObjectNode>set("transfer", shape(worths, experiment)))
        .recover(failure -> {
          LOG.warn("could not tell the transfer of experiment {}: {}", id, failure.getMessage());
          return Future.succeededFuture(experiment);
        });
  }

  private static ObjectNode shape(Transfers.Worths worths, ObjectNode parent) {
    ObjectNode json = parent.objectNode().put("results", worths.results());
    ArrayNode sources = json.putArray("sources");
    worths
        .sources()
        .forEach(source -> {
          ObjectNode one =
              sources
                  .addObject()
                  .put("experiment", source.experiment().value())
                  .put("name", source.name())
                  .put("trials", source.trials())
                  .put("used", source.used())
                  .put("weight", source.weight());
          ObjectNode renamed = one.putObject("renamed");
          new TreeMap<>(source.renamed()).forEach(renamed::put);
        });
    return json;
  }
}
