package io.orrery.compute.reuse;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.BareJob;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.StoredJob;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial that an earlier server has left running in an environment, and keepers that falter. */
class TenantsTest {
  private static final String PLATFORM = "remote";
  private static final ExperimentId EXPERIMENT = new ExperimentId("digits01");
  private static final AttemptRef TRIAL = attempt("abcde");
  private static final AttemptRef ENVIRONMENT = attempt("env-remote-1");
  private static final Problem BUSY = new Problem.Busy("the disk is full", Duration.ofMillis(1));
  private static final Problem BROKEN = new Problem.Broken("the disk is gone");

  @TempDir Path home;

  private final Vertx vertx = Vertx.vertx();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final RecordingListener listener = new RecordingListener();
  private final Background background = new Background(vertx, PLATFORM);

  /** How the next calls that bring back the files of an attempt fail. */
  private final Deque<Problem> faults = new ArrayDeque<>();

  private Keepers.@Nullable Listener ear;

  /** Answers the questions of the environment. */
  private Keepers.@Nullable Offers offers;

  private Keepers.State state = new Keepers.State.Running(Instant.EPOCH, true);
  private Tenants tenants;

  @BeforeEach
  void restart() throws Exception {
    tenants = tenants(listener);
  }

  private Tenants tenants(PlatformListener told) throws IOException {
    EnvironmentRegistry register = new EnvironmentRegistry(home);
    register.write(
        ENVIRONMENT,
        new EnvironmentRegistry.Entry(
            new StoredJob(job()),
            List.of(new EnvironmentRegistry.Tenant(TRIAL.trial().trial(), 1, List.of()))));
    Environments environments =
        new Environments(below(), PLATFORM, new AtHome(), keepers(), register, clock);
    return new Tenants(environments, new AtHome(), keepers(), clock, told, background);
  }

  @AfterEach
  void stop() throws Exception {
    background.interrupt();
    vertx.close().await(10, SECONDS);
  }

  private static AttemptRef attempt(String trial) {
    return new AttemptRef(new TrialRef(EXPERIMENT, new TrialId(trial)), 1);
  }

  private static JobSpec job() {
    return BareJob.on(PLATFORM, "true", "/code", null);
  }

  private static Submission submission() {
    return new Submission(
        TRIAL, 0, new ParameterSet(0, null, ParameterSource.ALGORITHM, Parameters.EMPTY), job());
  }

  private static final class AtHome implements Terms {
    @Override
    public EnvironmentTenancy tenancy(JobSpec job) {
      return new EnvironmentTenancy("worker", "true", null, 0, 0, 1, Duration.ofMinutes(2));
    }

    @Override
    public Map<String, String> variables(JobSpec job, AttemptRef attempt) {
      return Map.of();
    }

    @Override
    public @Nullable String url(JobSpec job, AttemptRef attempt) {
      return null;
    }
  }

  /** Has the environment still. */
  private static TrainingService below() {
    return (TrainingService)
        Proxy.newProxyInstance(
            TenantsTest.class.getClassLoader(),
            new Class<?>[] {TrainingService.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "adopt" -> Future.succeededFuture(List.of());
                  default -> throw new AssertionError(method.getName());
                });
  }

  private Keepers keepers() {
    return (Keepers)
        Proxy.newProxyInstance(
            TenantsTest.class.getClassLoader(),
            new Class<?>[] {Keepers.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "mayAct" -> true;
                  case "states" ->
                      Future.succeededFuture(
                          arguments[0].equals(TRIAL) ? Map.of("worker-0", state) : Map.of());
                  case "restore" -> {
                    Problem fault = faults.poll();
                    yield fault == null
                        ? Future.succeededFuture()
                        : Future.failedFuture(fault.toException());
                  }
                  case "follow" -> {
                    ear = (Keepers.Listener) arguments[1];
                    yield null;
                  }
                  case "cancel" -> Future.succeededFuture();
                  case "storageUrl" -> "file:/somewhere";
                  case "offer" -> {
                    offers = (Keepers.Offers) arguments[1];
                    yield null;
                  }
                  case "mustAct", "offered", "forget", "over" -> null;
                  default -> throw new AssertionError(method.getName());
                });
  }

  private void end() throws Exception {
    Keepers.State.Ended ended = new Keepers.State.Ended(0, Instant.EPOCH, true, null);
    state = ended;
    ear.ended(TRIAL, "worker-0", ended);
    assertThat(listener.ended(TRIAL).exitCode()).isZero();
  }

  @Test
  void whoRunsIsAdopted() throws Exception {
    assertThat(tenants.adopt(List.of(submission()))).isEmpty();

    assertThat(tenants.knows(TRIAL)).isTrue();
    assertThat(listener.events(TRIAL)).isEmpty();
    end();
  }

