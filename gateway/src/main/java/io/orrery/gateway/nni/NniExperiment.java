package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Experiments.Action;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.discovery.NniStatus;
import io.orrery.gateway.experiment.Credentials;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;

/**
 * The NNI calls {@code check-status}, {@code experiment} of an existing one, {@code job-statistics}
 * and {@code version}.
 */
final class NniExperiment {
  /** The NNI whose API this is. */
  private static final String VERSION = "3.0.0";

  private static final int MAX_PROFILE_BYTES = 16 << 20;

  private final Bus bus;
  private final RequestBody bodies;
  private final NniTarget target;
  private final Path experiments;
  private final ExperimentIndex index;

  /** The fields that can be changed: the member of our patch, and its name in older profiles. */
  private enum UpdateType {
    TRIAL_CONCURRENCY("trialConcurrency", "trialConcurrency"),
    MAX_EXEC_DURATION("maxExperimentDuration", "maxExecDuration"),
    SEARCH_SPACE("searchSpace", "searchSpace"),
    MAX_TRIAL_NUM("maxTrialNumber", "maxTrialNum");

    final String key;
    final String olderKey;

    UpdateType(String key, String olderKey) {
      this.key = key;
      this.olderKey = olderKey;
    }
  }

  NniExperiment(
      Bus bus, RequestBody bodies, NniTarget target, Path experiments, ExperimentIndex index) {
    this.bus = bus;
    this.bodies = bodies;
    this.target = target;
    this.experiments = experiments;
    this.index = index;
  }

  void mount(ApiRouter router, String base) {
    router.stream(base + "/version", RouteNeed.CHECKED, NniExperiment::version);
    router.get(base + "/check-status", RouteNeed.CHECKED, NniErrors.told(this::status));
    router.get(base + "/experiment", RouteNeed.CHECKED, NniErrors.told(this::profile));
    router.put(
        base + "/experiment", RouteNeed.CHECKED, NniErrors.told(this::change), "update_type");
    router.delete(base + "/experiment", RouteNeed.CHECKED, NniErrors.told(this::stop));
    router.get(
        base + "/job-statistics",
        RouteNeed.CHECKED,
        NniErrors.told(context -> target.experiment(context).map(NniExperiment::statistics)));
  }

  private static void version(RoutingContext context) {
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(VERSION);
  }

  /**
   * A manager that no experiment was given to yet is INITIALIZED, and its clients wait for that.
   */
  private Future<Reply> status(RoutingContext context) {
    return target
        .experiment(context)
        .map(NniExperiment::status)
        .recover(e ->
            !target.isOne(context) && Problem.of(e) instanceof Problem.NotFound
                ? Future.succeededFuture(Reply.ok(status(ExperimentStatus.INITIALIZED)))
                : Future.failedFuture(e));
  }

  /** Ends it; a process that stands for it goes with its port, as NNI's manager would. */
  private Future<Reply> stop(RoutingContext context) {
    return target
        .id(context)
        .compose(id -> bus.request(Experiments.COMMAND, new Experiments.Command(id, Action.STOP)))
        .compose(experiment ->
            experiment.status().isFinal()
                ? index.dismiss(experiment).map(experiment)
                : Future.succeededFuture(experiment))
        .map(experiment -> {
          // Its port may be the one that this request came to, and is closed with its connections.
          context.addEndHandler(answered -> index.leave(experiment));
          return Reply.empty(200);
        });
  }

  private static ObjectNode status(ExperimentStatus status) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("status", NniStatus.of(status));
    json.putArray("errors");
    return json;
  }

  private static Reply status(Experiment experiment) {
    ObjectNode json = status(experiment.status());
    if (experiment.error() != null) {
      json.withArray("errors").add(experiment.error());
    }
    return Reply.ok(json);
  }

  private static Reply statistics(Experiment experiment) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    for (TrialStatus status : TrialStatus.values()) {
      Long count = experiment.trialCounts().get(status);
      if (count != null && count > 0) {
        list.addObject().put("trialJobStatus", status.name()).put("trialJobNumber", count);
      }
    }
    return Reply.ok(list);
  }

  private Future<Reply> profile(RoutingContext context) {
    return target
        .experiment(context)
        .compose(experiment ->
            bus.request(
                    Trials.LIST,
                    new Trials.ListSome(experiment.id(), null, "-sequenceId", null, null, 1))
                .map(last -> last.items().isEmpty() ? 0 : last.items().getFirst().sequenceId() + 1)
                .map(next -> Reply.ok(profile(experiment, next))));
  }

  /** We keep one version of a profile, the present one: its revision is always 1. */
  private ObjectNode profile(Experiment experiment, long nextSequenceId) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.set("params", Credentials.covered(Json.parse(experiment.spec().description().config())));
    json.put("id", experiment.id().value())
        .put("execDuration", (long) experiment.executionSeconds())
        .put("logDir", experiments.resolve(experiment.id().value()).toString())
        .put("startTime", NniShapes.startTime(experiment));
    if (experiment.endedAt() != null) {
      json.put("endTime", experiment.endedAt().toEpochMilli());
    }
    return json.put("nextSequenceId", nextSequenceId).put("revision", 1);
  }

  private Future<Reply> change(RoutingContext context) {
    UpdateType type = Query.of(context).oneOf("update_type", UpdateType.class);
    if (type == null) {
      throw refused("", "update_type says what to change, such as TRIAL_CONCURRENCY");
    }
    return bodies
        .text(context, MAX_PROFILE_BYTES)
        .map(text -> patch(Json.parse(text).path("params"), type))
        .compose(patch ->
            target
                .id(context)
                .compose(id ->
                    bus.request(Experiments.CHANGE, new Experiments.Change(id, Json.write(patch)))))
        .map(changed -> Reply.empty(200));
  }

  /**
   * The whole profile is sent back with one member changed; only that one is read. Under an older
   * name it stands beside the one that was sent out, and is what the client wrote.
   */
  private static ObjectNode patch(JsonNode params, UpdateType type) {
    JsonNode value = params.has(type.olderKey) ? params.get(type.olderKey) : params.get(type.key);
    if (value == null) {
      throw refused("/params/" + type.key, "the profile has no params." + type.key);
    }
    boolean text = type == UpdateType.SEARCH_SPACE && value.isTextual();
    ObjectNode patch = Json.MAPPER.createObjectNode();
    return patch.set(type.key, text ? Json.parse(value.textValue()) : value);
  }

  private static ProblemException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
