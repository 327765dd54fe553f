package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.process.ProcessUsage;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of the engine that keepers of replicas make. They block. Thread safe. */
final class ContainerEngine {
  private static final Duration QUICK = Duration.ofSeconds(20);
  private static final Duration SLOW = Duration.ofMinutes(2);

  private static final double NANOSECONDS = 1e9;

  /** The kind of devices in the Container Device Interface. */
  private static final String NVIDIA = "nvidia.com/gpu=";

  private final EngineClient client;

  ContainerEngine(EngineClient client) {
    this.client = client;
  }

  /** A container in a list. */
  record Listed(String id, Map<String, String> labels) {}

  /** Waits for a future, whose failure becomes an IOException. */
  static <T extends @Nullable Object> T await(Future<T> future) throws IOException {
    try {
      return Background.await(future);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } catch (Exception e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Fails when the engine does not answer. */
  void ping() throws IOException {
    await(client.ping());
  }

  /** Whether an image is there. */
  boolean hasImage(String image) throws IOException {
    return found("/images/" + image + "/json") != null;
  }

  /** The state of a container; null when there is none. */
  @Nullable ContainerState inspect(String name) throws IOException {
    JsonNode found = found("/containers/" + name + "/json");
    return found == null ? null : ContainerState.of(found);
  }

  /** The CPU time and memory of a container that runs; null when there is none. */
  @Nullable ProcessUsage usage(String name) throws IOException {
    JsonNode stats = found("/containers/" + name + "/stats?stream=false&one-shot=true");
    if (stats == null) {
      return null;
    }
    JsonNode memory = stats.path("memory_stats");
    return new ProcessUsage(
        stats.at("/cpu_stats/cpu_usage/total_usage").asDouble() / NANOSECONDS,
        // What is cached of files can be given back at any time.
        memory.path("usage").asLong() - memory.at("/stats/inactive_file").asLong());
  }

  private @Nullable JsonNode found(String path) throws IOException {
    try {
      return await(client.call(HttpMethod.GET, path, null, QUICK));
    } catch (EngineException e) {
      if (e.isAbsence()) {
        return null;
      }
      throw e;
    }
  }

  /** Creates a container, unless one has the name. */
  void create(String name, ObjectNode body) throws IOException {
    await(client.call(HttpMethod.POST, "/containers/create?name=" + name, body, SLOW));
  }

  /**
   * Creates a container with GPUs, unless one has the name: on Podman by the Container Device
   * Interface, on Docker as its option {@code --gpus} does.
   */
  void create(String name, ObjectNode body, GpuGrant gpus) throws IOException {
    if (!await(client.isPodman())) {
      ObjectNode request =
          body.withObject("/HostConfig").putArray("DeviceRequests").addObject().put("Driver", "");
      gpus.devices().forEach(index -> request.withArray("/DeviceIDs").add(index.toString()));
      request.putArray("Capabilities").addArray().add("gpu");
      create(name, body);
      return;
    }
    List<String> devices = gpus.devices().stream().map(index -> NVIDIA + index).toList();
    await(
        client.callPodman(
            HttpMethod.POST, "/containers/create", PodmanBody.of(name, body, devices), SLOW));
  }

  /** Starts a container; its devices are looked for now. */
  void start(String name) throws IOException {
    try {
      await(client.call(HttpMethod.POST, "/containers/" + name + "/start", null, SLOW));
    } catch (EngineException e) {
      if (e.isSilence() || !String.valueOf(e.getMessage()).contains(NVIDIA)) {
        throw e;
      }
      throw new IOException(
          "%s (Podman looks for GPUs in /etc/cdi: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml)"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Sends a signal; nothing happens when the container does not run. */
  void signal(String name, String signal) throws IOException {
    String path = "/containers/" + name + "/kill?signal=" + EngineClient.encoded(signal);
    try {
      await(client.call(HttpMethod.POST, path, null, QUICK));
    } catch (EngineException e) {
      // Engines have different codes for one that has ended meanwhile: the next look tells.
      if (e.isSilence()) {
        throw e;
      }
    }
  }

  /**
   * Deletes a container with its anonymous volumes.
   *
   * @param force whether it is killed when it runs
   * @return whether it is gone; false when it runs
   */
  boolean remove(String name, boolean force) throws IOException {
    String path = "/containers/" + name + "?v=true&force=" + force;
    try {
      await(client.call(HttpMethod.DELETE, path, null, SLOW));
      return true;
    } catch (EngineException e) {
      if (e.isSilence() || (force && !e.isAbsence())) {
        throw e;
      }
      return e.isAbsence();
    }
  }

  /** The containers with a label, running or not. */
  List<Listed> list(String label) throws IOException {
    ObjectNode filters = Json.MAPPER.createObjectNode();
    filters.putArray("label").add(label);
    String path = "/containers/json?all=true&filters=" + EngineClient.encoded(Json.write(filters));
    List<Listed> all = new ArrayList<>();
    for (JsonNode each : await(client.call(HttpMethod.GET, path, null, QUICK))) {
      Map<String, String> labels = new HashMap<>();
      each.path("Labels")
          .properties()
          .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asText()));
      all.add(new Listed(each.path("Id").asText(), labels));
    }
    return all;
  }
}
