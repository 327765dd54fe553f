package io.orrery.studio;

import static io.orrery.core.sql.Await.success;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.studio.notebook.NotebookVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A studio with services; the orchestrator is played. */
abstract class ServiceFixture {
  static final ServiceName HELLO = new ServiceName("hello");
  static final ProjectName VISION = new ProjectName("vision");
  static final Actor ANN = new Actor("ann", "10.0.0.1");
  static final String DOCUMENT =
      "{\"command\":\"serve\",\"ports\":[8080],\"replicas\":{\"min\":1,\"max\":2}}";

  @TempDir Path directory;
  final Map<WorkloadRef, Want> wanted = new ConcurrentHashMap<>();
  final List<String> missing = new CopyOnWriteArrayList<>();

  /** Ports that other programs have. */
  final List<Workloads.Check> checked = new CopyOnWriteArrayList<>();

  final List<String> routesChecked = new CopyOnWriteArrayList<>();
  final List<Integer> busy = new CopyOnWriteArrayList<>();

  volatile boolean away;
  Vertx vertx;
  Store store;
  Bus bus;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    play();
    success(
        vertx.deployVerticle(
            new StudioVerticle(bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
    success(
        vertx.deployVerticle(
            new NotebookVerticle(
                bus, store, new SystemClock(vertx), new SecureRandom(), "orrery.localhost")));
    success(
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, VISION, "Vision", "{}", "{}", true, null)));
  }

  void play() {
    bus.serve(
        Experiments.LIST, list -> Future.succeededFuture(new Experiments.Page(List.of(), null)));
    bus.serve(
        PipelineRuns.LIST,
        list -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null)));
    bus.serve(
        Routes.CHECK,
        check -> {
          routesChecked.add(check.document());
          List<Finding> findings =
              busy.stream()
                  .filter(port -> check.document().contains("\"port\":" + port + "}"))
                  .map(port ->
                      new Finding(
                          "/services/%d/tcp/port".formatted(place(check.document(), port)),
                          "port %d is in use".formatted(port)))
                  .toList();
          return findings.isEmpty()
              ? Future.succeededFuture(new Routes.Checked(true))
              : Future.failedFuture(Problem.Refused.of(findings).toException());
        });
    bus.serve(
        Workloads.CHECK,
        check -> {
          checked.add(check);
          return Future.succeededFuture(new Workloads.Checked(List.copyOf(missing)));
        });
    bus.serve(
        Workloads.WANT,
        want -> {
          if (away) {
            return Future.failedFuture(
                new Problem.Unavailable("away", Duration.ofSeconds(1)).toException());
          }
          wanted.put(want.workload(), want);
          return Future.succeededFuture(new Done());
        });
    bus.serve(
        Workloads.REMOVE,
        remove -> {
          wanted.remove(remove.workload());
          return Future.succeededFuture(new Done());
        });
    bus.serve(
        Workloads.LIST,
        list ->
            Future.succeededFuture(
                new Workloads.Listed(
                    wanted.values().stream()
                        .filter(
                            want -> list.among() == null || list.among().contains(want.workload()))
                        .map(ServiceContract::ready)
                        .toList())));
  }

  private static int place(String document, int port) {
    JsonNode services = Json.parse(document).get("services");
    int place = 0;
    while (services.get(place).path("tcp").path("port").asInt() != port) {
      place++;
    }
    return place;
  }

  static Workloads.Workload ready(Want want) {
    return new Workloads.Workload(
        want.workload(),
        want.project(),
        want.owner(),
        want.runtime(),
        want.generation(),
        want.replicas(),
        WorkloadStatus.READY,
        null,
        want.workload().kind() == WorkloadKind.NOTEBOOK && want.replicas() > 0
            ? List.of(answering(want))
            : List.of(),
        Instant.EPOCH,
        true,
        0,
        want.upgrade());
  }

  private static Replica answering(Want want) {
    return new Replica(
        new ReplicaRef(want.workload(), want.generation(), 0),
        ReplicaPhase.READY,
        null,
        Map.of("http0", "127.0.0.1:4000"),
        0,
        null,
        List.of(),
        Instant.EPOCH);
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  // ---- acting -------------------------------------------------------------------------------

  Services.PutService document(String text, boolean creates, Long ifRevision) {
    return new Services.PutService(ANN, HELLO, VISION, text, creates, ifRevision, false, List.of());
  }

  Services.PutDone put(String text, boolean creates) throws Exception {
    return success(bus.request(Services.PUT, document(text, creates, null)));
  }

  Want wanted(String workload) {
    return wanted.get(WorkloadRef.parse(workload));
  }

  Services.Service get() throws Exception {
    return success(bus.request(Services.GET, new Services.GetService(HELLO)));
  }

  Services.Service scale(int replicas) throws Exception {
    return success(
        bus.request(
            Services.SCALE, new Services.Scale(ANN, HELLO, ServiceStage.PRODUCTION, replicas)));
  }

  static Services.OfStage at(ServiceStage stage) {
    return new Services.OfStage(ANN, HELLO, stage);
  }
}
