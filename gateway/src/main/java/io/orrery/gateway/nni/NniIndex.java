package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code experiment-metadata} and {@code experiments-info}: entries of NNI's index of experiments.
 *
 * <p>The {@code pid} of an entry is null: NNI's clients end that process when they cannot stop an
 * experiment otherwise, and ours serves all experiments.
 */
final class NniIndex {
  private static final int PAGE = 200;

  private final Bus bus;
  private final NniTarget target;
  private final Path experiments;

  NniIndex(Bus bus, NniTarget target, Path experiments) {
    this.bus = bus;
    this.target = target;
    this.experiments = experiments;
  }

  void mount(ApiRouter router, String base) {
    router.get(
        base + "/experiment-metadata",
        NniErrors.told(
            context -> target.experiment(context).map(found -> Reply.ok(entry(found, context)))));
    router.get(base + "/experiments-info", NniErrors.told(this::all));
  }

  private Future<Reply> all(RoutingContext context) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    Promise<Reply> done = Promise.promise();
    next(context, null, list, done);
    return done.future();
  }

  private void next(
      RoutingContext context, @Nullable String cursor, ArrayNode list, Promise<Reply> done) {
    bus.request(Experiments.LIST, new Experiments.ListAll(cursor, PAGE))
        .onSuccess(page -> {
          page.items().forEach(experiment -> list.add(entry(experiment, context)));
          if (page.next() == null) {
            done.complete(Reply.ok(list));
          } else {
            next(context, page.next(), list, done);
          }
        })
        .onFailure(done::fail);
  }

  private ObjectNode entry(Experiment experiment, RoutingContext context) {
    String id = experiment.id().value();
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", id)
            .put("port", target.port(experiment.id(), context))
            .put("startTime", NniShapes.startTime(experiment));
    if (experiment.endedAt() == null) {
      json.put("endTime", "N/A");
    } else {
      json.put("endTime", experiment.endedAt().toEpochMilli());
    }
    json.put("status", NniShapes.status(experiment.status()))
        .put("platform", experiment.spec().trainingService().platform())
        .put("experimentName", experiment.spec().name());
    json.putArray("tag");
    json.putNull("pid");
    json.putArray("webuiUrl");
    return json.put("logDir", experiments.resolve(id).toString())
        .put("prefixUrl", "experiments/" + id);
  }
}