  @Test
  void whoRunsIsAdoptedThoughItsKeepersHadNoTimeAtFirst() throws Exception {
    faults.addAll(List.of(BUSY, BUSY));

    assertThat(tenants.adopt(List.of(submission()))).isEmpty();

    assertThat(tenants.knows(TRIAL)).isTrue();
    assertThat(listener.events(TRIAL)).isEmpty();
    end();
  }

  @Test
  void whoCouldNotBeAdoptedIsWhereItWasForTheNextTry() throws Exception {
    faults.add(BROKEN);
    assertThatThrownBy(() -> tenants.adopt(List.of(submission())))
        .isInstanceOf(ProblemException.class);
    assertThat(tenants.knows(TRIAL)).isFalse();

    assertThat(tenants.adopt(List.of(submission()))).isEmpty();
    assertThat(listener.events(TRIAL)).isEmpty();
    end();
  }

  @Test
  void whoCouldNotBeSubmittedAgainGoesOnWhereItRan() throws Exception {
    faults.add(BROKEN);
    assertThatThrownBy(() -> tenants.submit(submission())).isInstanceOf(ProblemException.class);

    tenants.submit(submission());
    assertThat(listener.events(TRIAL)).isEmpty();

    Future<Boolean> canceled = background.run(() -> tenants.cancel(TRIAL));
    ear.ended(TRIAL, "worker-0", new Keepers.State.Ended(143, Instant.EPOCH, true, null));
    assertThat(canceled.await(10, SECONDS)).isTrue();
    assertThat(listener.endedOf(TRIAL))
        .extracting(PlatformEvent.Ended::exitCode)
        .containsExactly(143);
  }

  @Test
  void whoIsNotKnownAnyMoreHasHadItsEndTold() throws Exception {
    List<Boolean> knownWhenTold = new ArrayList<>();
    tenants =
        tenants(
            new PlatformListener() {
              @Override
              public void happened(PlatformEvent event) {
                knownWhenTold.add(tenants.knows(TRIAL));
                listener.happened(event);
              }

              @Override
              public Future<Void> reported(List<MetricPoint> points) {
                return listener.reported(points);
              }
            });
    state = new Keepers.State.Ended(3, Instant.EPOCH, true, null);

    tenants.adopt(List.of(submission()));

    assertThat(listener.endedOf(TRIAL)).hasSize(1);
    assertThat(knownWhenTold).isNotEmpty().doesNotContain(false);
    assertThat(tenants.knows(TRIAL)).isFalse();
  }

  /** K4: an environment that is taken away ends what runs in it with SIGTERM. */
  @Test
  void oneThatIsEndedWithItsEnvironmentIsLost() throws Exception {
    tenants.adopt(List.of(submission()));
    terminated();

    tenants.happened(
        new PlatformEvent.Ended(ENVIRONMENT, null, Instant.EPOCH, "its pod was deleted"));

    PlatformEvent.Ended ended = listener.ended(TRIAL);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("its pod was deleted");
  }

  /** K4: an environment that asks for work goes on, so the command ended by itself. */
  @Test
  void oneThatEndsWith143WhileItsEnvironmentGoesOnHasFailed() throws Exception {
    tenants.adopt(List.of(submission()));
    terminated();
    String key = TRIAL.trial().trial() + "." + TRIAL.number();
    assertThatThrownBy(() -> ask(1, Set.of(key), Map.of())).isInstanceOf(ProblemException.class);
    assertThat(listener.endedOf(TRIAL)).isEmpty();

    ask(2, Set.of(), Map.of(key, 143));

    assertThat(listener.ended(TRIAL).exitCode()).isEqualTo(143);
  }

  /** Has its keeper tell that the command was ended with SIGTERM. */
  private void terminated() throws Exception {
    Keepers.State.Ended ended = new Keepers.State.Ended(143, Instant.EPOCH, true, null);
    state = ended;
    ear.ended(TRIAL, "worker-0", ended);
    Eventually.until("that is heard", () -> listener.started(TRIAL));
  }

  private void ask(long number, Set<String> running, Map<String, Integer> ended) throws Exception {
    offers.take(number, running, ended).await(10, SECONDS);
  }

  @Test
  void whoEndedMeanwhileIsToldSo() throws Exception {
    state = new Keepers.State.Ended(3, Instant.EPOCH, true, "out of memory");

    assertThat(tenants.adopt(List.of(submission()))).isEmpty();

    assertThat(listener.endedOf(TRIAL))
        .extracting(PlatformEvent.Ended::exitCode)
        .containsExactly(3);
    assertThat(tenants.knows(TRIAL)).isFalse();
  }
}
