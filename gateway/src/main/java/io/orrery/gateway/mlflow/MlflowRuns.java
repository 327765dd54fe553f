package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.ChangeRun;
import io.orrery.core.bus.contract.Tracking.RunPage;
import io.orrery.core.bus.contract.Tracking.RunStatus;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.time.Clock;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.auth.Callers;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** MLflow's {@code runs/…}, except for what is logged to them. */
final class MlflowRuns {
  private static final int MOST_NAME = 500;

  private final Bus bus;
  private final MlflowAccess access;
  private final Clock clock;

  MlflowRuns(Bus bus, MlflowAccess access, Clock clock) {
    this.bus = bus;
    this.access = access;
    this.clock = clock;
  }

  void mount(MlflowApi.Mount mount) {
    mount.post("runs/create", this::create);
    mount.get("runs/get", this::get);
    mount.post("runs/update", this::update);
    mount.post("runs/delete", (context, request) -> delete(context, request, true));
    mount.post("runs/restore", (context, request) -> delete(context, request, false));
    mount.post("runs/search", this::search);
  }

  /** The id of a run, which older clients call {@code run_uuid}. */
  static String id(MlflowRequest request) {
    return request.required(request.has("run_id") ? "run_id" : "run_uuid", TrialRunId.MOST);
  }

  private Future<ObjectNode> create(RoutingContext context, MlflowRequest request) {
    Map<String, String> tags = request.tags();
    String experiment =
        Objects.requireNonNullElse(request.text("experiment_id", TrialRunId.MOST), "");
    String owner = Callers.of(context).name();
    String user = Objects.requireNonNullElse(request.text("user_id", MOST_NAME), "");
    String name = Objects.requireNonNullElse(request.text("run_name", MOST_NAME), "");
    Long start = request.integer("start_time");
    return access
        .experiment(context, experiment.isEmpty() ? Tracking.DEFAULT : experiment, Need.CREATE)
        .compose(found ->
            bus.request(
                Tracking.CREATE_RUN,
                new Tracking.CreateRun(
                    Callers.actor(context),
                    found.id(),
                    owner,
                    user.isEmpty() ? owner : user,
                    name.isEmpty() ? tags.getOrDefault(Tracking.NAME_TAG, "") : name,
                    start == null || start <= 0 ? clock.millis() : start,
                    tags)))
        .map(run -> MlflowShape.object().set("run", MlflowShape.of(run)));
  }

  private Future<ObjectNode> get(RoutingContext context, MlflowRequest request) {
    String id = id(request);
    return bus.request(
            TrialRunId.isOfTrial(id) ? TrialRuns.RUN : Tracking.RUN, new Tracking.OfRun(id))
        .map(run -> {
          MlflowAccess.require(context, run.info().ownership(), run.info().id(), Need.READ);
          return MlflowShape.object().set("run", MlflowShape.of(run));
        });
  }

  private Future<ObjectNode> update(RoutingContext context, MlflowRequest request) {
    String text = request.text("status", 40);
    RunStatus status =
        text == null
            ? null
            : RunStatus.of(text)
                .orElseThrow(() ->
                    MlflowRequest.refused(
                        "'status' is one of %s, not '%s'"
                            .formatted(List.of(RunStatus.values()), text)));
    Long end = request.integer("end_time");
    String name = request.text("run_name", MOST_NAME);
    return access
        .loggable(context, id(request))
        .compose(run ->
            change(
                context, run.id(), status, end, name == null || name.isBlank() ? null : name, null))
        .map(info -> MlflowShape.object().set("run_info", info));
  }

  private Future<ObjectNode> delete(
      RoutingContext context, MlflowRequest request, boolean deleted) {
    return access
        .run(context, id(request), Need.CHANGE)
        .compose(run -> change(context, run.id(), null, null, null, deleted))
        .map(info -> MlflowShape.object());
  }

  private Future<ObjectNode> change(
      RoutingContext context,
      String id,
      @Nullable RunStatus status,
      @Nullable Long end,
      @Nullable String name,
      @Nullable Boolean deleted) {
    return bus.request(
            Tracking.CHANGE_RUN,
            new ChangeRun(Callers.actor(context), id, status, end, name, deleted))
        .map(MlflowShape::of);
  }

  private Future<ObjectNode> search(RoutingContext context, MlflowRequest request) {
    int limit = request.limit(Tracking.MOST_ITEMS, Tracking.MOST_ITEMS);
    List<String> experiments = request.texts("experiment_ids");
    List<String> logged =
        experiments.stream().filter(id -> !TrialRunId.isOfExperiment(id)).toList();
    List<String> searches = experiments.stream().filter(TrialRunId::isOfExperiment).toList();
    return new MlflowMerge<>(MlflowFields.runs(request.texts("order_by")), limit)
        .page(
            request.offsets(),
            source(context, request, Tracking.RUNS, logged, limit),
            searches.isEmpty()
                ? MlflowMerge.Source.none()
                : source(context, request, TrialRuns.RUNS, searches, limit))
        .map(page -> {
          ObjectNode answer = MlflowShape.object();
          ArrayNode items = answer.putArray("runs");
          page.items().forEach(run -> items.add(MlflowShape.of(run)));
          return page.into(answer);
        });
  }

  private MlflowMerge.Source<TrackedRun> source(
      RoutingContext context,
      MlflowRequest request,
      Address<SearchRuns, RunPage> address,
      List<String> experiments,
      int limit) {
    return offset ->
        bus.request(
                address,
                new SearchRuns(
                    experiments,
                    Callers.visible(context),
                    request.filter(),
                    request.texts("order_by"),
                    request.view(),
                    limit,
                    offset))
            .map(page -> new MlflowMerge.Part<>(page.items(), page.more()));
  }
}
