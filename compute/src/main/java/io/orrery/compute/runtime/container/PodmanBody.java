package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Map;

/**
 * Makes the body of Podman's own {@code POST /libpod/containers/create} of the one of Docker's API,
 * by which Podman gives no devices of the Container Device Interface.
 */
final class PodmanBody {
  /** The period of the scheduler in microseconds, as Docker's API has it. */
  private static final long PERIOD = 100_000;

  private static final long NANOS = 1_000_000_000;

  private static final Map<String, String> SAME =
      Map.of(
          "Image",
          "image",
          "Entrypoint",
          "entrypoint",
          "Cmd",
          "command",
          "Labels",
          "labels",
          "WorkingDir",
          "work_dir",
          "User",
          "user");

  private PodmanBody() {}

  /**
   * Translates a body.
   *
   * @param body as {@link ContainerBody} makes it
   * @param devices the full names, such as {@code nvidia.com/gpu=0}
   */
  static ObjectNode of(String name, ObjectNode body, List<String> devices) {
    ObjectNode made = Json.MAPPER.createObjectNode().put("name", name);
    SAME.forEach((from, to) -> {
      if (body.has(from)) {
        made.set(to, body.get(from));
      }
    });
    ObjectNode variables = made.putObject("env");
    for (JsonNode each : body.path("Env")) {
      String[] parts = each.asText().split("=", 2);
      variables.put(parts[0], parts[1]);
    }
    JsonNode host = body.path("HostConfig");
    made.putObject("netns").put("nsmode", host.path("NetworkMode").asText());
    made.put("init", host.path("Init").asBoolean());
    made.put("restart_policy", host.at("/RestartPolicy/Name").asText());
    limit(made, host);
    mount(made.putArray("mounts"), host);
    if (host.has("ShmSize")) {
      made.put("shm_size", host.get("ShmSize").asLong());
    }
    publish(made.putArray("portmappings"), host.path("PortBindings"));
    ArrayNode list = made.putArray("devices");
    devices.forEach(device -> list.addObject().put("path", device));
    return made;
  }

  private static void limit(ObjectNode made, JsonNode host) {
    ObjectNode limits = made.putObject("resource_limits");
    if (host.has("Memory")) {
      limits.withObject("/memory").put("limit", host.get("Memory").asLong());
      limits.withObject("/memory").put("swap", host.path("MemorySwap").asLong());
    }
    if (host.has("MemoryReservation")) {
      limits.withObject("/memory").put("reservation", host.get("MemoryReservation").asLong());
    }
    if (host.has("NanoCpus")) {
      limits
          .withObject("/cpu")
          .put("period", PERIOD)
          .put("quota", host.get("NanoCpus").asLong() * PERIOD / NANOS);
    }
  }

  private static void mount(ArrayNode mounts, JsonNode host) {
    for (JsonNode each : host.path("Mounts")) {
      ObjectNode mount = mounts.addObject().put("destination", each.path("Target").asText());
      ArrayNode options = mount.put("type", each.path("Type").asText()).putArray("options");
      if (each.has("TmpfsOptions")) {
        mount.put("source", "tmpfs");
        options.add("size=" + each.at("/TmpfsOptions/SizeBytes").asLong());
        options.add("mode=" + Long.toOctalString(each.at("/TmpfsOptions/Mode").asLong()));
      } else {
        mount.put("source", each.path("Source").asText());
        options.add("rbind").add(each.path("ReadOnly").asBoolean() ? "ro" : "rw");
      }
    }
    for (JsonNode each : host.path("Binds")) {
      String[] parts = each.asText().split(":");
      mounts
          .addObject()
          .put("type", "bind")
          .put("source", parts[0])
          .put("destination", parts[1])
          .putArray("options")
          .add("rbind")
          .add(parts.length > 2 ? parts[2] : "rw");
    }
  }

  private static void publish(ArrayNode mappings, JsonNode bindings) {
    bindings
        .properties()
        .forEach(port -> {
          JsonNode binding = port.getValue().path(0);
          mappings
              .addObject()
              .put("container_port", Integer.parseInt(port.getKey().split("/")[0]))
              .put("host_ip", binding.path("HostIp").asText())
              .put("host_port", Integer.parseInt(binding.path("HostPort").asText()));
        });
  }
}
