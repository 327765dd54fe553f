package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Notebooks.OfNotebook;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.notebook.NotebookController;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Notebooks are kept alike on every store. */
abstract class NotebookContract extends ServiceFixture {
  private static final NotebookName NAME = new NotebookName("ann-1");
  private static final String WANTED = "notebook/ann-1";
  private static final String DOCUMENT = "{\"ide\":\"jupyter\",\"share\":[\"bob\"]}";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  // ---- acting -------------------------------------------------------------------------------

  private Notebooks.PutNotebook order(String text, boolean creates, Long ifRevision) {
    return new Notebooks.PutNotebook(ANN, NAME, VISION, text, creates, ifRevision, false);
  }

  private Notebooks.PutDone write(String text, boolean creates) throws Exception {
    return success(bus.request(Notebooks.PUT, order(text, creates, null)));
  }

  private Notebook shown() throws Exception {
    return success(bus.request(Notebooks.GET, new Notebooks.GetNotebook(NAME)));
  }

  private static OfNotebook one() {
    return new OfNotebook(ANN, NAME);
  }

  private static JsonNode route(Want want) {
    return Json.parse(String.valueOf(want.route()));
  }

  private List<String> listed(String user, boolean all) throws Exception {
    return success(
            bus.request(
                Notebooks.LIST,
                new Notebooks.ListNotebooks(
                    all ? null : List.of(), user, null, null, null, null, 10)))
        .items()
        .stream()
        .map(notebook -> notebook.name().value())
        .toList();
  }

  /** A clock that goes on when it is told to; its actions run on a context of Vert.x. */
  private final class SteppedClock implements Clock {
    private final BlockingQueue<Runnable> pending = new LinkedBlockingQueue<>();
    private volatile Instant now = Instant.now();

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
      pending.add(action);
      return () -> pending.remove(action);
    }

    /** Goes on while nothing is due. */
    void skip(Duration by) {
      pending.clear();
      now = now.plus(by);
    }

    /** Goes on, and completes when what was due has been done. */
    void goOn(Duration by, int times) throws InterruptedException {
      for (int i = 0; i < times; i++) {
        Runnable due = next();
        now = now.plus(by);
        vertx.runOnContext(go -> due.run());
      }
      pending.add(next());
    }

