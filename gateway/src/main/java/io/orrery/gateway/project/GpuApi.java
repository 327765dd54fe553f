package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Gpus;
import io.orrery.core.bus.contract.Gpus.GpuHolder;
import io.orrery.core.bus.contract.Gpus.GpuUse;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.run.RunId;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API of the GPUs of the servers' machines, {@code /api/v1/usage/gpus}: which are free, and
 * which are held by something that does not use them. What holds one is named to who may see it.
 */
final class GpuApi implements Api {
  private final Bus bus;

  public GpuApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ApiRouter.V1 + "/usage/gpus", RouteNeed.STUDIO, this::show);
  }

  private Future<Reply> show(RoutingContext context) {
    List<ProjectName> visible = Callers.visible(context);
    return bus.request(Gpus.ALL, new Gpus.AskGpus())
        .compose(all -> owners(all).map(owners -> Reply.ok(shape(all, owners, visible))));
  }

  /** Finds the owners of all that holds a GPU. */
  private Future<Map<GpuHolder, ResourceOwner>> owners(Gpus.AllGpus all) {
    Map<GpuHolder, ResourceOwner> owners = new HashMap<>();
    List<Future<Void>> asked =
        all.machines().stream()
            .flatMap(machine -> machine.gpus().stream())
            .flatMap(gpu -> gpu.holders().stream())
            .distinct()
            .map(holder ->
                owner(holder)
                    .map(owner -> {
                      owners.put(holder, owner);
                      return (Void) null;
                    })
                    .otherwiseEmpty())
            .toList();
    return Future.join(asked).map(owners);
  }

  private Future<ResourceOwner> owner(GpuHolder holder) {
    return switch (holder.kind()) {
      case "run" ->
          bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(new RunId(holder.name())))
              .map(found -> new ResourceOwner(found.run().project(), found.run().owner()));
      case "experiment" ->
          bus.request(
              Experiments.OWNERSHIP, new Experiments.GetOwnership(new ExperimentId(holder.name())));
      default ->
          bus.request(
                  Workloads.GET,
                  new Workloads.Get(new WorkloadRef(WorkloadKind.of(holder.kind()), holder.name())))
              .map(found -> new ResourceOwner(found.project(), found.owner()));
    };
  }

  private static ObjectNode shape(
      Gpus.AllGpus all, Map<GpuHolder, ResourceOwner> owners, @Nullable List<ProjectName> visible) {
    ObjectNode shape = Json.MAPPER.createObjectNode();
    ArrayNode items = shape.putArray("items");
    all.machines()
        .forEach(machine ->
            machine
                .gpus()
                .forEach(gpu -> {
                  ObjectNode item = items.addObject().put("machine", machine.machine());
                  item.put("at", Wire.time(machine.at()));
                  fill(item, gpu, owners, visible);
                }));
    ArrayNode failures = shape.putArray("failures");
    all.machines().stream()
        .filter(machine -> machine.failure() != null)
        .forEach(machine ->
            failures
                .addObject()
                .put("machine", machine.machine())
                .put("reason", machine.failure()));
    shape.putNull("next");
    return shape;
  }

  private static void fill(
      ObjectNode item,
      GpuUse gpu,
      Map<GpuHolder, ResourceOwner> owners,
      @Nullable List<ProjectName> visible) {
    item.put("index", gpu.index()).put("name", gpu.name());
    item.put("state", gpu.state().name().toLowerCase(Locale.ROOT));
    item.put("percent", gpu.percent());
    item.put("usedMemory", gpu.usedMemory() == null ? null : gpu.usedMemory() << 20);
    item.put("since", gpu.since() == null ? null : Wire.time(gpu.since()));
    ArrayNode holders = item.putArray("holders");
    int hidden = 0;
    for (GpuHolder holder : gpu.holders()) {
      Optional<ResourceOwner> owner = Optional.ofNullable(owners.get(holder));
      if (visible == null || owner.filter(found -> visible.contains(found.project())).isPresent()) {
        ObjectNode shown =
            holders.addObject().put("kind", holder.kind()).put("name", holder.name());
        shown.put("project", owner.map(found -> found.project().value()).orElse(null));
        shown.put("user", owner.map(ResourceOwner::owner).orElse(null));
      } else {
        hidden++;
      }
    }
    item.put("others", hidden);
  }
}
