package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.route.GenerationRouteName;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadPort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of the route layer that a workload wants, without endpoints. Read once, when needed. */
final class WorkloadRoute {
  private final Want want;
  private @Nullable ObjectNode main;

  WorkloadRoute(Want want) {
    this.want = want;
  }

  /**
   * The services for the route table: the one for requests, then one for each port that is reached
   * by an address and a number; empty when it has no route. Replicas that get a share of the
   * requests are a service of their own, to which the first one gives that share. Connections to
   * ports are not divided: they go to those that are replaced until the share is all.
   */
  List<ObjectNode> services(WorkloadPlan plan) {
    ObjectNode read = main();
    if (read == null) {
      return List.of();
    }
    List<Replica> serving =
        plan.serving().stream().filter(replica -> !plan.candidates().contains(replica)).toList();
    boolean all = serving.isEmpty();
    // It has endpoints even where it gives all away: others send copies to it, and shares.
    List<Replica> own = all ? plan.serving() : serving;
    ObjectNode requests = read.deepCopy();
    requests.set("endpoints", endpoints(own, mainPort()));
    List<ObjectNode> services = new ArrayList<>();
    services.add(requests);
    Upgrade upgrade = want.upgrade();
    if (upgrade != null && upgrade.percent() != null && !plan.candidates().isEmpty()) {
      String name = GenerationRouteName.of(read.path("name").asText(), want.generation());
      ObjectNode candidate = SharedRoute.candidate(read, name);
      candidate.set("endpoints", endpoints(plan.candidates(), mainPort()));
      SharedRoute.give(requests, name, all ? SharedRoute.ALL : upgrade.percent());
      services.add(candidate);
    }
    for (ExposedPort port : want.spec().exposure().ports()) {
      ObjectNode service =
          Json.MAPPER
              .createObjectNode()
              .put("name", read.path("name").asText() + "." + port.name())
              .put("stage", read.path("stage").asText("production"));
      service.putObject("tcp").put("port", port.number());
      service.set("endpoints", endpoints(own, port.name()));
      services.add(service);
    }
    return services;
  }

  /** The name in the route table and the addresses behind it; null when it has no route. */
  @Nullable String way(List<Replica> serving) {
    ObjectNode read = main();
    return read == null ? null : read.path("name").asText() + " " + endpoints(serving, mainPort());
  }

  /** The addresses of the ports of a replica that routers have; empty when it has no route. */
  List<String> endpoints(Replica replica) {
    List<WorkloadPort> ports = want.spec().ports();
    return want.route() == null || ports.isEmpty()
        ? List.of()
        : Stream.concat(
                Stream.of(ports.getFirst().name()),
                want.spec().exposure().ports().stream().map(ExposedPort::name))
            .map(name -> replica.endpoints().get(name))
            .filter(Objects::nonNull)
            .distinct()
            .toList();
  }

  /** Not to be changed; null when it has none. */
  private @Nullable ObjectNode main() {
    String route = want.route();
    if (main == null && route != null) {
      main = (ObjectNode) Json.parse(route);
    }
    return main;
  }

  private String mainPort() {
    List<WorkloadPort> ports = want.spec().ports();
    return ports.isEmpty() ? "" : ports.getFirst().name();
  }

  private static ArrayNode endpoints(List<Replica> serving, String port) {
    ArrayNode endpoints = Json.MAPPER.createArrayNode();
    serving.stream()
        .sorted(Comparator.comparing(Replica::ref))
        .map(replica -> replica.endpoints().get(port))
        .filter(Objects::nonNull)
        .forEach(endpoints::add);
    return endpoints;
  }
}