    private Runnable next() throws InterruptedException {
      return Objects.requireNonNull(pending.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
  }

  // ---- tests --------------------------------------------------------------------------------

  @Test
  void aNotebookIsStartedBehindAGuardAndTheSameAgainChangesNothing() throws Exception {
    assertThat(write(DOCUMENT, true).outcome()).isEqualTo(Outcome.CREATED);

    Want want = wanted(WANTED);
    assertThat(want.owner()).isEqualTo("ann");
    assertThat(want.replicas()).isEqualTo(1);
    assertThat(want.spec().environment())
        .containsEntry("USERNAME", "ann")
        .containsEntry("JUPYTER_TOKEN", WorkloadSpec.DERIVED_TOKEN);
    assertThat(route(want).at("/hosts/0").asText()).isEqualTo("ann-1.notebook.orrery.localhost");
    assertThat(route(want).at("/access/audience").asText()).isEqualTo(shown().audience());
    assertThat(route(want).at("/inject/authorization").asText()).isEqualTo("derived");
    assertThat(write(DOCUMENT, false).outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(wanted(WANTED)).isEqualTo(want);
    assertThat(failure(bus.request(Notebooks.PUT, order(DOCUMENT, true, null))))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(failure(bus.request(Notebooks.PUT, order("{}", false, 7L))).detail())
        .contains("revision 1");
  }

  @Test
  void whoIsNotSharedWithAnyMoreLosesThePasses() throws Exception {
    write(DOCUMENT, true);
    assertThat(listed("bob", false)).containsExactly("ann-1");
    assertThat(listed("sam", false)).isEmpty();
    assertThat(listed("sam", true)).containsExactly("ann-1");

    write("{\"ide\":\"jupyter\",\"share\":[\"bob\",\"mia\"]}", false);
    assertThat(shown().epoch()).isZero();
    write("{\"ide\":\"jupyter\",\"share\":[\"mia\"]}", false);

    assertThat(shown().epoch()).isEqualTo(1);
    assertThat(route(wanted(WANTED)).at("/access/epoch").asInt()).isEqualTo(1);
    assertThat(wanted(WANTED).generation()).isEqualTo(1);
    assertThat(listed("bob", false)).isEmpty();
  }

  @Test
  void aResetStartsThePresentDocumentWithAnotherToken() throws Exception {
    write(DOCUMENT, true);
    String before = route(wanted(WANTED)).get("name").asText();
    Notebooks.PutDone changed =
        write("{\"ide\":\"jupyter\",\"env\":{\"A\":\"1\"},\"share\":[\"bob\"]}", false);

    assertThat(changed.notices()).contains("its program has the change after a reset");
    assertThat(wanted(WANTED).spec().environment()).doesNotContainKey("A");
    success(bus.request(Notebooks.RESET, one()));

    Want want = wanted(WANTED);
    assertThat(want.generation()).isEqualTo(2);
    assertThat(want.spec().environment()).containsEntry("A", "1");
    // The token is derived from it.
    assertThat(route(want).get("name").asText()).isNotEqualTo(before);
  }

  @Test
  void stoppedAndStartedItIsTheSameNotebook() throws Exception {
    write(DOCUMENT, true);
    String audience = shown().audience();
    success(bus.request(Notebooks.STOP, one()));

    assertThat(wanted(WANTED).replicas()).isZero();
    assertThat(shown().state().status()).isEqualTo(NotebookStatus.STOPPED);
    assertThat(failure(bus.request(Notebooks.RENEW, one())).detail()).contains("start it");
    success(bus.request(Notebooks.STOP, one()));
    success(bus.request(Notebooks.START, one()));
    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    assertThat(wanted(WANTED).generation()).isEqualTo(2);
    success(bus.request(Notebooks.START, one()));
    assertThat(wanted(WANTED).generation()).isEqualTo(2);
    assertThat(shown().audience()).isEqualTo(audience);
    success(bus.request(Notebooks.RENEW, one()));
  }

  @Test
  void onlyANotebookThatIsStoppedSinceLongIsRemoved() throws Exception {
    write(DOCUMENT, true);
    success(vertx.deployVerticle(new NotebookController(bus, store, new SystemClock(vertx))));
    Instant later = Instant.now().plusSeconds(60);
    Notebooks.DeleteStopped old =
        new Notebooks.DeleteStopped(new Actor("retention", ""), NAME, later);
    assertThat(failure(bus.request(Notebooks.DELETE_STOPPED, old)))
        .isInstanceOf(Problem.Conflict.class);
    success(bus.request(Notebooks.STOP, one()));
    await()
        .atMost(PATIENCE)
        .until(() ->
            !success(bus.request(Notebooks.STOPPED, new Notebooks.AskStopped(later)))
                .items()
                .isEmpty());
    Notebooks.AskStopped early = new Notebooks.AskStopped(Instant.now().minusSeconds(3_600));
    assertThat(success(bus.request(Notebooks.STOPPED, early)).items()).isEmpty();

    success(bus.request(Notebooks.START, one()));
    assertThat(failure(bus.request(Notebooks.DELETE_STOPPED, old)))
        .isInstanceOf(Problem.Conflict.class);
    success(bus.request(Notebooks.STOP, one()));
    await()
        .atMost(PATIENCE)
        .until(() ->
            bus.request(Notebooks.DELETE_STOPPED, old)
                    .otherwiseEmpty()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join()
                != null);

    assertThat(listed("ann", true)).isEmpty();
    assertThat(wanted).isEmpty();
  }

  @Test
  void anotherNotebookOfTheNameHasAnotherAudience() throws Exception {
    write(DOCUMENT, true);
    String before = shown().audience();

    success(bus.request(Notebooks.DELETE, one()));
    assertThat(wanted).isEmpty();
    assertThat(failure(bus.request(Notebooks.GET, new Notebooks.GetNotebook(NAME))))
        .isInstanceOf(Problem.NotFound.class);
    write(DOCUMENT, true);

    assertThat(shown().audience()).isNotEqualTo(before);
  }

  @Test
  void whatCannotRunIsRefusedAndNotStored() throws Exception {
    missing.add("there is no program jupyter-lab");

    Problem refused = failure(bus.request(Notebooks.PUT, order(DOCUMENT, true, null)));

    assertThat(refused.toString()).contains("jupyter-lab");
    assertThat(listed("ann", true)).isEmpty();
    assertThat(wanted).isEmpty();
  }

  @Test
  void theControllerMakesUpForWhatTheOrchestratorMissed() throws Exception {
    success(vertx.deployVerticle(new NotebookController(bus, store, new SystemClock(vertx))));
    away = true;
    write(DOCUMENT, true);
    assertThat(wanted).isEmpty();
    away = false;
    await().atMost(PATIENCE).until(() -> wanted(WANTED) != null);
    Want want = wanted(WANTED);

    success(bus.request(Notebooks.DELETE, one()));
    wanted.put(want.workload(), want);
    await().atMost(PATIENCE).until(wanted::isEmpty);
  }

  @Test
  void aKernelThatIsBusyForHoursIsInUseAndAnIdleOneIsStoppedAndStartedAgain() throws Exception {
    SteppedClock clock = new SteppedClock();
    String began = clock.now().toString();
    AtomicReference<String> kernel = new AtomicReference<>("busy");
    bus.serve(
        Workloads.CALL,
        call -> {
          String one =
              "{\"execution_state\":\"%s\",\"connections\":0,\"last_activity\":\"%s\"}"
                  .formatted(kernel.get(), began);
          String body =
              call.path().startsWith("/api/status")
                  ? "{\"connections\":0,\"last_activity\":\"" + began + "\"}"
                  : call.path().startsWith("/api/kernels") ? "[" + one + "]" : "[]";
          return Future.succeededFuture(new Workloads.Called(200, body));
        });
    write("{\"ide\":\"jupyter\",\"expiry\":{\"idle\":\"30m\"}}", true);
    String controller = success(vertx.deployVerticle(new NotebookController(bus, store, clock)));

    // Two hours without output, four times the limit.
    clock.goOn(Duration.ofSeconds(40), 180);
    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    assertThat(states()).contains("RUNNING").doesNotContain("WARNED", "IDLE", "EXPIRED");

    kernel.set("idle");
    clock.goOn(Duration.ofSeconds(40), 30);
    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    clock.goOn(Duration.ofSeconds(40), 20);
    assertThat(wanted(WANTED).replicas()).isZero();
    assertThat(states()).containsSubsequence("RUNNING", "IDLE", "WARNED", "EXPIRED");
    Want before = wanted(WANTED);
    success(vertx.undeploy(controller));

    success(bus.request(Notebooks.START, one()));

    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    assertThat(wanted(WANTED).generation()).isEqualTo(before.generation() + 1);
    // The owner's directory is found by the same name.
    assertThat(wanted(WANTED).spec()).isEqualTo(before.spec());
  }

  @Test
  void aProgramInTheBackgroundThatUsesTheCpuKeepsItsNotebookAndAnUnknownUseStopsNone()
      throws Exception {
    SteppedClock clock = new SteppedClock();
    String began = clock.now().toString();
    AtomicReference<Double> cores = new AtomicReference<>(0.3);
    AtomicReference<Double> seconds = new AtomicReference<>(0.0);
    bus.serve(
        Workloads.CALL,
        call ->
            Future.succeededFuture(
                new Workloads.Called(
                    200,
                    call.path().startsWith("/api/status")
                        ? "{\"connections\":0,\"last_activity\":\"" + began + "\"}"
                        : "[]")));
    bus.serve(
        Usages.READ,
        ask -> {
          Want want = wanted(WANTED);
          double total = seconds.updateAndGet(before -> before + 40 * cores.get());
          Readings readings = new Readings(Map.of(), Map.of(Readings.CPU, total));
          return Future.succeededFuture(
              new Usages.Read(
                  List.of(
                      new Usages.WorkloadUsage(
                          ask.of().getFirst().workload(),
                          List.of(
                              new Usages.ReplicaUsage(
                                  new ReplicaRef(want.workload(), want.generation(), 0), readings)),
                          null,
                          null))));
        });
    write("{\"ide\":\"jupyter\",\"expiry\":{\"idle\":\"30m\"}}", true);
    String controller = success(vertx.deployVerticle(new NotebookController(bus, store, clock)));
    clock.goOn(Duration.ofSeconds(40), 90);
    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    assertThat(states()).contains("RUNNING").doesNotContain("WARNED", "IDLE", "EXPIRED");

    // A server that comes back after two hours knows the CPU time from its second look on.
    success(vertx.undeploy(controller));
    clock.skip(Duration.ofHours(2));
    success(vertx.deployVerticle(new NotebookController(bus, store, clock)));
    clock.goOn(Duration.ofSeconds(40), 3);
    assertThat(wanted(WANTED).replicas()).isEqualTo(1);
    assertThat(states()).doesNotContain("EXPIRED");

    cores.set(0.02);
    clock.goOn(Duration.ofSeconds(40), 50);
    assertThat(wanted(WANTED).replicas()).isZero();
    assertThat(states()).containsSubsequence("RUNNING", "IDLE", "WARNED", "EXPIRED");
  }

  private List<String> states() throws Exception {
    return success(bus.request(Notebooks.EVENTS, new Notebooks.EventsOf(NAME))).items().stream()
        .map(Notebooks.Event::state)
        .toList();
  }

  @Test
  void aProjectWithNotebooksIsNotDeletedAndChangesAreInTheAuditLog() throws Exception {
    write(DOCUMENT, true);
    Actor bob = new Actor("bob", "10.0.0.2");
    success(bus.request(Notebooks.STOP, new OfNotebook(bob, NAME)));

    Problem conflict =
        failure(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));

    assertThat(conflict.detail()).contains("ann-1");
    assertThat(
            success(
                    bus.request(
                        Audits.LIST,
                        new Audits.ListEntries(
                            null, "notebook", "ann-1", null, null, null, null, 10)))
                .items())
        .extracting(Audits.Entry::action)
        .containsExactly("stop", "create");
    assertThat(
            success(bus.request(Notebooks.EVENTS, new Notebooks.EventsOf(NAME))).items().getLast())
        .extracting(Notebooks.Event::state, Notebooks.Event::reason)
        .containsExactly("STOP", "by bob");
    success(bus.request(Notebooks.DELETE, one()));
    success(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));
  }
}
