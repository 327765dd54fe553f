package io.orrery.orchestrator.workload;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.HeldUnits;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.project.Mounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.quota.PlayedLedger;
import io.orrery.orchestrator.quota.QuotaVerticle;
import io.orrery.orchestrator.workload.WorkloadTable.Stored;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Charges the replicas of a service while a generation of another size takes over by shares. */
class WorkloadQuotaTest {
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/hello");
  private static final int SMALL = 1_000;
  private static final int LARGE = 4_000;

  private final PlayedLedger ledger = new PlayedLedger(100);
  private final Queue<Hold> held = new ConcurrentLinkedQueue<>();
  private Vertx vertx;
  private Bus bus;
  private Context context;
  private @Nullable OwnedWorkload workload;
  private WorkloadQuota quota;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    context = vertx.getOrCreateContext();
    success(
        Future.all(
            bus.serve(
                Quotas.HOLD,
                hold -> {
                  held.add(hold);
                  return Future.succeededFuture(ledger.hold(hold, QuotaScope.PROJECT));
                }),
            bus.serve(
                Quotas.SHARES,
                asked -> Future.succeededFuture(new Quotas.Shares(Map.of(), List.of()))),
            bus.serve(Quotas.HELD, asked -> Future.succeededFuture(held()))));
    success(vertx.deployVerticle(new QuotaVerticle(bus, new SystemClock(vertx), "s1", false)));
    begin(1);
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  private Quotas.AllHeld held() {
    return new Quotas.AllHeld(
        Stream.of("", part(SMALL), part(LARGE))
            .map(part -> new QuotaObject("service", "hello", part))
            .map(object -> new HeldUnits(object, ledger.of(object)))
            .filter(each -> each.units() > 0)
            .toList());
  }

  private static String part(int cpu) {
    return "replicas-%d-0-0".formatted(cpu);
  }

  private void begin(long epoch) throws Exception {
    quota =
        new WorkloadQuota(bus, new SystemClock(vertx), epoch, ref -> workload, ref -> settleSoon());
    success(quota.load());
  }

  private void settleSoon() {
    context.runOnContext(go -> settle());
  }

  private void settle() {
    if (workload != null) {
      quota.settle(workload);
    }
  }

  private void run(Runnable change) throws Exception {
    Promise<Void> done = Promise.promise();
    context.runOnContext(go -> {
      change.run();
      settle();
      done.complete();
    });
    success(done.future());
  }

  private static Want want(long generation, int cpu, @Nullable Upgrade upgrade) {
    return want(generation, cpu, null, upgrade);
  }

  private static Want want(
      long generation, int cpu, @Nullable ModelFiles model, @Nullable Upgrade upgrade) {
    return new Want(
        HELLO,
        ProjectName.PUBLIC,
        "ann",
        Workloads.HERE,
        generation,
        new WorkloadSpec(
            List.of("serve"),
            null,
            null,
            Map.of(),
            List.of(),
            null,
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            new Resources(new Amount(cpu, cpu), Amount.UNLIMITED, 0),
            Mounts.NONE,
            null,
            model),
        null,
        2,
        null,
        upgrade);
  }

  private void see(IntUnaryOperator replicasOfGeneration) {
    List<Replica> replicas =
        IntStream.rangeClosed(1, 3)
            .boxed()
            .flatMap(generation ->
                IntStream.range(0, replicasOfGeneration.applyAsInt(generation))
                    .mapToObj(ordinal -> ready(generation, ordinal)))
            .toList();
    workload.look(new Observation(HELLO, replicas), Instant.EPOCH);
  }

  private static Replica ready(long generation, int ordinal) {
    return new Replica(
        new ReplicaRef(HELLO, generation, ordinal),
        ReplicaPhase.READY,
        null,
        Map.of(),
        0,
        null,
        List.of(),
        Instant.EPOCH);
  }

