package io.orrery.studio.service;

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
import io.orrery.core.route.RouteLayer;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Checks a document against what is there: the runtime that is to run it, and the route table. */
final class DeploymentCheck {
  private final Bus bus;

  DeploymentCheck(Bus bus) {
    this.bus = bus;
  }

  /** Refuses what cannot run, or cannot be reached, where it is to be deployed. */
  Future<Void> check(ServiceRow row, ServiceDocument document) {
    return cluster(row.project())
        .compose(cluster -> {
          ServiceStage stage =
              document.stage() == null ? ServiceStage.PRODUCTION : document.stage();
          Want want = ServiceFreezer.freeze(row, document, cluster, stage, 1, document.least());
          return bus.request(
                  Workloads.CHECK,
                  new Workloads.Check(want.workload(), want.runtime(), want.spec()))
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
              .compose(this::checkRoute);
        });
  }

  private Future<Void> checkRoute(Want want) {
    String written = want.route();
    if (written == null) {
      return Future.succeededFuture();
    }
    ObjectNode alone = Json.MAPPER.createObjectNode();
    ObjectNode route = (ObjectNode) Json.parse(written);
    route.putArray("endpoints");
    alone.putArray("services").add(route);
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
                            .replaceFirst("^/services/0", "")
                            .replaceFirst("^/hosts(/0)?", "/host")
                            .replaceFirst("^/split", "/canary")
                            .replaceFirst("^/mirror", "/shadow"),
                        finding.message()))
                .toList())
        .toException();
  }

  /** The cluster of a project; null when it has none. */
  Future<@Nullable String> cluster(ProjectName project) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> {
          String cluster = Json.parse(found.settings()).path("cluster").asText("");
          return cluster.isBlank() ? null : cluster;
        });
  }
}
