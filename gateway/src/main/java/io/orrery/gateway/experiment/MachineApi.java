package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Gpus;
import io.orrery.core.bus.contract.TrainingServices.Machine;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import org.jspecify.annotations.Nullable;

/**
 * The API of machines, {@code /experiments/…/machines}: the machines of an experiment and their
 * state.
 */
final class MachineApi implements Api {
  private final Bus bus;

  public MachineApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/experiments/:experiment/machines",
        RouteNeed.READ,
        context ->
            bus.request(
                    TrainingServices.MACHINES,
                    new TrainingServices.AskMachines(PathIds.experiment(context)))
                .map(all -> Reply.ok(shape(all))));
  }

  private static ObjectNode shape(TrainingServices.Machines all) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    ArrayNode items = json.putArray("items");
    all.machines().forEach(machine -> items.add(shape(machine)));
    return json;
  }

  private static ObjectNode shape(Machine machine) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("service", machine.service())
            .put("name", machine.name())
            .put("absence", machine.absence())
            .put("since", Wire.time(machine.since()))
            .put("heardAt", Wire.time(machine.heardAt()));
    ArrayNode trials = json.putArray("trials");
    machine.trials().forEach(trial -> trials.add(trial.value()));
    json.put("others", machine.others()).put("free", machine.free());
    json.set("gpus", shape(machine.gpus()));
    return json;
  }

  private static @Nullable ObjectNode shape(@Nullable Gpus gpus) {
    if (gpus == null) {
      return null;
    }
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("seenAt", Wire.time(gpus.seenAt()))
            .put("failure", gpus.failure())
            .put("waiting", gpus.waiting());
    ArrayNode devices = json.putArray("devices");
    gpus.devices()
        .forEach(gpu ->
            devices
                .addObject()
                .put("index", gpu.index())
                .put("name", gpu.name())
                .put("memory", gpu.memory())
                .put("trials", gpu.trials())
                .put("trouble", gpu.trouble()));
    return json;
  }
}