  private void thenCharged(int small, int large) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> {
          assertThat(ledger.of(new QuotaObject("service", "hello", part(SMALL)))).isEqualTo(small);
          assertThat(ledger.of(new QuotaObject("service", "hello", part(LARGE)))).isEqualTo(large);
        });
  }

  private void twoLargeAreFollowedBySmall(Upgrade upgrade) throws Exception {
    run(() -> workload = new OwnedWorkload(want(1, LARGE, null), false, 0, Instant.EPOCH));
    thenCharged(0, 2);
    run(() -> see(generation -> generation == 1 ? 2 : 0));
    run(() -> workload.change(want(2, SMALL, upgrade)));
    thenCharged(2, upgrade.percent() == null ? 0 : 2);
    assertThat(quota.allowed(workload)).isEqualTo(2);
  }

  @Test
  void replicasOfAnotherSizeStayChargedUntilTheyAreGone() throws Exception {
    twoLargeAreFollowedBySmall(new Upgrade(1, 20));
    run(() -> see(generation -> generation == 3 ? 0 : generation));
    thenCharged(2, 1);
    run(() -> workload.change(want(2, SMALL, new Upgrade(1, null))));
    run(() -> see(generation -> generation == 3 ? 0 : generation));
    thenCharged(2, 1);
    run(() -> see(generation -> generation == 2 ? 2 : 0));
    thenCharged(2, 0);
  }

  @Test
  void aGenerationThatReplacesAnotherAtOnceGetsItsQuota() throws Exception {
    twoLargeAreFollowedBySmall(new Upgrade(1, null));
    run(() -> see(generation -> generation == 3 ? 0 : 2));
    thenCharged(2, 0);
  }

  @Test
  void whatAnEarlierSizeStillHoldsIsGivenBackByTheNextOwner() throws Exception {
    ledger.left(new QuotaObject("service", "hello", part(LARGE)), 3);
    ledger.left(new QuotaObject("service", "hello", part(SMALL)), 2);
    begin(2);
    run(() -> workload = new OwnedWorkload(want(2, SMALL, null), false, 0, Instant.EPOCH));
    thenCharged(2, 0);
  }

  @Test
  void theNextOwnerKeepsThemCharged() throws Exception {
    twoLargeAreFollowedBySmall(new Upgrade(1, 20));
    run(() -> {
      quota.close();
      workload = null;
    });
    held.clear();
    begin(2);
    assertThat(quota.allowedBefore(want(2, SMALL, new Upgrade(1, 20)))).isEqualTo(2);
    run(() -> {
      workload = new OwnedWorkload(want(2, SMALL, new Upgrade(1, 20)), false, 0, Instant.EPOCH);
      see(generation -> generation == 3 ? 0 : 2);
    });
    await().until(() -> quota.allowed(workload) == 2);
    thenCharged(2, 2);
    assertThat(held)
        .filteredOn(hold -> hold.object().part().startsWith("replicas"))
        .as("nothing is given back in between")
        .allMatch(hold -> hold.wanted() == 2);
    run(() -> see(generation -> generation == 2 ? 2 : 0));
    thenCharged(2, 0);
  }

  @Test
  void goingBackToTheEarlierSizeChargesWhatThereIsOfIt() throws Exception {
    twoLargeAreFollowedBySmall(new Upgrade(1, 20));
    run(() -> see(generation -> generation == 3 ? 0 : 2));
    run(() -> workload.change(want(3, LARGE, new Upgrade(1, 50))));
    thenCharged(2, 4);
    run(() -> see(generation -> generation == 2 ? 0 : 2));
    thenCharged(0, 4);
    run(() -> see(generation -> generation == 3 ? 2 : 0));
    thenCharged(0, 2);
  }

  @Test
  void theModelOfAnEarlierGenerationIsUsedWhileItRuns() {
    Want first = want(1, SMALL, new ModelFiles("digits", "1", "id", "aa"), null);
    OwnedWorkload owned = new OwnedWorkload(first, false, 0, Instant.EPOCH);
    workload = owned;
    see(generation -> generation == 1 ? 1 : 0);
    Want second = want(2, SMALL, new ModelFiles("digits", "2", "id", "bb"), null);
    assertThat(owned.models()).containsExactly("aa");
    owned.change(second);
    see(generation -> generation == 3 ? 0 : 1);
    assertThat(owned.models()).containsExactlyInAnyOrder("aa", "bb");

    OwnedWorkload next =
        new OwnedWorkload(new Stored(second, false, Set.of("aa", "bb")), 0, Instant.EPOCH);
    assertThat(next.models()).containsExactlyInAnyOrder("aa", "bb");
    see(generation -> generation == 2 ? 1 : 0);
    assertThat(owned.models()).as("not ready as wanted").contains("aa");
    see(generation -> generation == 2 ? 2 : 0);
    assertThat(owned.models()).containsExactly("bb");
  }
}
