package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.Domains.Action;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Routes.ServiceTraffic;
import io.orrery.core.bus.contract.Routes.VersionAnswers;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.LatencyBuckets;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Upgrade;
import io.orrery.studio.control.ServiceController;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A changed service takes over by steps, and goes back, alike on every store. */
abstract class UpgradeContract extends ServiceFixture {
  /** The answers 5xx of the generation that takes over, which grow with each look. */
  private volatile long errors;

  private volatile long looks;

  private static String document(String command, String rollout) {
    return DOCUMENT
        .replace("\"serve\"", "\"" + command + "\"")
        .replace("{\"command\"", "{\"rollout\":" + rollout + ",\"command\"");
  }

  /** A document whose steps end by a command, or by a gate. */
  private static String slow(String command) {
    return document(
        command,
        "{\"steps\":[20,100],\"every\":\"10m\",\"gates\":{\"errors\":\"<1%\",\"requests\":5}}");
  }

  @BeforeEach
  void steer() throws Exception {
    bus.serve(DomainRoutes.LIST, all -> Future.succeededFuture(new DomainRoutes.Listed(List.of())));
    bus.serve(
        Routes.TRAFFIC,
        asked ->
            Future.succeededFuture(new Routes.Traffic(1, 1, 1, List.of(), List.of(traffic()))));
    success(
        vertx.deployVerticle(
            new ServiceController(
                bus, store, new SystemClock(vertx), ZoneId.of("UTC"), new SecureRandom())));
  }

  private ServiceTraffic traffic() {
    looks++;
    return new ServiceTraffic(
        "hello", 0, 0, 0, List.of(answers("hello", 0), answers("hello.g2", errors * looks)));
  }

