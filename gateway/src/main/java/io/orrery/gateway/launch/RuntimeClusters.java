package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.container.ContainerCluster;
import io.orrery.compute.runtime.container.ContainerNetwork;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Document;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.Parsed;
import io.orrery.core.text.Nearest;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.studio.service.ServiceNetwork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The configured clusters on which services run, besides {@code here}. */
final class RuntimeClusters {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final String CONTAINER = "container";
  private static final String KUBERNETES = "kubernetes";
  private static final String SERVICE = "service";
  private static final String PIPELINE = "pipeline";
  private static final String NOTEBOOK = "notebook";
  private static final String TRIALS = "automl";

  /** The namespaces unless others are named. */
  private static final Map<String, String> NAMESPACES =
      new TreeMap<>(
          Map.of(SERVICE, SERVICE, NOTEBOOK, "jupyter", PIPELINE, PIPELINE, TRIALS, TRIALS));

  private static final String EXTERNAL_IP = "externalIp";
  private static final String IMAGE = "image";
  private static final String FILES_IMAGE = "filesImage";
  private static final Map<String, List<String>> KEYS =
      Map.of(
          CONTAINER, List.of("runtime", "socket", "network", IMAGE, EXTERNAL_IP),
          KUBERNETES,
              List.of(
                  "runtime",
                  "kubeconfig",
                  "context",
                  "namespaces",
                  IMAGE,
                  FILES_IMAGE,
                  EXTERNAL_IP));
  private static final String SCHEME = "unix://";
  private static final String PODMAN = SCHEME + "/run/podman/podman.sock";

  /** The longest path of a Unix socket on Linux, in bytes. */
  private static final int LONGEST_SOCKET = 107;

  static final ConfigKey<Map<String, RuntimeCluster>> KEY =
      new ConfigKey<>(
          "clusters",
          Map.of(),
          "names with {runtime: container, socket: "
              + PODMAN
              + ", network: bridge} or {runtime: kubernetes, kubeconfig: /path, context: name,"
              + " namespaces: {service: service, notebook: jupyter, pipeline: pipeline, automl:"
              + " automl}}",
          "Where services, notebooks, steps of pipelines and trials on Kubernetes run whose document or"
              + " project names the cluster: containers of an engine"
              + " with Docker's API, or pods of a Kubernetes cluster. network is bridge or host;"
              + " without a kubeconfig that of the server's environment is used. image is that of"
              + " services whose document names none. filesImage fetches code"
              + " and models into pods whose own image has neither python3 nor curl. externalIp is the address,"
              + " or inner|outer, of exposed ports. The cluster `here`,"
              + " the processes of this machine, is always there.",
          RuntimeClusters::read);

  private final String pointer;
  private final List<Finding> findings;

  private RuntimeClusters(String pointer, List<Finding> findings) {
    this.pointer = pointer;
    this.findings = findings;
  }

  private static Map<String, RuntimeCluster> read(JsonNode value) {
    JsonNode clusters = value.isTextual() ? Document.read(value.textValue()).root() : value;
    if (!clusters.isObject()) {
      throw new IllegalArgumentException();
    }
    Map<String, RuntimeCluster> all = new TreeMap<>();
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : clusters.properties()) {
      String name = entry.getKey();
      RuntimeClusters reader = new RuntimeClusters(Pointer.child("", name), findings);
      RuntimeCluster cluster = reader.cluster(name, entry.getValue());
      if (cluster != null) {
        all.put(name, cluster);
      }
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return all;
  }

  private @Nullable RuntimeCluster cluster(String name, JsonNode value) {
    int before = findings.size();
    if (name.equals(Workloads.HERE)) {
      wrong("", "the cluster here is always there: choose another name");
    } else if (!NAME.matcher(name).matches()) {
      wrong("", "the name of a cluster has 1 to 63 lower-case letters, digits and hyphens");
    }
    if (!value.isObject()) {
      wrong("", "a cluster is an object with the keys " + String.join(", ", KEYS.get(CONTAINER)));
      return null;
    }
    String runtime = value.path("runtime").asText();
    List<String> keys = KEYS.get(runtime);
    if (keys == null) {
      wrong(
          "/runtime",
          "runtime is '%s': it must be %s or %s".formatted(runtime, CONTAINER, KUBERNETES));
      return null;
    }
    known(value, keys, "");
    RuntimeCluster cluster =
        runtime.equals(CONTAINER) ? container(name, value) : kubernetes(name, value);
    return findings.size() == before ? cluster : null;
  }

  private void known(JsonNode value, List<String> keys, String at) {
    value
        .properties()
        .forEach(entry -> {
          if (!keys.contains(entry.getKey())) {
            wrong(
                at + "/" + entry.getKey(),
                "there is no key " + entry.getKey() + Nearest.hint(entry.getKey(), keys));
          }
        });
  }

