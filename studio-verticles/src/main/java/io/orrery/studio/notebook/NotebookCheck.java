package io.orrery.studio.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.project.ProjectMountFindings;
import io.orrery.studio.quota.QuotaCheck;
import io.orrery.studio.secret.SecretCheck;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;

/** Checks what a notebook needs where it is to run: its program, its image, its address. */
final class NotebookCheck {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** The looks at the table until a route of a new epoch is there. */
  private static final int LOOKS = 100;

  private static final String NO_SSH =
      "there is no sshd on the machine of the server: install it (Debian and Ubuntu: apt-get install"
          + " openssh-server), or name a cluster that runs images, and an image that has it";

  private final Bus bus;
  private final Clock clock;

  NotebookCheck(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** The settings of the project of a notebook. */
  Future<ProjectSettings> settings(ProjectName project) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> ProjectSettings.read(found.settings()).settings());
  }

  /** Refuses what cannot run, or cannot be reached. */
  Future<Void> check(Want want, NotebookDocument document) {
    NotebookIde ide = document.ide();
    return missing(want, want.spec())
        .compose(missing -> findings(want, missing))
        .compose(findings -> {
          if (!findings.isEmpty()) {
            throw Problem.Refused.of(findings).toException();
          }
          return !EnvironmentName.isContainer(want.spec().image())
              ? installed(want, programs(ide), new Finding("/ide", install(ide)))
              : Future.<Void>succeededFuture();
        })
        .compose(there ->
            !EnvironmentName.isContainer(want.spec().image()) && !document.keys().isEmpty()
                ? installed(want, List.of("sshd", "/usr/sbin/sshd"), new Finding("/ssh", NO_SSH))
                : Future.<Void>succeededFuture())
        .compose(right -> SecretCheck.of(bus, want))
        .compose(right -> QuotaCheck.ofWorkload(bus, want))
        .compose(right -> route(want));
  }

  private Future<List<Finding>> findings(Want want, List<String> missing) {
    return missing.isEmpty()
        ? Future.succeededFuture(List.of())
        : settings(want.project())
            .compose(project -> ProjectMountFindings.of(bus, want, project, missing));
  }

  /** The programs of the machine, of which one is enough. */
  private static List<String> programs(NotebookIde ide) {
    return switch (ide) {
      case JUPYTER -> List.of("jupyter-lab", "jupyter-notebook", "jupyter-server");
      case VSCODE -> List.of("code-server");
      case TENSORBOARD -> List.of("tensorboard");
    };
  }

  /** Refuses a want with a finding when none of some programs is there. */
  private Future<Void> installed(Want want, List<String> programs, Finding otherwise) {
    if (programs.isEmpty()) {
      return Future.failedFuture(new Problem.Refused(otherwise).toException());
    }
    return missing(want, running(want.spec(), programs.getFirst()))
        .compose(missing ->
            missing.isEmpty()
                ? Future.succeededFuture()
                : installed(want, programs.subList(1, programs.size()), otherwise));
  }

  private static String install(NotebookIde ide) {
    String what =
        switch (ide) {
          case JUPYTER ->
              "there is no Jupyter on the machine of the server: install it (Debian and Ubuntu:"
                  + " apt-get install jupyter-notebook; anywhere: pip install jupyterlab)";
          case VSCODE ->
              "there is no code-server on the machine of the server: install it"
                  + " (npm install --global code-server)";
          case TENSORBOARD ->
              "there is no tensorboard on the machine of the server: install it"
                  + " (pip install tensorboard)";
        };
    return what + ", or name a cluster that runs images, and an image that has it";
  }

  private static WorkloadSpec running(WorkloadSpec spec, String program) {
    return new WorkloadSpec(
        List.of(program),
        spec.image(),
        spec.directory(),
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        spec.resources(),
        spec.mounts());
  }

  private Future<List<String>> missing(Want want, WorkloadSpec spec) {
    return bus.request(
            Workloads.CHECK,
            new Workloads.Check(want.workload(), want.runtime(), spec.pulledFor(want.project())))
        .map(Workloads.Checked::missing);
  }

  private Future<Void> route(Want want) {
    ObjectNode alone = Json.MAPPER.createObjectNode();
    ObjectNode route = (ObjectNode) Json.parse(String.valueOf(want.route()));
    route.putArray("endpoints");
    alone.putArray("services").add(route);
    return bus.request(Routes.CHECK, new Routes.Check(RouteLayer.STUDIO, Json.write(alone)))
        .<Void>mapEmpty()
        .recover(failure ->
            switch (Problem.of(failure)) {
              case Problem.Refused refused ->
                  Future.failedFuture(
                      Problem.Refused.of(
                              refused.findings().stream()
                                  .map(finding -> new Finding("/name", finding.message()))
                                  .toList())
                          .toException());
              case Problem.Conflict conflict -> Future.failedFuture(failure);
              // Without a router there is nothing to compare with.
              case Problem other -> Future.succeededFuture();
            });
  }

  /**
   * Completes when the table of the router that answers has the route of a want, so that passes of
   * before are of no use any more. It gives up after a while: without a router there is no request
   * either.
   */
  Future<Void> inForce(Want want) {
    return inForce(Json.parse(String.valueOf(want.route())), LOOKS);
  }

  private Future<Void> inForce(JsonNode route, int looks) {
    String name = route.path("name").asText();
    long epoch = epoch(route);
    return bus.request(Routes.SHOW, new Routes.Show())
        .map(table ->
            table.services().stream()
                .filter(service -> service.path("name").asText().equals(name))
                .allMatch(service -> epoch(service) >= epoch))
        .otherwise(true)
        .compose(there ->
            there || looks <= 0
                ? Future.succeededFuture()
                : pause().compose(waited -> inForce(route, looks - 1)));
  }

  private static long epoch(JsonNode service) {
    return service.path("access").path("epoch").asLong();
  }

  private Future<Void> pause() {
    Promise<Void> done = Promise.promise();
    clock.after(PAUSE, done::complete);
    return done.future();
  }
}
