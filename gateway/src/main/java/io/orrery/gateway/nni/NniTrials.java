package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.trial.TrialWalk;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The NNI calls {@code trial-jobs} and {@code export-data}. */
final class NniTrials {
  private static final int MAX_PARAMETER_BYTES = 1 << 20;

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;
  private final EdgeOptions options;
  private final NniTarget target;

  NniTrials(Bus bus, RequestBody bodies, Clock clock, EdgeOptions options, NniTarget target) {
    this.bus = bus;
    this.bodies = bodies;
    this.clock = clock;
    this.options = options;
    this.target = target;
  }

  void mount(ApiRouter router, String base) {
    router.stream(base + "/trial-jobs", RouteNeed.CHECKED, this::list, "status");
    router.post(base + "/trial-jobs", RouteNeed.CHECKED, NniErrors.told(this::add));
    router.get(base + "/trial-jobs/:trial", RouteNeed.CHECKED, NniErrors.told(this::show));
    router.delete(base + "/trial-jobs/:trial", RouteNeed.CHECKED, NniErrors.told(this::cancel));
    router.stream(base + "/export-data", RouteNeed.CHECKED, this::export);
  }

  private void list(RoutingContext context) {
    TrialStatus status = Query.of(context).oneOf("status", TrialStatus.class);
    write(context, status, trial -> Stream.of(NniShapes.trial(trial)));
  }

  private void export(RoutingContext context) {
    write(context, TrialStatus.SUCCEEDED, NniShapes::export);
  }

  private void write(
      RoutingContext context,
      @Nullable TrialStatus status,
      Function<Trial, Stream<JsonNode>> shapes) {
    target
        .id(context)
        .compose(id -> {
          Outflow out = new Outflow(context.response(), clock, options.patience(), () -> {});
          JsonList list = new JsonList(context, out);
          return TrialWalk.over(
                  bus, id, status, List.of(), trials -> list.add(trials.stream().flatMap(shapes)))
              .compose(walked -> list.end());
        })
        .onFailure(context::fail);
  }

  /** NNI answers an id that it does not know with nothing at all. */
  private Future<Reply> show(RoutingContext context) {
    return target
        .knownTrial(context)
        .map(known ->
            known.map(trial -> Reply.ok(NniShapes.trial(trial))).orElseGet(() -> Reply.empty(200)));
  }

  /** One that has ended already is as it should be, to NNI. */
  private Future<Reply> cancel(RoutingContext context) {
    return target
        .ref(context)
        .compose(ref -> bus.request(Trials.CANCEL, new Trials.Cancel(ref)))
        .map(cancelled -> Reply.empty(200))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Conflict
                ? target
                    .trial(context)
                    .compose(trial ->
                        trial.status().isFinal()
                            ? Future.succeededFuture(Reply.empty(200))
                            : Future.failedFuture(failure))
                : Future.failedFuture(failure));
  }

  private Future<Reply> add(RoutingContext context) {
    return bodies
        .text(context, MAX_PARAMETER_BYTES)
        .map(NniTrials::parameters)
        .compose(parameters ->
            target
                .id(context)
                .compose(id -> bus.request(Trials.ADD, new Trials.Add(id, parameters))))
        .map(trial ->
            Reply.ok(Json.MAPPER.createObjectNode().put("sequenceId", trial.sequenceId())));
  }

  private static Parameters parameters(String text) {
    JsonNode values = Json.parse(text);
    if (!values.isObject()) {
      throw new Problem.Refused(
              new Finding("", "the parameters are a JSON object such as {\"lr\": 0.01}"))
          .toException();
    }
    return Json.MAPPER.convertValue(values, Parameters.class);
  }
}
