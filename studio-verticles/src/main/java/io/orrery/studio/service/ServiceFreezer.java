package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.WorkloadRole;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.service.ServiceDocument.Health;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns a document into the complete specification of a workload: nothing that is decided later,
 * such as a setting of the project, changes what runs.
 */
final class ServiceFreezer {
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(200);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

  /** The requests that wait for a service that rests, where its document says nothing. */
  private static final int HELD_REQUESTS = 100;

  private static final String HELD_FOR = "60s";

  /** How long a request waits when all replicas have just gone, before their replacements come. */
  private static final String WAITS_FOR = "5s";

  private ServiceFreezer() {}

  /**
   * Freezes a document. At the stage {@code debug} it is a replica that does nothing, for a shell.
   *
   * @param project the settings of the project of the service
   * @param exposed the ports that are reached by an address and a number
   * @param addresses at which they are reached; empty for the router's
   */
  static Want freeze(
      ServiceRow service,
      ServiceDocument document,
      ProjectSettings project,
      ServiceStage stage,
      long generation,
      int replicas,
      List<Exposed> exposed,
      List<ExternalAddress> addresses) {
    boolean debug = stage == ServiceStage.DEBUG;
    List<WorkloadPort> ports = new ArrayList<>();
    for (int number : document.ports()) {
      ports.add(new WorkloadPort(portName(ports.size()), number));
    }
    return new Want(
        stage.workload(service.name()),
        service.project(),
        service.owner(),
        cluster(document, project.cluster()),
        generation,
        new WorkloadSpec(
                debug ? DebugCommand.words() : document.command(),
                document.image(),
                document.directory(),
                environment(service, document, stage, project.area()),
                ports,
                debug ? null : readiness(document, ports),
                document.startup(),
                document.grace(),
                document.resources(),
                mounts(document, project),
                exposure(exposed, addresses, ports),
                document.model() == null ? null : document.model().files())
            .withFiles(document.files())
            .scalingBy(scaling(document, stage))
            .on(project.nodes(WorkloadRole.SERVICE, document.resources().gpus())),
        document.code(),
        debug ? Math.min(1, replicas) : replicas,
        ports.isEmpty() ? null : route(service.name(), document, stage));
  }

  /** Containers and pods have the mounts of their project before their own. */
  private static Mounts mounts(ServiceDocument document, ProjectSettings project) {
    return EnvironmentName.isContainer(document.image())
        ? project.mounts().and(document.mounts())
        : document.mounts();
  }

  /** Only production scales. */
  private static @Nullable UseScaling scaling(ServiceDocument document, ServiceStage stage) {
    ScalePolicy policy = document.scaling();
    return policy == null || stage != ServiceStage.PRODUCTION ? null : policy.ofCluster();
  }

  /** The name of a port by its place in the document. */
  static String portName(int place) {
    return "http" + place;
  }

  /** The cluster of a document whose project has this one, or null for none. */
  static String cluster(ServiceDocument document, @Nullable String ofProject) {
    return Objects.requireNonNullElse(
        document.cluster(), Objects.requireNonNullElse(ofProject, Workloads.HERE));
  }

  /** The variables of the document, and those that services of the original get besides. */
  private static Map<String, String> environment(
      ServiceRow service, ServiceDocument document, ServiceStage stage, @Nullable String area) {
    Map<String, String> environment = new LinkedHashMap<>();
    Resources resources = document.resources();
    if (!resources.cpu().equals(Amount.UNLIMITED)) {
      environment.put("RESOURCE_CPU", cores(resources.cpu().most()));
    }
    if (!resources.memory().equals(Amount.UNLIMITED)) {
      environment.put("RESOURCE_MEMORY", memory(resources.memory().most()));
    }
    ServedModel model = document.model();
    if (model != null) {
      environment.put("INFERENCE_NAME", service.name().value());
      environment.put("MODEL_NAME", model.name());
      environment.put("MODEL_PATH", Objects.requireNonNullElse(model.path(), ""));
      environment.put("KUBEFLOW_ENV", stage == ServiceStage.PRODUCTION ? "prod" : stage.word());
      environment.put("KUBEFLOW_MODEL_NAME", model.name());
      environment.put("KUBEFLOW_MODEL_VERSION", model.version());
      environment.put("KUBEFLOW_MODEL_PATH", Objects.requireNonNullElse(model.path(), ""));
      environment.put("KUBEFLOW_MODEL_IMAGES", Objects.requireNonNullElse(document.image(), ""));
      environment.put("KUBEFLOW_AREA", Objects.requireNonNullElse(area, ""));
      environment.put("RESOURCE_GPU", Integer.toString(resources.gpus()));
      environment.put("RESOURCE_MIN_REPLICAS", Integer.toString(document.least()));
      environment.put("RESOURCE_MAX_REPLICAS", Integer.toString(document.most()));
    }
    environment.putAll(document.environment());
    if (stage == ServiceStage.DEBUG) {
      environment.put(DebugCommand.VARIABLE, DebugCommand.line(document.command()));
    }
    // Mounts of a user's own directory go by it, so no document may name another person.
    environment.put(WorkloadSpec.OWNER, service.owner());
    return environment;
  }

  private static Exposure exposure(
      List<Exposed> exposed, List<ExternalAddress> addresses, List<WorkloadPort> ports) {
    if (exposed.isEmpty()) {
      return Exposure.NONE;
    }
    List<ExposedPort> named = new ArrayList<>();
    for (WorkloadPort port : ports) {
      exposed.stream()
          .filter(each -> each.target() == port.number())
          .forEach(each -> named.add(new ExposedPort(port.name(), each.number())));
    }
    return new Exposure(named, addresses);
  }

  private static String cores(long thousandths) {
    return thousandths % 1_000 == 0
        ? Long.toString(thousandths / 1_000)
        : Double.toString(thousandths / 1_000.0);
  }

  private static String memory(long bytes) {
    return bytes % (1L << 30) == 0 ? (bytes >> 30) + "G" : (bytes >> 20) + "M";
  }

  private static @Nullable Probe readiness(ServiceDocument document, List<WorkloadPort> ports) {
    if (ports.isEmpty()) {
      return null;
    }
    Health health = document.health();
    if (health == null) {
      return new Probe(ports.getFirst().name(), null, PROBE_INTERVAL, PROBE_TIMEOUT);
    }
    String port =
        ports.stream()
            .filter(each -> each.number() == health.port())
            .findFirst()
            .orElseThrow()
            .name();
    return new Probe(port, health.path(), PROBE_INTERVAL, PROBE_TIMEOUT);
  }

  private static String route(ServiceName name, ServiceDocument document, ServiceStage stage) {
    ObjectNode route = Json.MAPPER.createObjectNode();
    route.put("name", name.value()).put("stage", stage.word());
    route.setAll(document.route());
    if (document.least() == 0 && !route.has("hold")) {
      route.putObject("hold").put("requests", HELD_REQUESTS).put("for", HELD_FOR);
    }
    JsonNode retries = route.path("retries");
    if (retries.isMissingNode() || (retries.isObject() && !retries.has("for"))) {
      route.withObject("/retries").put("for", WAITS_FOR);
    }
    if (stage != ServiceStage.PRODUCTION) {
      // Their targets are those of production.
      route.remove(List.of("split", "mirror", "compareBodies"));
    }
    return Json.write(route);
  }
}
