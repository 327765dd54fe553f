package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.PodFields;
import io.orrery.compute.kubernetes.PodNodes;
import io.orrery.compute.runtime.replica.ReplicaVariables;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.json.Json;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Makes the pod of a replica, and the Secret with the variables of its specification, of which any
 * may be a secret. Pure.
 */
record PodBody(PodNames names, PodFiles fetched) {
  /** The name of the container of a pod. */
  static final String CONTAINER = "main";

  static final String GPU = "nvidia.com/gpu";
  private static final int LONGEST_PORT_NAME = 15;

  /** The Secret with the values of the variables, which has the name of the pod. */
  ObjectNode secret(String name, ReplicaRef replica, WorkloadSpec wanted) {
    WorkloadSpec spec = fetched.placed(wanted);
    ObjectNode secret = object("Secret", name, replica);
    secret.put("type", "Opaque");
    ObjectNode data = secret.putObject("data");
    new TreeMap<>(spec.environment()).forEach((key, value) -> data.put(key, encoded(value)));
    PodVolumes.keys(spec)
        .forEach((path, key) -> data.put(key, encoded(Objects.toString(spec.files().get(path)))));
    fetched.tokens(wanted).forEach((key, token) -> data.put(key, encoded(token)));
    return secret;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The Secret with the login of the registry of a pod's image. */
  ObjectNode pullSecret(String pod, ReplicaRef replica, ImageLogin login) {
    ObjectNode secret = object("Secret", PodNames.pull(pod), replica);
    secret.put("type", "kubernetes.io/dockerconfigjson");
    secret
        .putObject("data")
        .put(
            ".dockerconfigjson",
            Base64.getEncoder()
                .encodeToString(login.dockerConfig().getBytes(StandardCharsets.UTF_8)));
    return secret;
  }

  private ObjectNode object(String kind, String name, ReplicaRef replica) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    object.put("apiVersion", "v1").put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    ObjectNode labels = metadata.putObject("labels");
    names.labels(replica).forEach(labels::put);
    ObjectNode annotations = metadata.putObject("annotations");
    names.annotations(replica).forEach(annotations::put);
    return object;
  }

  /** The pod, which is never restarted in place: each start has a pod of its own. */
  ObjectNode pod(String name, ReplicaRef replica, WorkloadSpec wanted, boolean isPulledWithLogin) {
    WorkloadSpec spec = fetched.placed(wanted);
    ObjectNode pod = object("Pod", name, replica);
    ObjectNode inner = pod.putObject("spec");
    inner.put("restartPolicy", "Never");
    inner.put("terminationGracePeriodSeconds", Math.ceilDiv(spec.grace().toMillis(), 1_000));
    inner.put("enableServiceLinks", false);
    // The program needs no key to the cluster.
    inner.put("automountServiceAccountToken", false);
    if (isPulledWithLogin) {
      inner.putArray("imagePullSecrets").addObject().put("name", PodNames.pull(name));
    }
    ObjectNode container = inner.putArray("containers").addObject();
    container.put("name", CONTAINER).put("image", spec.image());
    if (!spec.command().isEmpty()) {
      ArrayNode command = container.putArray("command");
      // Kubernetes replaces $(NAME), which is a command of the shell here.
      spec.command().forEach(word -> command.add(word.replace("$(", "$$(")));
    }
    environment(container.putArray("env"), name, replica, spec);
    ports(container, spec);
    resources(container, spec.resources());
    probe(container, spec);
    PodNodes.choose(inner, spec.nodes());
    PodVolumes.mount(inner, container, spec);
    PodVolumes.files(inner, container, name, spec);
    fetched.fetch(inner, container, name, wanted);
    return pod;
  }

  private static void environment(
      ArrayNode env, String secret, ReplicaRef replica, WorkloadSpec spec) {
    new TreeMap<>(ReplicaVariables.of(replica, spec, Map.of(), ReplicaVariables.ALL_ADDRESSES))
        .forEach((key, value) -> {
          ObjectNode variable = env.addObject().put("name", key);
          if (value.equals(spec.environment().get(key))) {
            variable
                .putObject("valueFrom")
                .putObject("secretKeyRef")
                .put("name", secret)
                .put("key", key);
          } else {
            variable.put("value", value);
          }
        });
    PodFields.OF_REPLICAS.forEach((key, path) -> {
      if (!spec.environment().containsKey(key)) {
        PodFields.refer(env, key, path);
      }
    });
  }

  private static void ports(ObjectNode container, WorkloadSpec spec) {
    for (WorkloadPort port : spec.ports()) {
      ObjectNode one = container.withArrayProperty("ports").addObject();
      if (port.name().length() <= LONGEST_PORT_NAME && port.name().matches(".*[a-z].*")) {
        one.put("name", port.name());
      }
      one.put("containerPort", port.number()).put("protocol", "TCP");
    }
  }

  private static void resources(ObjectNode container, Resources wanted) {
    ObjectNode requests = Json.MAPPER.createObjectNode();
    ObjectNode limits = Json.MAPPER.createObjectNode();
    amount(requests, limits, "cpu", wanted.cpu(), "m");
    amount(requests, limits, "memory", wanted.memory(), "");
    if (wanted.gpus() > 0) {
      limits.put(GPU, Integer.toString(wanted.gpus()));
    }
    ObjectNode resources = Json.MAPPER.createObjectNode();
    if (!requests.isEmpty()) {
      resources.set("requests", requests);
    }
    if (!limits.isEmpty()) {
      resources.set("limits", limits);
    }
    if (!resources.isEmpty()) {
      container.set("resources", resources);
    }
  }

  private static void amount(
      ObjectNode requests, ObjectNode limits, String name, Amount amount, String unit) {
    if (amount.most() > 0) {
      // Named even when it is nothing: else Kubernetes would take the limit for the request.
      requests.put(name, amount.least() + unit);
      limits.put(name, amount.most() + unit);
    } else if (amount.least() > 0) {
      requests.put(name, amount.least() + unit);
    }
  }

  /** For Services and people; requests go to a replica by the server's own probes. */
  private static void probe(ObjectNode container, WorkloadSpec spec) {
    Probe probe = spec.readiness();
    if (probe == null) {
      return;
    }
    spec.ports().stream()
        .filter(port -> port.name().equals(probe.port()))
        .findFirst()
        .ifPresent(port -> {
          ObjectNode readiness = container.putObject("readinessProbe");
          String path = probe.path();
          if (path == null) {
            readiness.putObject("tcpSocket").put("port", port.number());
          } else {
            readiness.putObject("httpGet").put("path", path).put("port", port.number());
          }
          readiness.put("periodSeconds", Math.clamp(probe.interval().toSeconds(), 1, 3_600));
          readiness.put("timeoutSeconds", Math.clamp(probe.timeout().toSeconds(), 1, 3_600));
        });
  }
}
