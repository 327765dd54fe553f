package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.domain.DomainTable;
import io.orrery.studio.quota.QuotaCheck;
import io.orrery.studio.secret.SecretCheck;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a document against what is there: the runtime that is to run it, and the route table. */
final class DeploymentCheck {
  private final Bus bus;
  private final CanaryCheck canaries;
  private final DomainTable domains;
  private final PortAllocation ports;

  DeploymentCheck(Bus bus, ServiceTable table, DomainTable domains, PortAllocation ports) {
    this.ports = ports;
    this.bus = bus;
    this.canaries = new CanaryCheck(table);
    this.domains = domains;
  }

  /** Refuses what cannot run, or cannot be reached, where it is to be deployed. */
  Future<Void> check(ServiceRow row, ServiceDocument document) {
    return check(row, document, List.of());
  }

  /**
   * The same, before others are there.
   *
   * @param together the services that count as there
   */
  Future<Void> check(ServiceRow row, ServiceDocument document, List<ServiceName> together) {
    return canaries
        .check(row, document, together)
        .compose(right -> ownHost(row, document))
        .compose(right -> setting(row.project()))
        .compose(setting ->
            ports
                .plan(row.name(), stage(document), document.exposed(), setting.addresses())
                .map(free -> setting.cluster()))
        .compose(cluster -> {
          Want want =
              ServiceFreezer.freeze(
                  row,
                  document,
                  cluster,
                  stage(document),
                  1,
                  document.least(),
                  List.of(),
                  List.of());
          return bus.request(
                  Workloads.CHECK,
                  new Workloads.Check(
                      want.workload(), want.runtime(), want.spec().pulledFor(want.project())))
              .map(checked -> {
                if (!checked.missing().isEmpty()) {
                  throw Problem.Refused.of(
                          checked.missing().stream()
                              .map(sentence -> new Finding("", sentence))
                              .toList())
                      .toException();
                }
                return want;
              })
              .compose(checked -> SecretCheck.of(bus, checked))
              .compose(checked -> QuotaCheck.ofWorkload(bus, checked).map(checked))
              .compose(checked -> checkRoute(checked, document.host()));
        });
  }

  /** A host belongs to the project of the service that had it first. */
  private Future<Void> ownHost(ServiceRow row, ServiceDocument document) {
    String host = document.host();
    return host == null
        ? Future.succeededFuture()
        : domains
            .find(host)
            .map(found -> {
              if (found.filter(domain -> !domain.project().equals(row.project())).isPresent()) {
                throw new Problem.Refused(
                        new Finding(
                            "/host", "the host %s is used by another project".formatted(host)))
                    .toException();
              }
              return null;
            });
  }

  private Future<Void> checkRoute(Want want, @Nullable String host) {
    String written = want.route();
    if (written == null) {
      return Future.succeededFuture();
    }
    ObjectNode alone = Json.MAPPER.createObjectNode();
    ObjectNode route = (ObjectNode) Json.parse(written);
    route.putArray("endpoints");
    ArrayNode services = alone.putArray("services").add(route);
    if (host != null) {
      ObjectNode domain = services.addObject().put("name", DomainRouteName.of(host));
      domain.putArray("hosts").add(host);
      domain.putArray("endpoints");
    }
    return bus.request(Routes.CHECK, new Routes.Check(RouteLayer.STUDIO, Json.write(alone)))
        .<Void>mapEmpty()
        .recover(failure ->
            switch (Problem.of(failure)) {
              case Problem.Refused refused -> Future.failedFuture(inDocument(refused));
              case Problem.Conflict conflict -> Future.failedFuture(failure);
              // Without a router there is nothing to compare with.
              case Problem other -> Future.succeededFuture();
            });
  }

  /** Findings about the route with the pointers of the document. */
  private static Throwable inDocument(Problem.Refused refused) {
    return Problem.Refused.of(
            refused.findings().stream()
                .map(finding ->
                    new Finding(
                        finding
                            .pointer()
                            .replaceFirst("^/services/1/.*", "/host")
                            .replaceFirst("^/services/0", "")
                            .replaceFirst("^/split", "/canary")
                            .replaceFirst("^/mirror", "/shadow"),
                        finding.message().replaceFirst("^mirror does not", "shadow does not")))
                .toList())
        .toException();
  }

  private static ServiceStage stage(ServiceDocument document) {
    return document.stage() == null ? ServiceStage.PRODUCTION : document.stage();
  }

  /**
   * A project's defaults for its services.
   *
   * @param cluster null when it has none
   */
  record Setting(@Nullable String cluster, List<ExternalAddress> addresses) {}

  /** The settings of a project that concern its services. */
  Future<Setting> setting(ProjectName project) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> {
          JsonNode settings = Json.parse(found.settings());
          String cluster = settings.path("cluster").asText("");
          JsonNode external = settings.path("SERVICE_EXTERNAL_IP");
          List<String> texts = new ArrayList<>();
          if (external.isArray()) {
            external.forEach(text -> texts.add(text.asText()));
          } else {
            texts.add(external.asText(""));
          }
          return new Setting(
              cluster.isBlank() ? null : cluster,
              ExternalAddress.read(String.join(",", texts)).value());
        });
  }
}
