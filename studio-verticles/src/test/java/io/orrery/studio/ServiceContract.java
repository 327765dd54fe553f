package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Services are kept alike on every store. */
abstract class ServiceContract extends ServiceFixture {
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

  /** Pods fetch it, so that their cluster may have something against it. */
  @Test
  void theCodeOfADocumentIsCheckedWithTheRest() throws Exception {
    String digest = "0a".repeat(32);

    put(DOCUMENT.replaceFirst("\\{", "{\"code\": \"sha256:" + digest + "\", "), true);

    assertThat(checked.getLast().spec().code()).isEqualTo(digest);
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

  // ---- ports --------------------------------------------------------------------------------

  private static final String DATABASE =
      "{\"command\":\"serve\",\"ports\":[7474,7687],\"expose\":true}";

  private static List<Integer> numbers(Services.Service service) {
    return service.stages().stream()
        .flatMap(stage -> stage.exposed().stream())
        .map(Services.Exposed::number)
        .toList();
  }

  @Test
  void exposedPortsFollowEachOtherAndAreKeptAndGivenBack() throws Exception {
    busy.add(30_001);
    put(DATABASE, true);

    assertThat(numbers(get())).containsExactly(30_002, 30_003);
    assertThat(wanted("service/hello").spec().exposure().ports())
        .containsExactly(new ExposedPort("http0", 30_002), new ExposedPort("http1", 30_003));
    busy.clear();
    put(DATABASE.replace("serve", "serve --fast"), false);
    assertThat(numbers(get())).containsExactly(30_002, 30_003);
    success(bus.request(Services.DEPLOY, at(ServiceStage.TEST)));
    assertThat(numbers(get())).containsExactlyInAnyOrder(30_000, 30_001, 30_002, 30_003);

    success(bus.request(Services.CLEAR, at(ServiceStage.TEST)));
    assertThat(numbers(get())).containsExactly(30_002, 30_003);
    put(DATABASE.replace("true", "[7687]"), false);
    assertThat(numbers(get())).containsExactly(30_003);
    success(bus.request(Services.DELETE, new Services.OfService(ANN, HELLO)));
    put(DATABASE, true);
    assertThat(numbers(get())).containsExactly(30_000, 30_001);
  }

  @Test
  void aNumberThatIsTakenOrBusyIsRefusedByNameAndChangesNothing() throws Exception {
    put(DATABASE.replace("true", "{\"7687\":31000}"), true);
    ServiceName other = new ServiceName("other");
    Services.PutService wish =
        new Services.PutService(
            ANN,
            other,
            VISION,
            DATABASE.replace("true", "{\"7687\":31000}"),
            true,
            null,
            false,
            List.of());

    assertThat(failure(bus.request(Services.PUT, wish)))
        .isInstanceOfSatisfying(
            Problem.Refused.class,
            refused -> {
              assertThat(refused.findings().getFirst().pointer()).isEqualTo("/expose");
              assertThat(refused.findings().getFirst().message())
                  .isEqualTo("port 31000 is that of the service hello");
            });
    busy.add(31_001);
    assertThat(
            failure(
                bus.request(
                    Services.PUT,
                    document(DATABASE.replace("true", "{\"7687\":31001}"), false, null))))
        .isInstanceOfSatisfying(
            Problem.Refused.class,
            refused ->
                assertThat(refused.findings().getFirst().message())
                    .isEqualTo("port 31001 is in use"));
    assertThat(numbers(get())).containsExactly(31_000);
    assertThat(wanted).hasSize(1);
  }

  @Test
  void theAddressOfTheProjectIsShown() throws Exception {
    success(
        bus.request(
            Projects.PUT,
            new Projects.PutProject(
                ANN,
                VISION,
                "Vision",
                "{\"SERVICE_EXTERNAL_IP\":\"10.0.0.7|gpu.example.com\"}",
                "{}",
                false,
                null)));
    put(DATABASE, true);

    assertThat(routesChecked.stream().filter(document -> document.contains("port.30000")))
        .as("ports are planned once")
        .hasSize(1);
    assertThat(checked)
        .singleElement()
        .satisfies(check ->
            assertThat(check.spec().exposure())
                .isEqualTo(wanted("service/hello").spec().exposure()));
    assertThat(get().stages().getFirst().exposed().getFirst().hosts())
        .containsExactly("gpu.example.com");
    assertThat(wanted("service/hello").spec().exposure().addresses())
        .containsExactly(new ExternalAddress("10.0.0.7", "gpu.example.com"));
  }
}
