package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ResourceType;
import java.util.Map;

/**
 * Makes the objects of a service that are not its pods: the Service under whose name other pods
 * reach it, and, where it scales by what its pods use, a HorizontalPodAutoscaler with the
 * Deployment that it scales. Pure.
 *
 * <p>The Deployment is paused and never has pods: it has the number that the autoscaler wants,
 * which the server reads, and the selector by which the autoscaler finds the server's own pods. It
 * is applied without {@code replicas}, so that this number has one owner and is never thrown away.
 */
record ServiceObjectBody(PodNames names) {
  private static final String GPU_METRIC = "container_gpu_usage";
  private static final double THOUSANDTHS = 1_000;
  private static final double PERCENT = 100;

  /** The name of all of them: that of the service, with its stage before it. */
  static String name(WorkloadRef workload) {
    return workload.name().replace('.', '-');
  }

  private ObjectNode object(ResourceType type, WorkloadRef workload) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
    ObjectNode metadata = object.putObject("metadata").put("name", name(workload));
    labels(metadata.putObject("labels"), names.labels(workload));
    return object;
  }

  private static void labels(ObjectNode object, Map<String, String> labels) {
    labels.forEach(object::put);
  }

  /** The Service, whose endpoints are the ready pods of all generations. */
  ObjectNode service(WorkloadRef workload, WorkloadSpec spec) {
    ObjectNode service = object(ResourceType.SERVICE, workload);
    ObjectNode inner = service.putObject("spec").put("type", "ClusterIP");
    labels(inner.putObject("selector"), names.selector(workload));
    ArrayNode ports = inner.putArray("ports");
    for (WorkloadPort port : spec.ports()) {
      ports
          .addObject()
          .put("name", "port" + port.number())
          .put("port", port.number())
          .put("targetPort", port.number())
          .put("protocol", "TCP");
    }
    return service;
  }

  /** The object whose number of replicas the autoscaler changes. */
  ObjectNode deployment(WorkloadRef workload, WorkloadSpec spec) {
    ObjectNode deployment = object(ResourceType.DEPLOYMENT, workload);
    deployment
        .withObjectProperty("metadata")
        .putObject("annotations")
        .put(
            "orrery.io/about",
            "Paused for good: Orrery keeps the pods of this service itself, and takes from here"
                + " the number of replicas that the HorizontalPodAutoscaler of this name wants.");
    ObjectNode inner = deployment.putObject("spec").put("paused", true);
    labels(inner.putObject("selector").putObject("matchLabels"), names.selector(workload));
    ObjectNode template = inner.putObject("template");
    labels(template.putObject("metadata").putObject("labels"), names.selector(workload));
    template
        .putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", "main")
        .put("image", spec.image());
    return deployment;
  }

  /** The autoscaler, in the form of autoscaling/v2. */
  ObjectNode autoscaler(WorkloadRef workload, WorkloadSpec spec, UseScaling scaling) {
    ObjectNode autoscaler = object(ResourceType.AUTOSCALER, workload);
    ObjectNode inner = autoscaler.putObject("spec");
    inner
        .putObject("scaleTargetRef")
        .put("apiVersion", ResourceType.DEPLOYMENT.apiVersion())
        .put("kind", ResourceType.DEPLOYMENT.kind())
        .put("name", name(workload));
    inner.put("minReplicas", scaling.least()).put("maxReplicas", scaling.most());
    ArrayNode metrics = inner.putArray("metrics");
    Resources resources = spec.resources();
    Double cpu = scaling.each().get(Readings.CPU);
    if (cpu != null) {
      resource(metrics, "cpu", resources.cpu(), cpu * THOUSANDTHS, "m");
    }
    Double memory = scaling.each().get(Readings.MEMORY);
    if (memory != null) {
      resource(metrics, "memory", resources.memory(), memory, "");
    }
    Double gpus = scaling.each().get(Readings.GPU);
    if (gpus != null) {
      ObjectNode pods = metrics.addObject().put("type", "Pods").putObject("pods");
      pods.putObject("metric").put("name", GPU_METRIC);
      pods.putObject("target")
          .put("type", "AverageValue")
          .put("averageValue", Math.round(gpus * THOUSANDTHS) + "m");
    }
    return autoscaler;
  }

  /**
   * A share of the request; a pod that sets nothing aside has no request of which a share could be
   * taken, so there it is the amount.
   */
  private static void resource(
      ArrayNode metrics, String name, Amount asked, double each, String unit) {
    ObjectNode resource =
        metrics.addObject().put("type", "Resource").putObject("resource").put("name", name);
    ObjectNode target = resource.putObject("target");
    if (asked.least() > 0) {
      target
          .put("type", "Utilization")
          .put("averageUtilization", (int) Math.round(each / asked.least() * PERCENT));
    } else {
      target.put("type", "AverageValue").put("averageValue", Math.round(each) + unit);
    }
  }
}
