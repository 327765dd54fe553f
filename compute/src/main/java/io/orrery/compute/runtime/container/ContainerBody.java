package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.runtime.replica.ConfigFiles;
import io.orrery.compute.runtime.replica.MachineVariables;
import io.orrery.compute.runtime.replica.ReplicaVariables;
import io.orrery.core.json.Json;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Makes the body of {@code POST /containers/create}.
 *
 * @param init whether the engine runs an init process in the container, which passes signals on: a
 *     program that is process 1 ignores those that it does not handle
 * @param personal the directories of people
 */
record ContainerBody(
    ContainerLabels labels, ContainerNetwork network, boolean init, PersonalMounts personal) {
  private static final long NANOS_PER_MILLI_CORE = 1_000_000;
  private static final String SHARED_MEMORY = "/dev/shm";

  /** Every user may write there, as in /tmp: 01777. */
  private static final int ALL_MAY_WRITE = 1_023;

  /**
   * The body for a replica.
   *
   * @param directory of the replica's own
   * @param ports the port of this machine for each name
   */
  ObjectNode of(ReplicaRef replica, WorkloadSpec spec, Path directory, Map<String, Integer> ports) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("Image", spec.image());
    if (!spec.command().isEmpty()) {
      // As the entry point, so that the image's own gets no part in it.
      add(body.putArray("Entrypoint"), spec.command());
      body.putArray("Cmd");
    }
    ArrayNode variables = body.putArray("Env");
    Map<String, String> values = new TreeMap<>(MachineVariables.of(replica));
    values.putAll(ReplicaVariables.of(replica, spec, listening(ports), address()));
    values.forEach((name, value) -> variables.add(name + "=" + value));
    ObjectNode marks = body.putObject("Labels");
    labels.of(replica).forEach(marks::put);
    ObjectNode host = body.putObject("HostConfig");
    host.put("NetworkMode", network.word());
    host.put("Init", init);
    host.putObject("RestartPolicy").put("Name", "no");
    limit(host, spec.resources());
    mount(body, host, spec, directory);
    personal.binds(spec).forEach(bind -> host.withArrayProperty("Binds").add(bind));
    String user = personal.user();
    if (replica.workload().kind() == WorkloadKind.NOTEBOOK && user != null) {
      // So that its files belong to who owns the directory, and it may write there.
      body.put("User", user);
    }
    if (network == ContainerNetwork.BRIDGE) {
      publish(body, host, spec.ports(), ports);
    }
    return body;
  }

  private static void add(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  /** The numbers on which the program listens: in a network of its own those of the document. */
  private String address() {
    return switch (network) {
      case BRIDGE -> ReplicaVariables.ALL_ADDRESSES;
      case HOST -> ReplicaVariables.LOOPBACK;
    };
  }

  private Map<String, Integer> listening(Map<String, Integer> ports) {
    return switch (network) {
      case BRIDGE -> Map.of();
      case HOST -> ports;
    };
  }

  static void limit(ObjectNode host, Resources resources) {
    if (resources.memory().most() > 0) {
      host.put("Memory", resources.memory().most());
      // Without swap besides.
      host.put("MemorySwap", resources.memory().most());
    }
    if (resources.memory().least() > 0) {
      host.put("MemoryReservation", resources.memory().least());
    }
    if (resources.cpu().most() > 0) {
      host.put("NanoCpus", resources.cpu().most() * NANOS_PER_MILLI_CORE);
    }
  }

  private static void mount(ObjectNode body, ObjectNode host, WorkloadSpec spec, Path own) {
    ArrayNode mounts = host.putArray("Mounts");
    String directory = spec.directory();
    if (directory != null) {
      bind(mounts, directory, directory, true);
      body.put("WorkingDir", directory);
    }
    ModelFiles model = spec.model();
    if (model != null && model.directory() != null) {
      bind(mounts, model.directory(), model.directory(), true);
    }
    if (!spec.files().isEmpty()) {
      // Podman reads no quotes in the source of a mount.
      host.withArrayProperty("Binds").add(ConfigFiles.of(own) + ":" + WorkloadSpec.FILES + ":ro");
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      if (mount.kind() == VolumeKind.HOSTPATH) {
        bind(mounts, mount.source(), mount.path(), false);
      } else if (mount.kind() == VolumeKind.MEMORY) {
        long bytes = mount.memoryMebibytes().orElseThrow() << 20;
        if (mount.path().equals(SHARED_MEMORY)) {
          host.put("ShmSize", bytes);
        } else {
          mounts
              .addObject()
              .put("Type", "tmpfs")
              .put("Target", mount.path())
              .putObject("TmpfsOptions")
              .put("SizeBytes", bytes)
              .put("Mode", ALL_MAY_WRITE);
        }
      }
    }
  }

  static void bind(ArrayNode mounts, String source, String target, boolean readOnly) {
    mounts
        .addObject()
        .put("Type", "bind")
        .put("Source", source)
        .put("Target", target)
        .put("ReadOnly", readOnly);
  }

  private static void publish(
      ObjectNode body, ObjectNode host, List<WorkloadPort> specified, Map<String, Integer> ports) {
    ObjectNode exposed = body.putObject("ExposedPorts");
    ObjectNode bindings = host.putObject("PortBindings");
    for (WorkloadPort port : specified) {
      String inside = port.number() + "/tcp";
      exposed.putObject(inside);
      bindings
          .withArray(inside)
          .addObject()
          .put("HostIp", "127.0.0.1")
          .put("HostPort", Objects.toString(ports.get(port.name())));
    }
  }
}
