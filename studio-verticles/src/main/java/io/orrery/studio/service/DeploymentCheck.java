package io.orrery.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.build.LastImages;
import io.orrery.studio.domain.DomainTable;
import io.orrery.studio.environment.FrozenEnvironments;
import io.orrery.studio.project.ProjectMountFindings;
import io.orrery.studio.quota.QuotaCheck;
import io.orrery.studio.secret.SecretCheck;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a document against what is there: the runtime that is to run it, and the route table. */
final class DeploymentCheck {
  private final Bus bus;
  private final CanaryCheck canaries;
  private final DomainTable domains;
  private final PortAllocation ports;
  private final ServiceNetwork network;
  private final LastImages images;

  DeploymentCheck(
      Bus bus,
      ServiceTable table,
      DomainTable domains,
      PortAllocation ports,
      ServiceNetwork network,
      LastImages images) {
    this.images = images;
    this.ports = ports;
    this.network = network;
    this.bus = bus;
    this.canaries = new CanaryCheck(table);
    this.domains = domains;
  }

  /**
   * The place of a deployment that was checked.
   *
   * @param document with the image of its build, or of its cluster when it names none
   * @param project the settings of the project of the service
   * @param addresses at which its ports are reached; empty for the router's
   * @param exposed the ports that are reached by an address and a number
   * @param keepsImage whether its image is that of an earlier deployment, in place of the last one
   *     of its build
   */
  record Place(
      ServiceDocument document,
      ProjectSettings project,
      List<ExternalAddress> addresses,
      List<Exposed> exposed,
      boolean keepsImage) {}

  /** Refuses what cannot run, or cannot be reached, where it is to be deployed. */
  Future<Place> check(ServiceRow row, ServiceDocument document, ServiceStage stage) {
    return check(row, document, stage, List.of(), null);
  }

  /**
   * The same, before others are there.
   *
   * @param together the services that count as there
   * @param frozen the image in place of the last one of its build; null for that one
   */
  Future<Place> check(
      ServiceRow row,
      ServiceDocument document,
      ServiceStage stage,
      List<ServiceName> together,
      @Nullable String frozen) {
    return canaries
        .check(row, document, together)
        .compose(right -> ownHost(row, document))
        .compose(right -> settings(row.project()))
        .compose(settings ->
            imaged(row, document, frozen)
                .compose(known ->
                    place(
                        row, known, stage, settings, frozen != null && document.imageOf() != null)))
        .compose(place -> {
          Want want =
              ServiceFreezer.freeze(
                  row,
                  place.document(),
                  place.project(),
                  stage,
                  1,
                  document.least(),
                  place.exposed(),
                  place.addresses());
          return frozen(want)
              .compose(workload -> checkWorkload(workload, place))
              .compose(checked -> SecretCheck.of(bus, checked))
              .compose(checked -> QuotaCheck.ofWorkload(bus, checked).map(checked))
              .compose(checked -> checkRoute(checked, document.host()))
              .map(checked -> place);
        });
  }

  /** The document with the image of its build, when it names one. */
  private Future<ServiceDocument> imaged(
      ServiceRow row, ServiceDocument document, @Nullable String frozen) {
    String build = document.imageOf();
    if (build == null) {
      return Future.succeededFuture(document);
    }
    return (frozen == null ? images.find(row.project(), build) : Future.succeededFuture(frozen))
        .map(document::onImage);
  }

  private Future<Place> place(
      ServiceRow row,
      ServiceDocument document,
      ServiceStage stage,
      ProjectSettings project,
      boolean keepsImage) {
    String cluster = ServiceFreezer.cluster(document, project.cluster());
    List<ExternalAddress> addresses = ports.addresses(project.externalAddresses(), cluster);
    ServiceDocument imaged = document.onImage(network.image(cluster));
    return ports
        .plan(row.name(), stage, document.exposed(), addresses)
        .map(exposed -> new Place(imaged, project, addresses, exposed, keepsImage));
  }

  /** The same with the digest that its environment has now, when it runs in one. */
  Future<Want> frozen(Want want) {
    return FrozenEnvironments.freeze(bus, want);
  }

  private Future<Want> checkWorkload(Want want, Place place) {
    return bus.request(
            Workloads.CHECK,
            new Workloads.Check(
                want.workload(),
                want.runtime(),
                want.spec().withCode(want.code()).pulledFor(want.project())))
        .compose(checked -> ProjectMountFindings.of(bus, want, place.project(), checked.missing()))
        .map(findings -> {
          if (!findings.isEmpty()) {
            throw Problem.Refused.of(
                    findings.stream().map(each -> inDocument(each, place.document())).toList())
                .toException();
          }
          return want;
        });
  }

  /** A finding about the image at the key that the document has. */
  private static Finding inDocument(Finding finding, ServiceDocument document) {
    return document.imageOf() != null && finding.pointer().equals("/image")
        ? new Finding("/" + LastImages.KEY, finding.message())
        : finding;
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

  private Future<ProjectSettings> settings(ProjectName project) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> ProjectSettings.read(found.settings()).settings());
  }
}
