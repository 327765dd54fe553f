package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services are kept alike on every store. The orchestrator is played. */
abstract class ServiceContract {
  private static final ServiceName HELLO = new ServiceName("hello");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor ANN = new Actor("ann", "10.0.0.1");
  private static final String DOCUMENT =
      "{\"command\":\"serve\",\"ports\":[8080],\"replicas\":{\"min\":1,\"max\":2}}";

  @TempDir Path directory;
  private final Map<WorkloadRef, Want> wanted = new ConcurrentHashMap<>();
  private final List<String> missing = new CopyOnWriteArrayList<>();
  private volatile boolean away;
  private Vertx vertx;
  private Store store;
  private Bus bus;

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
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, VISION, "Vision", "{}", "{}", true, null)));
  }

  private void play() {
    bus.serve(
        Experiments.LIST, list -> Future.succeededFuture(new Experiments.Page(List.of(), null)));
    bus.serve(Routes.CHECK, check -> Future.succeededFuture(new Routes.Checked(true)));
    bus.serve(
        Workloads.CHECK,
        check -> Future.succeededFuture(new Workloads.Checked(List.copyOf(missing))));
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

  private static Workloads.Workload ready(Want want) {
    return new Workloads.Workload(
        want.workload(),
        want.project(),
        want.owner(),
        want.runtime(),
        want.generation(),
        want.replicas(),
        WorkloadStatus.READY,
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

  private Services.PutService document(String text, boolean creates, Long ifRevision) {
    return new Services.PutService(ANN, HELLO, VISION, text, creates, ifRevision, false);
  }

  private Services.PutDone put(String text, boolean creates) throws Exception {
    return success(bus.request(Services.PUT, document(text, creates, null)));
  }

  private Want wanted(String workload) {
    return wanted.get(WorkloadRef.parse(workload));
  }

  private Services.Service get() throws Exception {
    return success(bus.request(Services.GET, new Services.GetService(HELLO)));
  }

  private Services.Service scale(int replicas) throws Exception {
    return success(
        bus.request(
            Services.SCALE, new Services.Scale(ANN, HELLO, ServiceStage.PRODUCTION, replicas)));
  }

  private static Services.OfStage at(ServiceStage stage) {
    return new Services.OfStage(ANN, HELLO, stage);
  }

  // ---- tests --------------------------------------------------------------------------------

  @Test
  void aDocumentIsDeployedAndTheSameAgainChangesNothing() throws Exception {
    assertThat(put(DOCUMENT, true).outcome()).isEqualTo(Outcome.CREATED);

    Want want = wanted("service/hello");
    assertThat(want.generation()).isEqualTo(1);
    assertThat(want.project()).isEqualTo(VISION);
    assertThat(want.owner()).isEqualTo("ann");
    assertThat(want.spec().command()).containsExactly("/bin/sh", "-c", "serve");
    assertThat(want.route()).contains("\"name\":\"hello\"");
    assertThat(put(DOCUMENT, false).outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(wanted("service/hello")).isEqualTo(want);
    assertThat(get().stages())
        .singleElement()
        .satisfies(stage ->
            assertThat(stage.workload())
                .isNotNull()
                .extracting("status")
                .isEqualTo(WorkloadStatus.READY));
  }

  @Test
  void aChangedDocumentIsARevisionAndAGeneration() throws Exception {
    put(DOCUMENT, true);

    Services.PutDone changed = put(DOCUMENT.replace("serve", "serve --fast"), false);

    assertThat(changed.outcome()).isEqualTo(Outcome.CHANGED);
    assertThat(get().revision()).isEqualTo(2);
    assertThat(wanted("service/hello").generation()).isEqualTo(2);
    assertThat(success(bus.request(Services.REVISIONS, new Services.RevisionsOf(HELLO))).items())
        .extracting(Services.Revision::revision)
        .containsExactly(2L, 1L);
  }

  @Test
  void aChangeOfAnOlderRevisionIsAConflict() throws Exception {
    put(DOCUMENT, true);
    put(DOCUMENT.replace("serve", "serve --fast"), false);

    Problem conflict = failure(bus.request(Services.PUT, document(DOCUMENT, false, 1L)));

    assertThat(conflict).isInstanceOf(Problem.Conflict.class);
    assertThat(conflict.detail()).contains("revision 2");
    assertThat(failure(bus.request(Services.PUT, document(DOCUMENT, true, null))))
        .isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void whatCannotRunIsRefusedAndNotStored() throws Exception {
    missing.add("there is no directory /nowhere");

    Problem refused = failure(bus.request(Services.PUT, document(DOCUMENT, true, null)));

    assertThat(refused).isInstanceOf(Problem.Refused.class);
    assertThat(refused.toString()).contains("there is no directory /nowhere");
    assertThat(failure(bus.request(Services.GET, new Services.GetService(HELLO))))
        .isInstanceOf(Problem.NotFound.class);
    assertThat(wanted).isEmpty();
  }

  @Test
  void aRestartKeepsTheNumberOfReplicasAndADeploymentAsFarAsTheDocumentLetsIt() throws Exception {
    put(DOCUMENT, true);
    scale(5);
    assertThat(wanted("service/hello").replicas()).isEqualTo(5);
    assertThat(wanted("service/hello").generation()).isEqualTo(1);

    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(wanted("service/hello").replicas()).isEqualTo(5);
    assertThat(wanted("service/hello").generation()).isEqualTo(2);

    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(wanted("service/hello").replicas()).isEqualTo(2);
  }

  @Test
  void theStagesHaveNothingInCommon() throws Exception {
    put(DOCUMENT, true);
    success(bus.request(Services.DEPLOY, at(ServiceStage.TEST)));

    assertThat(wanted("service/test.hello").route()).contains("\"stage\":\"test\"");
    success(bus.request(Services.CLEAR, at(ServiceStage.TEST)));

    assertThat(wanted.keySet()).extracting(WorkloadRef::name).containsExactly("hello");
    assertThat(failure(bus.request(Services.RESTART, at(ServiceStage.TEST))))
        .isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void whatTheOrchestratorMissedIsMadeUpFor() throws Exception {
    away = true;
    put(DOCUMENT, true);
    assertThat(wanted).isEmpty();
    away = false;
    await().atMost(Duration.ofSeconds(30)).until(() -> wanted("service/hello") != null);

    WorkloadRef left = WorkloadRef.parse("service/forgotten");
    Want want = wanted("service/hello");
    wanted.put(left, new Want(left, VISION, "ann", Workloads.HERE, 1, want.spec(), null, 1, null));
    await().atMost(Duration.ofSeconds(30)).until(() -> wanted("service/forgotten") == null);
  }

  @Test
  void aProjectWithServicesIsNotDeleted() throws Exception {
    put(DOCUMENT, true);

    Problem conflict =
        failure(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));

    assertThat(conflict.detail()).contains("hello");
    success(bus.request(Services.DELETE, new Services.OfService(ANN, HELLO)));
    assertThat(wanted).isEmpty();
    success(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));
  }

  @Test
  void aChangeOfAServiceMovesNoRevisionOfAccess() throws Exception {
    put(DOCUMENT, true);
    long before = success(bus.request(People.REVISION, new People.AskRevision())).number();

    scale(2);
    put(DOCUMENT.replace("serve", "serve --fast"), false);
    success(bus.request(Services.CLEAR, at(ServiceStage.PRODUCTION)));

    assertThat(success(bus.request(People.REVISION, new People.AskRevision())).number())
        .isEqualTo(before);
  }

  @Test
  void changesAreInTheAuditLog() throws Exception {
    put(DOCUMENT, true);
    scale(2);

    List<Audits.Entry> entries =
        success(
                bus.request(
                    Audits.LIST,
                    new Audits.ListEntries(null, "service", "hello", null, null, null, null, 10)))
            .items();

    assertThat(entries).extracting(Audits.Entry::action).containsExactly("scale", "create");
    assertThat(entries.getFirst().detail()).isEqualTo("production, 1 to 2 replicas");
  }
}
