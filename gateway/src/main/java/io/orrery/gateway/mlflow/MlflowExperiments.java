package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.ChangeExperiment;
import io.orrery.core.bus.contract.Tracking.ExperimentPage;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** MLflow's {@code experiments/…}. */
final class MlflowExperiments {
  private static final int MOST_NAME = 500;

  private final Bus bus;
  private final MlflowAccess access;
  private final ProjectAccess projects;

  MlflowExperiments(Bus bus, MlflowAccess access) {
    this.bus = bus;
    this.access = access;
    this.projects = new ProjectAccess(bus);
  }

  void mount(MlflowApi.Mount mount) {
    mount.creating("experiments/create", this::create);
    mount.get("experiments/get", this::get);
    mount.get("experiments/get-by-name", this::getByName);
    mount.post("experiments/search", this::search);
    mount.get("experiments/search", this::search);
    mount.creating(
        "experiments/update",
        (context, request) ->
            change(context, request, request.required("new_name", MOST_NAME), null, Map.of()));
    mount.post(
        "experiments/delete", (context, request) -> change(context, request, null, true, Map.of()));
    mount.post(
        "experiments/restore",
        (context, request) -> change(context, request, null, false, Map.of()));
    mount.post(
        "experiments/set-experiment-tag",
        (context, request) ->
            change(
                context,
                request,
                null,
                null,
                Map.of(
                    MlflowRequest.key("key", request.required("key", MlflowRequest.MOST_KEY)),
                    MlflowRequest.tagValue(
                        Objects.requireNonNullElse(
                            request.text("value", MlflowRequest.MOST_TAG), "")))));
  }

  private static String id(MlflowRequest request) {
    return request.required("experiment_id", TrialRunId.MOST);
  }

  private Future<ObjectNode> create(RoutingContext context, MlflowRequest request) {
    String name = request.required("name", MOST_NAME);
    Map<String, String> tags = request.tags();
    return projects
        .forCreation(context, MlflowAccess.project(context, tags))
        .compose(owner ->
            bus.request(
                Tracking.CREATE_EXPERIMENT,
                new Tracking.CreateExperiment(Callers.actor(context), owner, name, tags)))
        .map(created -> MlflowShape.object().put("experiment_id", created.id()));
  }

  private Future<ObjectNode> get(RoutingContext context, MlflowRequest request) {
    return access
        .experiment(context, id(request), Need.READ)
        .map(found -> MlflowShape.object().set("experiment", MlflowShape.of(found)));
  }

  private Future<ObjectNode> getByName(RoutingContext context, MlflowRequest request) {
    return access
        .experimentOfName(context, request.required("experiment_name", MOST_NAME))
        .map(found -> MlflowShape.object().set("experiment", MlflowShape.of(found)));
  }

  private Future<ObjectNode> search(RoutingContext context, MlflowRequest request) {
    int limit = request.limit(Tracking.MOST_ITEMS, Tracking.MOST_ITEMS);
    List<ProjectName> among = ProjectAccess.among(context, MlflowAccess.project(context, Map.of()));
    List<String> order = request.texts("order_by");
    Function<Long, SearchExperiments> wanted =
        offset ->
            new SearchExperiments(among, request.filter(), order, request.view(), limit, offset);
    return new MlflowMerge<>(MlflowFields.experiments(order), limit)
        .page(
            request.offsets(),
            offset -> page(Tracking.EXPERIMENTS, wanted.apply(offset)),
            offset -> page(TrialRuns.EXPERIMENTS, wanted.apply(offset)))
        .map(page -> {
          ObjectNode answer = MlflowShape.object();
          ArrayNode items = answer.putArray("experiments");
          page.items().forEach(each -> items.add(MlflowShape.of(each)));
          return page.into(answer);
        });
  }

  private Future<MlflowMerge.Part<TrackedExperiment>> page(
      Address<SearchExperiments, ExperimentPage> address, SearchExperiments wanted) {
    return bus.request(address, wanted)
        .map(page -> new MlflowMerge.Part<>(page.items(), page.more()));
  }

  private Future<ObjectNode> change(
      RoutingContext context,
      MlflowRequest request,
      @Nullable String name,
      @Nullable Boolean deleted,
      Map<String, String> tags) {
    return access
        .experiment(context, id(request), Need.CHANGE)
        .compose(found ->
            bus.request(
                Tracking.CHANGE_EXPERIMENT,
                new ChangeExperiment(Callers.actor(context), found.id(), name, deleted, tags)))
        .map(done -> MlflowShape.object());
  }
}
