package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Document;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import io.orrery.orchestrator.runtime.container.ContainerCluster;
import io.orrery.orchestrator.runtime.container.ContainerNetwork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The configured clusters on which services run, besides {@code here}. */
final class RuntimeClusters {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final List<String> KEYS = List.of("runtime", "socket", "network");
  private static final String CONTAINER = "container";
  private static final String SCHEME = "unix://";
  private static final String PODMAN = SCHEME + "/run/podman/podman.sock";

  /** The longest path of a Unix socket on Linux, in bytes. */
  private static final int LONGEST_SOCKET = 107;

  static final ConfigKey<Map<String, ContainerCluster>> KEY =
      new ConfigKey<>(
          "clusters",
          Map.of(),
          "names with {runtime: container, socket: " + PODMAN + ", network: bridge}",
          "Where services run whose document or project names the cluster: containers of an engine"
              + " with Docker's API. network is bridge or host. The cluster `here`, the processes of"
              + " this machine, is always there.",
          RuntimeClusters::read);

  private final String pointer;
  private final List<Finding> findings;

  private RuntimeClusters(String pointer, List<Finding> findings) {
    this.pointer = pointer;
    this.findings = findings;
  }

  private static Map<String, ContainerCluster> read(JsonNode value) {
    JsonNode clusters = value.isTextual() ? Document.read(value.textValue()).root() : value;
    if (!clusters.isObject()) {
      throw new IllegalArgumentException();
    }
    Map<String, ContainerCluster> all = new TreeMap<>();
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : clusters.properties()) {
      String name = entry.getKey();
      RuntimeClusters reader = new RuntimeClusters(Pointer.child("", name), findings);
      ContainerCluster cluster = reader.cluster(name, entry.getValue());
      if (cluster != null) {
        all.put(name, cluster);
      }
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return all;
  }

  private @Nullable ContainerCluster cluster(String name, JsonNode value) {
    int before = findings.size();
    if (name.equals(Workloads.HERE)) {
      wrong("", "the cluster here is always there: choose another name");
    } else if (!NAME.matcher(name).matches()) {
      wrong("", "the name of a cluster has 1 to 63 lower-case letters, digits and hyphens");
    }
    if (!value.isObject()) {
      wrong("", "a cluster is an object with the keys " + String.join(", ", KEYS));
      return null;
    }
    value
        .properties()
        .forEach(entry -> {
          if (!KEYS.contains(entry.getKey())) {
            wrong(
                "/" + entry.getKey(),
                "there is no key " + entry.getKey() + Nearest.hint(entry.getKey(), KEYS));
          }
        });
    String runtime = value.path("runtime").asText();
    if (!runtime.equals(CONTAINER)) {
      wrong("/runtime", "runtime is '" + runtime + "': it must be " + CONTAINER);
    }
    Path socket = socket(value.path("socket").asText(PODMAN));
    ContainerNetwork network =
        network(value.path("network").asText(ContainerNetwork.BRIDGE.word()));
    return findings.size() == before ? new ContainerCluster(name, socket, network) : null;
  }

  private Path socket(String text) {
    Path path = Path.of(text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : "");
    if (!path.isAbsolute()
        || path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET) {
      wrong(
          "/socket",
          "socket is '%s': it must be unix:// and the absolute path of a socket, such as %s, of at"
                  .formatted(text, PODMAN)
              + " most "
              + LONGEST_SOCKET
              + " bytes");
    }
    return path;
  }

  private ContainerNetwork network(String word) {
    for (ContainerNetwork network : ContainerNetwork.values()) {
      if (network.word().equals(word)) {
        return network;
      }
    }
    List<String> words =
        Arrays.stream(ContainerNetwork.values()).map(ContainerNetwork::word).toList();
    wrong("/network", "network is '%s': it must be %s".formatted(word, String.join(" or ", words)));
    return ContainerNetwork.BRIDGE;
  }

  private void wrong(String at, String message) {
    findings.add(new Finding(pointer + at, message));
  }
}
