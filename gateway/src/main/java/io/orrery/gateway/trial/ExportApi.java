package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ClientGone;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;

/**
 * The API of exports, {@code /experiments/{id}/export}: every trial that succeeded with a result,
 * page by page.
 *
 * <p>A trial of several parameter sets is there once for each of them that has a result.
 *
 * <p>JSON: {@code parameter}, {@code value} and {@code trialJobId} as NNI names them, the value as
 * JSON rather than as text, with {@code sequenceId}, {@code startedAt} and {@code endedAt} beside
 * them. CSV: an {@link ExportTable}; the trials are read twice for it, because its head must name
 * columns that the last trial may have brought.
 */
final class ExportApi implements Api {
  private final Bus bus;
  private final Clock clock;
  private final EdgeOptions options;

  public ExportApi(Bus bus, Clock clock, EdgeOptions options) {
    this.bus = bus;
    this.clock = clock;
    this.options = options;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ApiRouter.V1 + "/experiments/:experiment/export", RouteNeed.READ, this::export, "format");
  }

  private void export(RoutingContext context) {
    String format = Query.of(context).oneOf("format", List.of("json", "csv"));
    ExperimentId experiment = PathIds.experiment(context);
    Outflow out = new Outflow(context.response(), clock, options.patience(), () -> {});
    Future<Void> written =
        "csv".equals(format) ? csv(context, experiment, out) : json(context, experiment, out);
    written.onSuccess(complete -> out.end()).onFailure(context::fail);
  }

  private Future<Void> json(RoutingContext context, ExperimentId experiment, Outflow out) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    String[] before = {"["};
    return results(
            experiment,
            trials -> {
              Buffer piece = Buffer.buffer();
              for (TrialResult result : TrialResult.of(trials)) {
                piece.appendString(before[0]).appendString(Json.write(item(result)));
                before[0] = ",\n";
              }
              return out.write(piece);
            })
        .compose(read -> out.write(Buffer.buffer(before[0].equals("[") ? "[]\n" : "]\n")));
  }

  private Future<Void> csv(RoutingContext context, ExperimentId experiment, Outflow out) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/csv; charset=utf-8");
    ExportTable table = new ExportTable();
    return results(
            experiment,
            trials -> {
              TrialResult.of(trials).forEach(table::learn);
              return out.over() ? Future.failedFuture(new ClientGone()) : Future.succeededFuture();
            })
        .compose(learnt -> out.write(Buffer.buffer(table.head())))
        .compose(headed ->
            results(
                experiment,
                trials -> {
                  Buffer piece = Buffer.buffer();
                  TrialResult.of(trials).forEach(result -> piece.appendString(table.row(result)));
                  return out.write(piece);
                }));
  }

  /** Hands over the trials that succeeded with a result, in their order, page by page. */
  private Future<Void> results(ExperimentId experiment, Function<List<Trial>, Future<Void>> taker) {
    return TrialWalk.over(
        bus,
        experiment,
        TrialStatus.SUCCEEDED,
        List.of(),
        trials -> taker.apply(trials.stream().filter(t -> t.metric() != null).toList()));
  }

  private static ObjectNode item(TrialResult result) {
    Trial trial = result.trial();
    MetricValue metric = result.value();
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.set("parameter", Wire.parameters(result.parameters()));
    if (metric.document() == null) {
      json.put("value", metric.number());
    } else {
      json.set("value", Json.parse(metric.document()));
    }
    return json.put("trialJobId", trial.ref().trial().value())
        .put("sequenceId", trial.sequenceId())
        .put("startedAt", Wire.time(trial.startedAt()))
        .put("endedAt", Wire.time(trial.endedAt()));
  }
}
