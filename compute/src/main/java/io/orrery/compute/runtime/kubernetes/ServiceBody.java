package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the Service {@code <name>-external} by which nodes of a cluster accept connections for the
 * exposed ports of a workload, at the addresses of its exposure. Pure.
 */
record ServiceBody(PodNames names) {
  private static final String SUFFIX = "-external";

  /** The name of a Service has at most 63 characters. */
  private static final int LONGEST = 63 - SUFFIX.length();

  private static final int DIGEST = 4;

  /** Whether a specification has ports at addresses of the cluster, and not at the router's. */
  static boolean isWanted(WorkloadSpec spec) {
    Exposure exposure = spec.exposure();
    return !exposure.isNone() && !exposure.addresses().isEmpty();
  }

  /** The name of the Service of a workload, which is there once in a namespace. */
  static String name(WorkloadRef workload) {
    String name = workload.name().replace('.', '-');
    if (name.length() > LONGEST) {
      String digest = Sha256.hex(workload.toString(), DIGEST);
      name = name.substring(0, LONGEST - 1 - digest.length()) + "-" + digest;
    }
    return name + SUFFIX;
  }

  /** The Service; its endpoints are the pods that are Ready, of whatever generation. */
  ObjectNode service(WorkloadRef workload, WorkloadSpec spec) {
    ObjectNode service = Json.MAPPER.createObjectNode();
    service.put("apiVersion", "v1").put("kind", "Service");
    ObjectNode metadata = service.putObject("metadata").put("name", name(workload));
    Map<String, String> labels = names.labels(workload);
    ObjectNode ours = metadata.putObject("labels");
    new TreeMap<>(labels).forEach(ours::put);
    ObjectNode inner = service.putObject("spec").put("type", "ClusterIP");
    ObjectNode selector = inner.putObject("selector");
    new TreeMap<>(names.selector(workload)).forEach(selector::put);
    ArrayNode addresses = inner.putArray("externalIPs");
    TreeSet<String> bound = new TreeSet<>();
    spec.exposure().addresses().stream().map(ExternalAddress::inner).forEach(bound::add);
    bound.forEach(addresses::add);
    ArrayNode ports = inner.putArray("ports");
    for (ExposedPort exposed : spec.exposure().ports()) {
      spec.ports().stream()
          .filter(port -> port.name().equals(exposed.name()))
          .mapToInt(WorkloadPort::number)
          .forEach(target ->
              ports
                  .addObject()
                  .put("name", exposed.name())
                  .put("protocol", "TCP")
                  .put("port", exposed.number())
                  .put("targetPort", target));
    }
    return service;
  }
}
