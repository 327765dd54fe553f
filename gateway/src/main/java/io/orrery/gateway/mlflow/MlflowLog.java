package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.Log;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.json.Json;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.http.JsonText;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Stores what MLflow's clients log to runs, and tells the history of metrics. */
final class MlflowLog {
  /** The most points of an answer; a client that does not page sees as many. */
  private static final int MOST_POINTS = 250_000;

  private static final int CHARACTERS = 90;

  private final Bus bus;
  private final RequestBody bodies;
  private final MlflowAccess access;

  MlflowLog(Bus bus, RequestBody bodies, MlflowAccess access) {
    this.bus = bus;
    this.bodies = bodies;
    this.access = access;
  }

  void mount(MlflowApi.Mount mount) {
    mount.post("runs/log-metric", this::logMetric);
    mount.post("runs/log-parameter", this::logParameter);
    mount.post("runs/set-tag", this::setTag);
    mount.post("runs/delete-tag", this::deleteTag);
    mount.raw("runs/log-batch", this::logBatch);
    mount.rawGet("metrics/get-history", this::history);
  }

  private Future<Reply> logBatch(RoutingContext context) {
    return bodies
        .bytes(context.request(), MlflowRequest.MAX_BYTES)
        .compose(body -> {
          MlflowBatch batch = MlflowBatch.read(body.getBytes());
          return log(
              context,
              new Log(batch.run(), batch.metrics(), batch.parameters(), batch.tags(), List.of()));
        })
        .map(Reply::ok);
  }

  private Future<ObjectNode> log(RoutingContext context, Log log) {
    return access
        .loggable(context, log.run())
        .compose(run -> bus.request(Tracking.LOG, log))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> logMetric(RoutingContext context, MlflowRequest request) {
    TrackedPoints points = new TrackedPoints();
    points.add(
        Objects.requireNonNullElse(request.integer("timestamp"), 0L),
        Objects.requireNonNullElse(request.integer("step"), 0L),
        MlflowBatch.number(request.required("value", 40)));
    return log(
        context,
        new Log(
            MlflowRuns.id(request),
            List.of(MlflowBatch.chunk(key(request), points)),
            Map.of(),
            Map.of(),
            List.of()));
  }

  private static String key(MlflowRequest request) {
    return MlflowRequest.key("key", request.required("key", MlflowRequest.MOST_KEY));
  }

  private Future<ObjectNode> logParameter(RoutingContext context, MlflowRequest request) {
    String value =
        Objects.requireNonNullElse(request.text("value", MlflowBatch.MOST_PARAMETER), "");
    return log(
        context,
        new Log(
            MlflowRuns.id(request), List.of(), Map.of(key(request), value), Map.of(), List.of()));
  }

  private Future<ObjectNode> setTag(RoutingContext context, MlflowRequest request) {
    String value = Objects.requireNonNullElse(request.text("value", MlflowRequest.MOST_TAG), "");
    return log(
        context,
        new Log(
            MlflowRuns.id(request), List.of(), Map.of(), Map.of(key(request), value), List.of()));
  }

  private Future<ObjectNode> deleteTag(RoutingContext context, MlflowRequest request) {
    return log(
        context,
        new Log(
            MlflowRuns.id(request),
            List.of(),
            Map.of(),
            Map.of(),
            List.of(request.required("key", MlflowRequest.MOST_KEY))));
  }

  // ---- history -------------------------------------------------------------------------------

  private Future<Reply> history(RoutingContext context) {
    return MlflowRequest.read(bodies, context)
        .compose(request -> {
          String metric = request.required("metric_key", MlflowRequest.MOST_KEY);
          String token = request.text("page_token", 200);
          int limit = request.limit(MOST_POINTS, MOST_POINTS);
          return access
              .run(context, MlflowRuns.id(request), Need.READ)
              .compose(run ->
                  bus.request(
                      TrialRunId.isOfTrial(run.id()) ? TrialRuns.HISTORY : Tracking.HISTORY,
                      new Tracking.HistoryOf(
                          run.id(),
                          metric,
                          token == null || token.isEmpty() ? null : token,
                          limit)))
              .map(history -> Reply.ok(shape(metric, history)));
        });
  }

  private static JsonText shape(String metric, Tracking.History history) {
    byte[] packed = history.packed();
    int count = TrackedPoints.count(packed);
    JsonText json = new JsonText(CHARACTERS * (count + 1));
    String key = Json.write(metric);
    json.raw("{\"metrics\":[");
    for (int i = 0; i < count; i++) {
      TrackedPoints.Point point = TrackedPoints.at(packed, i);
      json.raw(i == 0 ? "{\"key\":" : ",{\"key\":")
          .raw(key)
          .raw(",\"value\":")
          .number(point.value())
          .raw(",\"timestamp\":")
          .number(point.timestamp())
          .raw(",\"step\":")
          .number(point.step())
          .raw("}");
    }
    json.raw("]");
    if (history.next() != null) {
      json.raw(",\"next_page_token\":").raw(Json.write(history.next()));
    }
    return json.raw("}");
  }
}
