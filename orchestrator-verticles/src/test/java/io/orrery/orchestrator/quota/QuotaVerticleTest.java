package io.orrery.orchestrator.quota;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plays a ledger of few units before many owners that wait for them. */
class QuotaVerticleTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final String LISTENER = "test";

  /** Four units for all together. */
  private final PlayedLedger ledger = new PlayedLedger(4);

  private final ConcurrentLinkedQueue<String> granted = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<QuotaVerticle.GiveWay> words = new ConcurrentLinkedQueue<>();
  private volatile QuotaScope scope = QuotaScope.PROJECT;

  /** The object whose answers of the ledger come when the gate is opened. */
  private volatile String slow = "";

  private volatile Promise<Void> gate = Promise.promise();
  private Vertx vertx;
  private Bus bus;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    success(
        Future.all(
            bus.serve(
                Quotas.HOLD,
                hold -> {
                  HoldAnswer answer = ledger.hold(hold, scope);
                  return hold.object().name().equals(slow)
                      ? gate.future().map(answer)
                      : Future.succeededFuture(answer);
                }),
            bus.serve(Quotas.SHARES, asked -> Future.succeededFuture(shares())),
            bus.serve(
                QuotaVerticle.GIVE_WAY.of(LISTENER),
                word -> {
                  words.add(word);
                  return Future.succeededFuture(new QuotaVerticle.Noted());
                }),
            bus.serve(
                QuotaVerticle.GRANTED.of(LISTENER),
                each -> {
                  if (each.held().units() > 0) {
                    granted.add(each.object().name());
                  }
                  return Future.succeededFuture(new QuotaVerticle.Noted());
                })));
    success(vertx.deployVerticle(new QuotaVerticle(bus, new SystemClock(vertx), "s1", false)));
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  /** The four units are a limit of all projects when it says so. */
  private Quotas.Shares shares() {
    return scope == QuotaScope.SERVER
        ? new Quotas.Shares(
            Map.of(QuotaResource.TRIALS, 4L),
            List.of(
                new Quotas.ProjectUsage(VISION, Amounts.of(QuotaResource.TRIALS, ledger.used()))))
        : new Quotas.Shares(Map.of(), List.of());
  }

  private static QuotaVerticle.Ask ask(int number, int wanted) {
    return new QuotaVerticle.Ask(LISTENER, hold(number, wanted));
  }

  private static Hold hold(int number, int wanted) {
    return new Hold(
        new QuotaObject("experiment", "e" + number),
        VISION,
        "ann",
        1,
        Amounts.of(QuotaResource.TRIALS, 1),
        wanted);
  }

  private void giveBack(int number) throws Exception {
    success(bus.request(QuotaVerticle.ASK, ask(number, 0)));
    bus.publish(Quotas.FREED, new Quotas.Freed(VISION));
  }

  /** Nothing is asked while nothing changes; a release costs a few requests. */
  private void thenOneIsServed(String what, int before, int requests) throws Exception {
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(5))
        .until(() -> ledger.asked() == before);
    long released = System.nanoTime();
    giveBack(0);
    await().atMost(Duration.ofSeconds(1)).until(() -> granted.contains("e4"));
    System.out.printf(
        "%s %d ms after the release%n", what, (System.nanoTime() - released) / 1_000_000);
    await().atMost(Duration.ofSeconds(1)).until(() -> ledger.asked() == before + requests);
    assertThat(granted).containsExactly("e4");
  }

  @Test
  void tenThousandThatWaitCostNothingAndAReleaseCostsTwoRequests() throws Exception {
    List<Future<HoldAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      answers.add(bus.request(QuotaVerticle.ASK, ask(i, 1)));
    }
    success(Future.all(answers));
    assertThat(answers.stream().filter(each -> each.result().units() == 1)).hasSize(4);
    int before = ledger.asked();
    assertThat(before).isEqualTo(10_000);

    thenOneIsServed("the first of 9,996 that wait has its unit", before, 3);
  }

  @Test
  void tenThousandThatWaitForTheServerAreOrderedWithoutAskingEach() throws Exception {
    scope = QuotaScope.SERVER;
    List<Future<HoldAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      answers.add(bus.request(QuotaVerticle.ASK, ask(i, 1)));
    }
    success(Future.all(answers));
    assertThat(answers.stream().filter(each -> each.result().units() == 1)).hasSize(4);
    // Nothing is under way any more when places have been found.
    AtomicInteger last = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(20))
        .until(() -> last.getAndSet(ledger.asked()) == ledger.asked());
    int before = ledger.asked();

    thenOneIsServed("the first of 9,996 that wait for the server has its unit", before, 2);
  }

  @Test
  void claimsOfAnotherServerAreGivenWayTo() throws Exception {
    scope = QuotaScope.SERVER;
    success(
        bus.request(
            QuotaVerticle.ASK, new QuotaVerticle.Ask(LISTENER, hold(1, 4), 0, 4, 50, true, false)));
    QuotaObject object = hold(1, 4).object();
    Quotas.UnitClaim claim =
        new Quotas.UnitClaim(
            new ProjectName("speech"),
            50,
            Amounts.of(QuotaResource.TRIALS, 1),
            2,
            QuotaScope.SERVER,
            Instant.EPOCH);
    bus.publish(Quotas.CLAIMED, new Quotas.Claimed("s2", List.of(claim)));
    await()
        .untilAsserted(
            () -> assertThat(words).containsExactly(new QuotaVerticle.GiveWay(object, true, 0)));

    // What it gives back is kept for the other server: it does not get it again itself.
    QuotaVerticle.Ask back = new QuotaVerticle.Ask(LISTENER, hold(1, 2), 4, 4, 50, true, false);
    assertThat(success(bus.request(QuotaVerticle.ASK, back)).units()).isEqualTo(2);
    bus.publish(Quotas.FREED, new Quotas.Freed(VISION));
    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(3))
        .until(() -> ledger.of(object) == 2);

    bus.publish(Quotas.CLAIMED, new Quotas.Claimed("s2", List.of()));
    await().untilAsserted(() -> assertThat(ledger.of(object)).isEqualTo(4));
  }

  @Test
  void whoWaitsNoMoreIsPassedOver() throws Exception {
    for (int i = 0; i < 7; i++) {
      success(bus.request(QuotaVerticle.ASK, ask(i, 1)));
    }
    success(bus.request(QuotaVerticle.ASK, ask(4, 0)));
    giveBack(1);
    giveBack(2);

    await().atMost(Duration.ofSeconds(1)).until(() -> granted.size() == 2);
    assertThat(granted).containsExactly("e5", "e6");
  }

  @Test
  void whatAnEarlierOwnerWasGrantedIsFoundThoughOthersWait() throws Exception {
    scope = QuotaScope.SERVER;
    for (int i = 0; i < 5; i++) {
      success(bus.request(QuotaVerticle.ASK, ask(i, 1)));
    }

    QuotaVerticle.Ask again = new QuotaVerticle.Ask(LISTENER, hold(0, 1), 1, 1, 50, false, false);
    assertThat(success(bus.request(QuotaVerticle.ASK, again)).units()).isEqualTo(1);
    assertThat(success(bus.request(QuotaVerticle.ASK, ask(5, 1))).units()).isZero();
  }

  @Test
  void anOwnerThatWantsMoreWhileItIsGrantedSomeGetsTheRestLater() throws Exception {
    scope = QuotaScope.SERVER;
    success(bus.request(QuotaVerticle.ASK, new QuotaVerticle.Ask(LISTENER, hold(1, 4))));
    assertThat(success(bus.request(QuotaVerticle.ASK, yielding(2, 0, 2))).units()).isZero();
    slow = "e2";
    success(bus.request(QuotaVerticle.ASK, yielding(1, 4, 2)));
    bus.publish(Quotas.FREED, new Quotas.Freed(VISION));
    await().until(() -> ledger.of(hold(2, 0).object()) == 2);

    // The grant is under way, and the owner does not know of it.
    Future<HoldAnswer> more = bus.request(QuotaVerticle.ASK, yielding(2, 0, 3));
    gate.complete();
    assertThat(success(more).units()).isEqualTo(2);
    success(bus.request(QuotaVerticle.ASK, yielding(1, 2, 0)));
    bus.publish(Quotas.FREED, new Quotas.Freed(VISION));
    await().until(() -> ledger.of(hold(2, 0).object()) == 3);
  }

  private static QuotaVerticle.Ask yielding(int number, int held, int wanted) {
    return new QuotaVerticle.Ask(LISTENER, hold(number, wanted), held, wanted, 50, true, false);
  }
}
