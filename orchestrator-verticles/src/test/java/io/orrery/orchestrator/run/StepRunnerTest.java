package io.orrery.orchestrator.run;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.compute.catalog.OnlyThese;
import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.simulated.SimulatedServiceFactory;
import io.orrery.core.bus.Bus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepStatus;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.VirtualClock;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.project.EnvironmentFreezer;
import io.orrery.orchestrator.project.ProjectDefaults;
import io.orrery.orchestrator.submission.Submissions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts that are ended before a training service has taken them in charge. */
class StepRunnerTest {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @TempDir Path home;
  private final List<RunEvent> events = new CopyOnWriteArrayList<>();
  private final List<Submissions.Submit> submitted = new CopyOnWriteArrayList<>();
  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-11-01T00:00:00Z"));
  private Vertx vertx;
  private Context context;
  private Store store;
  private Bus bus;
  private RunModel model;
  private StepRunner runner;
  private volatile boolean busy;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    context = vertx.getOrCreateContext();
    store = SqliteStore.open(vertx, home.resolve("orrery.db"));
    bus = Bus.of(vertx);
    RunSpec spec = RunSpecs.run(1, RunSpecs.Step.named("train"));
    model = new RunModel(spec, RunState.NEW, RunModel.fresh(spec));
    Platforms platforms =
        OnlyThese.of(
            new TrainingServiceFactory.Surroundings(
                vertx, clock, home, home, null, new Unheard(), null),
            new BusyFactory());
    ProjectSecrets secrets = new ProjectSecrets(vertx, bus, new SecretBox(home, Map.of()));
    runner =
        new StepRunner(
            new StepRunner.Surroundings(
                vertx,
                bus,
                clock,
                platforms,
                new BundleFolder(vertx, store, home),
                new RunTable(store),
                new RunArtifacts(home),
                home,
                Map.of(),
                () -> true,
                1,
                new StepServices(
                    vertx,
                    clock,
                    platforms,
                    secrets,
                    new SecretBox(home, Map.of()),
                    new ProjectDefaults(bus, Map.of(), Set.of(), new HostMounts(List.of())),
                    new EnvironmentFreezer(vertx, bus, platforms),
                    home,
                    null),
                new ArtifactCharges(bus, new RunTable(store), 1)),
            spec,
            model,
            this::hear);
    success(
        Future.all(
            bus.serve(
                Submissions.SUBMIT,
                wanted -> {
                  submitted.add(wanted);
                  return Future.succeededFuture(new Submissions.Done());
                }),
            bus.serve(
                Submissions.CANCEL, wanted -> Future.succeededFuture(new Submissions.Done()))));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  /** The model hears of it as it does of all events. */
  private void hear(RunEvent event) {
    events.add(event);
    model.decide(event, clock.now());
  }

  /** Does something where the runner lives. */
  private <T> T onContext(Callable<T> action) throws Exception {
    Promise<T> done = Promise.promise();
    context.runOnContext(ignored -> {
      try {
        done.complete(action.call());
      } catch (Exception e) {
        done.fail(e);
      }
    });
    return success(done.future());
  }

  private void launch() throws Exception {
    onContext(() -> {
      carryOut(model.decide(new RunEvent.Opened(), clock.now()));
      return null;
    });
  }

  private void stopTheRun() throws Exception {
    onContext(() -> {
      carryOut(model.decide(new RunEvent.Stop(), clock.now()));
      return null;
    });
  }

  private void carryOut(List<RunDecision> decisions) {
    for (RunDecision decision : decisions) {
      if (decision instanceof RunDecision.Launch(int step, int attempt)) {
        runner.launch(step, attempt);
      } else if (decision instanceof RunDecision.Cancel(int step, int attempt)) {
        runner.cancel(step, attempt);
      }
    }
  }

  private void pass(Duration time) throws Exception {
    onContext(() -> {
      clock.advance(time);
      return null;
    });
  }

  private boolean waitsForItsNextTry() throws Exception {
    return onContext(() -> clock.pending() == 1);
  }

  @Test
  void aStepThatIsStoppedBeforeItsPreparationIsTriedAgainNeverStarts() throws Exception {
    busy = true;
    launch();
    await().until(this::waitsForItsNextTry);

    stopTheRun();
    busy = false;
    pass(PAUSE);

    await().until(() -> onContext(() -> model.step(0).status()) == StepStatus.STOPPED);
    assertThat(events).hasOnlyElementsOfType(RunEvent.Ended.class);
    assertThat(submitted).isEmpty();
    assertThat(model.state().status()).isEqualTo(RunStatus.STOPPED);
  }

  @Test
  void aStepThatIsStoppedBeforeItIsSubmittedAgainNeverStarts() throws Exception {
    launch();
    await().until(() -> submitted.size() == 1);
    onContext(() -> {
      runner.returned(
          new Submissions.Returned(
              submitted.getFirst().submission(),
              new Problem.Busy("too many wait", Duration.ofSeconds(1))));
      return null;
    });
    await().until(this::waitsForItsNextTry);

    stopTheRun();
    pass(PAUSE);

    await().until(() -> onContext(() -> model.step(0).status()) == StepStatus.STOPPED);
    assertThat(submitted).hasSize(1);
    assertThat(model.state().status()).isEqualTo(RunStatus.STOPPED);
  }

  @Test
  void aStepWhosePreparationWasRefusedForAWhileIsSubmittedOnce() throws Exception {
    busy = true;
    launch();
    await().until(this::waitsForItsNextTry);

    busy = false;
    pass(PAUSE);

    await().until(() -> submitted.size() == 1);
    assertThat(model.step(0).status()).isEqualTo(StepStatus.WAITING);
  }

  /** Takes no notice: no attempt gets as far as to report. */
  private static final class Unheard implements PlatformListener {
    @Override
    public void happened(PlatformEvent event) {}

    @Override
    public Future<Void> reported(List<MetricPoint> points) {
      return Future.succeededFuture();
    }
  }

  /** A training service that can be too busy to prepare anything. */
  private final class BusyFactory implements TrainingServiceFactory {
    private final TrainingServiceFactory real = new SimulatedServiceFactory();

    @Override
    public String platform() {
      return "local";
    }

    @Override
    public String summary() {
      return real.summary();
    }

    @Override
    public List<Finding> check(JobSpec job) {
      return List.of();
    }

    @Override
    public TrainingService open(Surroundings surroundings) {
      TrainingService service = real.open(surroundings);
      return (TrainingService)
          Proxy.newProxyInstance(
              StepRunnerTest.class.getClassLoader(),
              new Class<?>[] {TrainingService.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("prepare")) {
                  // Steps have no scenario, without which the simulation prepares nothing.
                  return busy
                      ? Future.failedFuture(
                          new Problem.Busy("it is busy", Duration.ofSeconds(1)).toException())
                      : Future.succeededFuture();
                }
                try {
                  return method.invoke(service, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
