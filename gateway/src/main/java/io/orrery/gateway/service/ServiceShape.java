package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Services.Scaling;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.bus.contract.Services.Stage;
import io.orrery.core.bus.contract.Services.Upgrading;
import io.orrery.core.bus.contract.Workloads.Event;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.json.Json;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.gateway.http.Wire;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JSON of services and workloads. */
final class ServiceShape {
  /** The keys that the answer adds to the document, so that it may be put back as it is. */
  static final List<String> ADDED =
      List.of("owner", "createdAt", "changedAt", "revision", "state", "stages");

  private final RouterAddress router;

  ServiceShape(RouterAddress router) {
    this.router = router;
  }

  /** The document with what is known of the service besides. */
  ObjectNode of(Service service) {
    ObjectNode shape = (ObjectNode) Json.parse(service.document());
    shape
        .put("kind", "Service")
        .put("name", service.name().value())
        .put("project", service.project().value())
        .put("owner", service.owner())
        .put("createdAt", Wire.time(service.createdAt()))
        .put("changedAt", Wire.time(service.changedAt()))
        .put("revision", service.revision());
    String host = shape.path("host").asText("").toLowerCase(Locale.ROOT);
    ArrayNode stages = shape.putArray("stages");
    service.stages().forEach(stage -> stages.add(state(service, host, stage)));
    Stage first =
        service.stages().stream()
            .filter(stage -> stage.stage() == ServiceStage.PRODUCTION)
            .findFirst()
            .orElse(service.stages().isEmpty() ? null : service.stages().getFirst());
    shape.set("state", first == null ? offline() : state(service, host, first));
    return shape;
  }

  private static ObjectNode offline() {
    ObjectNode state =
        Json.MAPPER
            .createObjectNode()
            .putNull("stage")
            .put("status", "OFFLINE")
            .putNull("reason")
            .putNull("url")
            .putNull("rollout");
    state.putArray("addresses");
    state.putArray("replicas");
    return state;
  }

  /**
   * The state of a deployment.
   *
   * @param other the host of the document; empty when it has none
   */
  private ObjectNode state(Service service, String other, Stage stage) {
    Workload workload = stage.workload();
    Workload taken = taken(stage);
    String host = router.host(service.name(), stage.stage());
    ObjectNode state =
        Json.MAPPER
            .createObjectNode()
            .put("stage", stage.stage().word())
            .put("status", status(service, taken))
            .put("reason", reason(service, taken))
            .put("url", router.url(host));
    ArrayNode addresses = state.putArray("addresses").add(router.url(host));
    if (!other.isEmpty() && stage.stage() == ServiceStage.PRODUCTION) {
      addresses.add(router.url(other));
    }
    stage.exposed().forEach(port -> router.tcp(port).forEach(addresses::add));
    state
        .put("generation", stage.generation())
        .put("revision", stage.revision())
        .put("wanted", stage.replicas())
        .put("image", stage.image())
        .put("deployedAt", Wire.time(stage.deployedAt()));
    state.set(
        "rollout",
        stage.stage() == ServiceStage.PRODUCTION ? rollout(service) : NullNode.getInstance());
    ArrayNode replicas = state.putArray("replicas");
    if (workload != null) {
      state.put("since", Wire.time(workload.since())).put("cluster", workload.runtime());
      workload.replicas().forEach(replica -> replicas.add(of(replica)));
    }
    return state;
  }

  /**
   * The upgrade of a service while it is open, else that or the rollout of its domain: the last.
   */
  private static JsonNode rollout(Service service) {
    Domains.Rollout ofDomain = service.rollout();
    Upgrading upgrade = service.upgrade();
    if (upgrade != null
        && (upgrade.open()
            || ofDomain == null
            || !upgrade.rollout().since().isBefore(ofDomain.since()))) {
      return DomainApi.of(upgrade.rollout())
          .put("generation", upgrade.generation())
          .put("from", upgrade.from());
    }
    return ofDomain == null ? NullNode.getInstance() : DomainApi.of(ofDomain);
  }

  /** The workload of a deployment; null while the orchestrator has not taken it. */
  private static @Nullable Workload taken(Stage stage) {
    Workload workload = stage.workload();
    return workload == null || workload.generation() < stage.generation() ? null : workload;
  }

  /** The words of the status of a service. */
  static final List<String> STATUSES =
      List.of("OFFLINE", "STARTING", "READY", "DEGRADED", "FAILED", "STOPPING");

  /** The status of the words that services have. */
  private static String status(Service service, @Nullable Workload workload) {
    if (workload == null) {
      return "STARTING";
    }
    if (workload.status() == WorkloadStatus.STOPPED) {
      return mayRest(service) ? "READY" : "OFFLINE";
    }
    return workload.status().name();
  }

  private static @Nullable String reason(Service service, @Nullable Workload workload) {
    if (workload == null) {
      return "waits for the orchestrator to take it";
    }
    if (workload.status() == WorkloadStatus.STOPPED) {
      return mayRest(service)
          ? "it rests: the next request starts a replica"
          : "no replica is wanted";
    }
    return workload.reason();
  }

  /** Whether a service without a replica answers all the same, because a request starts one. */
  private static boolean mayRest(Service service) {
    JsonNode least = Json.parse(service.document()).path("replicas").path("min");
    return least.isIntegralNumber() && least.intValue() == 0;
  }

  static ObjectNode of(Scaling scaling) {
    return Json.MAPPER
        .createObjectNode()
        .put("at", Wire.time(scaling.at()))
        .put("from", scaling.before())
        .put("to", scaling.after())
        .put("reason", scaling.reason());
  }

  static ObjectNode of(Replica replica) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("id", replica.ref().id())
            .put("phase", replica.phase().name())
            .put("reason", replica.reason())
            .put(
                "endpoint", replica.endpoints().values().stream().sorted().findFirst().orElse(null))
            .put("restarts", replica.restarts())
            .put("exitCode", replica.exitCode())
            .put("since", Wire.time(replica.since()));
    ObjectNode endpoints = shape.putObject("endpoints");
    replica.endpoints().forEach(endpoints::put);
    ArrayNode lines = shape.putArray("lastLines");
    replica.lastLines().forEach(lines::add);
    return shape;
  }

  static ObjectNode of(Event event) {
    return Json.MAPPER
        .createObjectNode()
        .put("number", event.number())
        .put("at", Wire.time(event.at()))
        .put("replica", event.replica() == null ? null : event.replica().id())
        .put("state", event.state())
        .put("reason", event.reason());
  }

  /** A workload of any kind. */
  static ObjectNode of(Workload workload) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("id", workload.workload().segment())
            .put("kind", workload.workload().kind().word())
            .put("name", workload.workload().name())
            .put("project", workload.project().value())
            .put("owner", workload.owner())
            .put("cluster", workload.runtime())
            .put("generation", workload.generation())
            .put("wanted", workload.wanted())
            .put("status", workload.status().name())
            .put("reason", workload.reason())
            .put("since", Wire.time(workload.since()));
    ArrayNode replicas = shape.putArray("replicas");
    workload.replicas().forEach(replica -> replicas.add(of(replica)));
    return shape;
  }
}
