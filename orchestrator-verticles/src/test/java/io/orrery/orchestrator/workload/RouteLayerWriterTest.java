package io.orrery.orchestrator.workload;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes a layer whose services are refused together. The keeper of layers is played. */
class RouteLayerWriterTest {
  @TempDir Path directory;
  private final List<String> stored = new CopyOnWriteArrayList<>();
  private final AtomicReference<Future<Void>> slow =
      new AtomicReference<>(Future.succeededFuture());
  private Vertx vertx;
  private Store store;
  private Bus bus;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("writer.db"));
    bus = Bus.of(vertx);
    bus.serve(Routes.CHECK, check -> Future.succeededFuture(new Routes.Checked(true)));
    bus.serve(RouteLayers.PUT, this::keep);
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  /** Refuses services that give their requests to each other, as the reader of routes does. */
  private Future<RouteLayers.Stored> keep(RouteLayers.Put put) {
    List<Finding> findings = new ArrayList<>();
    JsonNode services = Json.parse(put.document()).path("services");
    for (int i = 0; i < services.size(); i++) {
      if (services.get(i).has("split")) {
        findings.add(new Finding("/services/" + i + "/split", "a cycle: aa → bb → aa"));
      }
    }
    if (findings.size() > 1) {
      return Future.failedFuture(Problem.Refused.of(findings).toException());
    }
    stored.add(put.document());
    return slow.get().map(new RouteLayers.Stored(stored.size()));
  }

  private static OwnedWorkload workload(String name, String rest) {
    return new OwnedWorkload(
        new Want(
            ServiceStage.PRODUCTION.workload(new ServiceName(name)),
            ProjectName.PUBLIC,
            "ann",
            Workloads.HERE,
            1,
            new WorkloadSpec(
                List.of("serve"),
                null,
                null,
                Map.of(),
                List.of(),
                null,
                Duration.ofMinutes(1),
                Duration.ofSeconds(1),
                Resources.UNLIMITED,
                Mounts.NONE),
            null,
            1,
            "{\"name\":\"%s\"%s}".formatted(name, rest)),
        false,
        0,
        Instant.EPOCH);
  }

  @Test
  void servicesThatAreWrongTogetherAloneAreLeftOutAndSayWhy() {
    OwnedWorkload one = workload("aa", ",\"split\":\"bb:10%\"");
    OwnedWorkload other = workload("bb", ",\"split\":\"aa:10%\"");
    OwnedWorkload third = workload("cc", "");
    RouteLayerWriter writer =
        new RouteLayerWriter(
            bus,
            new SystemClock(vertx),
            () -> List.of(one, other, third),
            new DomainRouting(bus, store, () -> {}),
            () -> {},
            reached -> {});

    vertx.runOnContext(go -> writer.changed());

    await().atMost(Duration.ofSeconds(20)).until(() -> !stored.isEmpty());
    assertThat(Json.parse(stored.getFirst()).path("services"))
        .extracting(service -> service.path("name").asText())
        .containsExactly("cc");
    assertThat(one.view().reason()).contains("a cycle: aa → bb → aa");
    assertThat(other.view().reason()).contains("a cycle: aa → bb → aa");
    assertThat(third.view().reason()).isNull();
  }

  private static final WorkloadRef NOTEBOOK = WorkloadRef.parse("notebook/ann-1");

  private static Want notebook(long generation, int epoch) {
    return new Want(
        NOTEBOOK,
        ProjectName.PUBLIC,
        "ann",
        Workloads.HERE,
        generation,
        new WorkloadSpec(
            List.of("serve"),
            null,
            null,
            Map.of(),
            List.of(new WorkloadPort("http0", 3_000)),
            null,
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Resources.UNLIMITED,
            Mounts.NONE),
        null,
        1,
        "{\"name\":\"notebook.ab.%d\",\"access\":{\"epoch\":%d}}".formatted(generation, epoch));
  }

  private static Observation ready(long generation, int port) {
    Replica replica =
        new Replica(
            new ReplicaRef(NOTEBOOK, generation, 0),
            ReplicaPhase.READY,
            null,
            Map.of("http0", "127.0.0.1:" + port),
            0,
            null,
            List.of(),
            Instant.EPOCH);
    return new Observation(NOTEBOOK, List.of(replica));
  }

  @Test
  void aNotebookIsRoutedWhenEveryRouterHasItsAddressAndItsToken() {
    AtomicLong studio = new AtomicLong();
    AtomicInteger answered = new AtomicInteger(1);
    AtomicInteger asked = new AtomicInteger();
    bus.serve(
        Routes.TRAFFIC,
        question -> {
          asked.incrementAndGet();
          return Future.succeededFuture(
              new Routes.Traffic(2, answered.get(), studio.get(), List.of(), List.of()));
        });
    OwnedWorkload workload = new OwnedWorkload(notebook(1, 0), false, 0, Instant.EPOCH);
    List<WorkloadRef> reached = new CopyOnWriteArrayList<>();
    RouteLayerWriter writer =
        new RouteLayerWriter(
            bus,
            new SystemClock(vertx),
            () -> List.of(workload),
            new DomainRouting(bus, store, () -> {}),
            () -> {},
            reached::add);
    workload.look(ready(1, 4_001), Instant.EPOCH);
    assertThat(workload.view().routed()).isFalse();

    vertx.runOnContext(go -> writer.changed());
    await().atMost(Duration.ofSeconds(20)).until(() -> asked.get() > 1);
    assertThat(workload.view().routed()).isFalse();
    // One router is silent, and may have the table of before.
    studio.set(1);
    int before = asked.get();
    await().atMost(Duration.ofSeconds(20)).until(() -> asked.get() > before + 1);
    assertThat(workload.view().routed()).isFalse();
    answered.set(2);
    await().atMost(Duration.ofSeconds(20)).until(() -> workload.view().routed());
    assertThat(reached).containsExactly(NOTEBOOK);

    // Who may enter changes, and the way to the program is the same.
    workload.change(notebook(1, 1));
    assertThat(workload.view().routed()).isTrue();
    // Another generation has another token.
    workload.change(notebook(2, 1));
    workload.look(ready(2, 4_002), Instant.EPOCH);
    assertThat(workload.view().routed()).isFalse();
    vertx.runOnContext(go -> writer.changed());
    await().atMost(Duration.ofSeconds(20)).until(() -> stored.size() == 2);
    studio.set(2);
    await().atMost(Duration.ofSeconds(20)).until(() -> workload.view().routed());
    writer.close();
  }

  private static void on(Context context, Runnable action) throws Exception {
    Promise<Void> done = Promise.promise();
    context.runOnContext(go -> {
      action.run();
      done.complete();
    });
    success(done.future());
  }

  @Test
  void aChangeDuringALongWriteIsWrittenAfterAShortRestAndALaterOneAtOnce() throws Exception {
    VirtualClock clock = new VirtualClock(Instant.EPOCH);
    Context context = vertx.getOrCreateContext();
    AtomicInteger written = new AtomicInteger();
    List<OwnedWorkload> all = new ArrayList<>(List.of(workload("aa", "")));
    RouteLayerWriter writer =
        new RouteLayerWriter(
            bus,
            clock,
            () -> all,
            new DomainRouting(bus, store, () -> {}),
            written::incrementAndGet,
            reached -> {});
    Promise<Void> answer = Promise.promise();
    slow.set(answer.future());
    on(
        context,
        () -> {
          writer.changed();
          clock.advance(Duration.ofMillis(1));
        });
    await().atMost(Duration.ofSeconds(20)).until(() -> stored.size() == 1);

    on(
        context,
        () -> {
          all.add(workload("bb", ""));
          writer.changed();
          clock.advance(Duration.ofMillis(400));
        });
    slow.set(Future.succeededFuture());
    answer.complete();
    await().atMost(Duration.ofSeconds(20)).until(() -> written.get() == 1);
    on(
        context,
        () -> {
          writer.changed();
          clock.advance(Duration.ofMillis(499));
        });
    assertThat(clock.pending()).as("it rests").isOne();
    assertThat(stored).hasSize(1);

    on(context, () -> clock.advance(Duration.ofMillis(1)));
    await().atMost(Duration.ofSeconds(20)).until(() -> written.get() == 2);
    assertThat(stored.getLast()).contains("bb");

    on(
        context,
        () -> {
          all.removeFirst();
          writer.changed();
          clock.advance(Duration.ofMillis(1));
        });
    await().atMost(Duration.ofSeconds(20)).until(() -> written.get() == 3);
    assertThat(stored.getLast()).doesNotContain("aa").contains("bb");
    writer.close();
  }
}