  private RuntimeCluster container(String name, JsonNode value) {
    Path socket = socket(value.path("socket").asText(PODMAN));
    ContainerNetwork network =
        network(value.path("network").asText(ContainerNetwork.BRIDGE.word()));
    return new RuntimeCluster.OfContainers(
        new ContainerCluster(name, socket, network), addresses(value), image(value, IMAGE));
  }

  private RuntimeCluster kubernetes(String name, JsonNode value) {
    String kubeconfig = value.path("kubeconfig").textValue();
    if (value.has("kubeconfig") && (kubeconfig == null || !Path.of(kubeconfig).isAbsolute())) {
      wrong("/kubeconfig", "kubeconfig must be the absolute path of a file");
    }
    String context = value.path("context").textValue();
    if (value.has("context") && context == null) {
      wrong("/context", "context must be the name of a context of the kubeconfig");
    }
    String filesImage = image(value, FILES_IMAGE);
    JsonNode namespaces = value.path("namespaces");
    if (value.has("namespaces") && !namespaces.isObject()) {
      wrong(
          "/namespaces",
          "namespaces is an object with the keys " + String.join(", ", NAMESPACES.keySet()));
    }
    known(namespaces, List.copyOf(NAMESPACES.keySet()), "/namespaces");
    return new RuntimeCluster.OfKubernetes(
        new KubernetesCluster(
            name,
            new ClusterAddress(kubeconfig, context, namespace(namespaces, SERVICE)),
            new ClusterAddress(kubeconfig, context, namespace(namespaces, PIPELINE)),
            new ClusterAddress(kubeconfig, context, namespace(namespaces, NOTEBOOK)),
            new ClusterAddress(kubeconfig, context, namespace(namespaces, TRIALS)),
            filesImage),
        addresses(value),
        image(value, IMAGE));
  }

  private @Nullable String image(JsonNode value, String key) {
    String image = value.path(key).textValue();
    if (value.has(key) && (image == null || image.isBlank())) {
      wrong("/" + key, key + " must be the name of an image, such as python:3.13-slim");
    }
    return image;
  }

  private String namespace(JsonNode namespaces, String key) {
    String namespace = namespaces.path(key).asText(NAMESPACES.get(key));
    if (!NAME.matcher(namespace).matches()) {
      wrong("/namespaces/" + key, "a namespace has 1 to 63 lower-case letters, digits and hyphens");
    }
    return namespace;
  }

  private List<ExternalAddress> addresses(JsonNode value) {
    Parsed<List<ExternalAddress>> addresses =
        ExternalAddress.read(value.path(EXTERNAL_IP).asText(""));
    addresses.findings().forEach(finding -> wrong("/" + EXTERNAL_IP, finding.at("").message()));
    return addresses.value();
  }

  /** The images that the configuration names. */
  static List<String> images(ServerConfig config) {
    List<String> images = new ArrayList<>();
    Optional.ofNullable(config.builds().image()).ifPresent(images::add);
    for (RuntimeCluster cluster : config.clusters().values()) {
      Optional.ofNullable(cluster.image()).ifPresent(images::add);
      if (cluster instanceof RuntimeCluster.OfKubernetes pods) {
        Optional.ofNullable(pods.cluster().filesImage()).ifPresent(images::add);
      }
    }
    return images;
  }

  /** The settings that services take. */
  static ServiceNetwork network(ServerConfig config) {
    Map<String, List<ExternalAddress>> addresses = new TreeMap<>();
    Map<String, String> images = new TreeMap<>();
    config
        .clusters()
        .forEach((name, cluster) -> {
          addresses.put(name, cluster.addresses());
          String image = cluster.image();
          if (image != null) {
            images.put(name, image);
          }
        });
    return new ServiceNetwork(config.router().tcp().ports(), addresses, images);
  }

  /** The keys with which trials are on each Kubernetes cluster, by the name of the cluster. */
  static Map<String, Map<String, String>> trials(ServerConfig config) {
    Map<String, Map<String, String>> all = new TreeMap<>();
    config
        .clusters()
        .forEach((name, cluster) -> {
          if (cluster instanceof RuntimeCluster.OfKubernetes of) {
            ClusterAddress trials = of.cluster().trials();
            Map<String, String> keys = new TreeMap<>();
            put(keys, "kubeconfig", trials.kubeconfig());
            put(keys, "context", trials.context());
            put(keys, "namespace", trials.namespace());
            all.put(name, keys);
          }
        });
    return all;
  }

  /**
   * The names of the clusters that are not of Kubernetes: this machine, and those of containers.
   */
  static Set<String> withoutPods(ServerConfig config) {
    Set<String> names = new TreeSet<>(Set.of(Workloads.HERE));
    names.addAll(config.clusters().keySet());
    names.removeAll(trials(config).keySet());
    return names;
  }

  private static void put(Map<String, String> keys, String key, @Nullable String value) {
    if (value != null) {
      keys.put(key, value);
    }
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
