package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.experiment.ExperimentApi;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/**
 * The NNI calls {@code POST experiment} and {@code PUT experiment/cluster-metadata}, by which NNI's
 * clients start an experiment on a manager that they have started. Where an address already means
 * one, as it would of a manager that resumed it, what is posted changes nothing.
 *
 * <p>Older clients put where to run first, piece by piece; the pieces wait here for the experiment
 * that follows, which is then a configuration in NNI's v1 form.
 */
final class NniStart {
  private static final int MAX_CONFIG_BYTES = 16 << 20;
  private static final int MAX_METADATA_BYTES = 1 << 20;

  private final Bus bus;
  private final RequestBody bodies;
  private final NniTarget target;
  private final ProjectAccess projects;
  private ClusterMetadata metadata = new ClusterMetadata();

  NniStart(Bus bus, RequestBody bodies, NniTarget target) {
    this.bus = bus;
    this.bodies = bodies;
    this.target = target;
    this.projects = new ProjectAccess(bus);
  }

  void mount(ApiRouter router, String base) {
    router.post(base + "/experiment", RouteNeed.CHECKED, NniErrors.told(this::start));
    router.put(base + "/experiment/cluster-metadata", RouteNeed.SERVER, NniErrors.told(this::put));
  }

  private Future<Reply> put(RoutingContext context) {
    return bodies
        .text(context, MAX_METADATA_BYTES)
        .map(text -> {
          if (target.isOne(context)) {
            throw new Problem.Conflict(
                    "this experiment runs already: where it does cannot be changed any more")
                .toException();
          }
          metadata.put(object(text, "{\"trial_config\": {\"command\": \"python3 mnist.py\"}}"));
          return Reply.empty(200);
        });
  }

  private Future<Reply> start(RoutingContext context) {
    return bodies
        .text(context, MAX_CONFIG_BYTES)
        .compose(text -> target.isOne(context) ? running(context) : create(context, text));
  }

  private Future<Reply> running(RoutingContext context) {
    return target.experiment(context).map(found -> Reply.empty(200));
  }

  private Future<Reply> create(RoutingContext context, String text) {
    ObjectNode config = object(text, "{\"trialCommand\": \"python3 mnist.py\", …}");
    if (config.has("trainingServicePlatform")) {
      config = metadata.with(config);
      metadata = new ClusterMetadata();
    }
    String complete = Json.write(config);
    return projects
        .forCreation(context, ExperimentApi.projectOf(config))
        .compose(owned ->
            bus.request(
                Experiments.CREATE,
                new Experiments.Create(
                    complete, null, false, null, owned, Callers.serverFiles(context))))
        .map(created ->
            Reply.ok(
                Json.MAPPER
                    .createObjectNode()
                    .put(
                        "experiment_id",
                        Objects.requireNonNull(created.experiment()).id().value())));
  }

  private static ObjectNode object(String text, String example) {
    JsonNode json = Json.parse(text);
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw refused("the body is a JSON object such as " + example);
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