  private static VersionAnswers answers(String version, long wrong) {
    return new VersionAnswers(
        version,
        List.of(0L, 0L, 0L, 0L, wrong),
        Collections.nCopies(LatencyBuckets.boundsMicros().size() + 1, 0L));
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(30));
  }

  private Upgrade way() {
    return wanted("service/hello").upgrade();
  }

  private Services.Upgrading upgrade() throws Exception {
    return Objects.requireNonNull(get().upgrade());
  }

  private void awaitState(RolloutState state) {
    soon().until(() -> upgrade().rollout().state() == state);
  }

  private Services.Service steer(Action action) throws Exception {
    return success(bus.request(Services.STEER, new Services.SteerUpgrade(ANN, HELLO, action)));
  }

  @Test
  void aChangedServiceTakesOverByStepsAndReplacesTheEarlierOneAtTheEnd() throws Exception {
    String rollout =
        "{\"steps\":[20,100],\"every\":\"1s\",\"keepWarm\":\"1s\",\"gates\":{\"requests\":0}}";
    put(document("one", rollout), true);
    assertThat(way()).isNull();
    assertThat(get().upgrade()).isNull();

    put(document("two", rollout), false);
    assertThat(wanted("service/hello").generation()).isEqualTo(2);
    assertThat(upgrade().from()).isEqualTo(1);
    soon().until(() -> new Upgrade(1, 20).equals(way()));
    soon().until(() -> new Upgrade(1, 100).equals(way()));
    awaitState(RolloutState.IDLE);
    assertThat(way()).isEqualTo(new Upgrade(1, null));
    assertThat(upgrade().open()).isFalse();
    assertThat(upgrade().rollout().reason()).isEqualTo("generation 2 of hello has taken over");
  }

  @Test
  void oneWithErrorsIsReplacedByTheEarlierRevisionWhoseGenerationServesMeanwhile()
      throws Exception {
    put(slow("one"), true);
    put(slow("two"), false);
    soon().until(() -> new Upgrade(1, 20).equals(way()));

    errors = 50;
    soon().until(() -> wanted("service/hello").generation() == 3);
    assertThat(way()).isEqualTo(new Upgrade(1, null));
    assertThat(wanted("service/hello").spec().command()).endsWith("one");
    assertThat(upgrade().rollout().state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(upgrade().rollout().reason()).contains("100.0 % of its").contains("less than 1 %");
    assertThat(upgrade().open()).isFalse();
    Services.Stage stage = get().stages().getFirst();
    assertThat(stage.revision()).isEqualTo(1);
    assertThat(get().revision()).isEqualTo(2);
    assertThat(get().document()).contains("two");

    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(wanted("service/hello").generation()).isEqualTo(4);
    assertThat(wanted("service/hello").spec().command()).endsWith("one");
    assertThat(way()).isNull();
    assertThat(get().stages().getFirst().revision()).isEqualTo(1);

    errors = 0;
    assertThat(put(slow("two"), false).outcome()).isEqualTo(Services.Outcome.CHANGED);
    assertThat(wanted("service/hello").generation()).isEqualTo(5);
    assertThat(upgrade().from()).isEqualTo(4);
  }

  @Test
  void otherCodeAloneIsAnUpgrade() throws Exception {
    put(withCode("a"), true);
    put(withCode("b"), false);
    assertThat(way()).isEqualTo(new Upgrade(1, 0));
  }

  private static String withCode(String digit) {
    return slow("one")
        .replace("{\"rollout\"", "{\"code\":\"sha256:" + digit.repeat(64) + "\",\"rollout\"");
  }

  @Test
  void peoplePauseResumePromoteAndAbort() throws Exception {
    assertThat(
            failure(
                bus.request(Services.STEER, new Services.SteerUpgrade(ANN, HELLO, Action.PAUSE))))
        .isInstanceOf(Problem.NotFound.class);
    put(slow("one"), true);
    assertThat(
            failure(
                bus.request(Services.STEER, new Services.SteerUpgrade(ANN, HELLO, Action.PAUSE))))
        .hasToString("Conflict[detail=No upgrade of hello is under way.]");
    put(slow("two"), false);
    soon().until(() -> new Upgrade(1, 20).equals(way()));

    assertThat(upgradeOf(steer(Action.PAUSE)).rollout().reason()).isEqualTo("paused by ann");
    assertThat(upgradeOf(steer(Action.RESUME)).rollout().state()).isEqualTo(RolloutState.STEP);
    steer(Action.PROMOTE);
    soon().until(() -> new Upgrade(1, 100).equals(way()));
    steer(Action.ABORT);
    soon().until(() -> wanted("service/hello").generation() == 3);
    assertThat(upgrade().rollout().reason()).isEqualTo("aborted by ann");
  }

  private static Services.Upgrading upgradeOf(Services.Service service) {
    return Objects.requireNonNull(service.upgrade());
  }

  @Test
  void aDeploymentMeanwhileIsComparedWithTheGenerationThatServes() throws Exception {
    put(slow("one"), true);
    put(slow("two"), false);
    soon().until(() -> new Upgrade(1, 20).equals(way()));
    scale(2);
    assertThat(way()).isEqualTo(new Upgrade(1, 20));

    success(bus.request(Services.DEPLOY, at(ServiceStage.TEST)));
    assertThat(way()).isEqualTo(new Upgrade(1, 20));
    assertThat(wanted("service/test.hello").upgrade()).isNull();

    put(slow("three"), false);
    assertThat(upgrade().from()).isEqualTo(1);
    assertThat(way()).isEqualTo(new Upgrade(1, 0));
    put(slow("one"), false);
    assertThat(way()).isEqualTo(new Upgrade(1, null));
    assertThat(get().upgrade()).isNull();
  }

  @Test
  void aRestartAndADocumentWithoutStepsReplaceAtOnce() throws Exception {
    put(slow("one"), true);
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(way()).isNull();
    put(DOCUMENT, false);
    assertThat(way()).isNull();
    put(slow("one"), false);
    assertThat(way().from()).isEqualTo(3);
    success(bus.request(Services.CLEAR, at(ServiceStage.PRODUCTION)));
    assertThat(get().upgrade()).isNull();
  }
}
