package io.orrery.compute.reuse;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.Ticks;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A platform whose trials may share environments. What does not share goes to the platform below as
 * it is; of what does, the platform below sees the environments only, each as one attempt.
 */
public final class ReusingService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(ReusingService.class);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final TrainingService below;
  private final PlatformListener listener;
  private final Clock clock;
  private final Background background;
  private final Environments environments;
  private final Tenants tenants;
  private final Ticks ticks;

  /**
   * @param below opens the platform that environments run on
   */
  public ReusingService(
      Surroundings surroundings,
      String platform,
      Terms terms,
      Function<Surroundings, TrainingService> below) {
    this.listener = surroundings.listener();
    this.clock = surroundings.clock();
    this.background = new Background(surroundings.vertx(), platform + "-reuse");
    this.below = below.apply(surroundings.heardBy(new Router()));
    this.environments =
        new Environments(
            this.below,
            platform,
            terms,
            surroundings.keepers(),
            new EnvironmentRegistry(surroundings.home().toAbsolutePath().normalize()),
            clock);
    this.tenants =
        new Tenants(environments, terms, surroundings.keepers(), clock, listener, background);
    this.ticks = Ticks.begin(clock, TICK, this::tick);
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return below.check(job, concurrency);
  }

  @Override
  public Future<List<String>> notices(JobSpec job) {
    return below.notices(job);
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return below.prepare(experiment, job);
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job, SearchSpec search) {
    return below.prepare(experiment, job, search);
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return ReuseSettings.isWanted(submission.job())
        ? background.run(() -> {
          tenants.submit(submission);
          return null;
        })
        : below.submit(submission);
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    return background
        .<Boolean>run(() -> tenants.cancel(attempt))
        .compose(ours -> ours ? Future.succeededFuture() : below.cancel(attempt));
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef attempt) {
    return tenants.knows(attempt)
        ? background.run(() -> tenants.withdraw(attempt))
        : below.withdraw(attempt);
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    List<Submission> sharing = new ArrayList<>();
    List<Submission> alone = new ArrayList<>();
    submissions.forEach(each -> (ReuseSettings.isWanted(each.job()) ? sharing : alone).add(each));
    Future<List<AttemptRef>> unknown = background.run(() -> tenants.adopt(sharing));
    return below
        .adopt(alone)
        .compose(others ->
            unknown.map(
                ours -> java.util.stream.Stream.concat(others.stream(), ours.stream()).toList()));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return below.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background
        .run(() -> {
          tenants.vacate(experiment);
          return null;
        })
        .compose(empty -> below.cleanUp(experiment));
  }

  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return background
        .run(() -> {
          tenants.vacate(experiment);
          return null;
        })
        .recover(failure -> {
          // The platform below says what becomes of them where it cannot be asked.
          LOG.warn("could not end the environments of {}: {}", experiment, failure.getMessage());
          return Future.succeededFuture();
        })
        .compose(empty -> below.remove(experiment));
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return background
        .run(() -> {
          tenants.leave(experiment);
          return null;
        })
        .compose(left -> below.leave(experiment));
  }

  /** A place that is free in an environment is room as well. */
  @Override
  public Room room(JobSpec job) {
    Room room = below.room(job);
    Integer free = room.free();
    return free == null || !ReuseSettings.isWanted(job)
        ? room
        : Room.of(free + environments.free(job));
  }

  /** With the trials that live there, instead of their environments. */
  @Override
  public List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    return below.machines(experiment, job).stream()
        .map(state -> state.running(environments.inhabitants(state.attempts())))
        .toList();
  }

  @Override
  public Future<Void> close() {
    ticks.close();
    background.interrupt();
    return background
        .atLast(() -> {
          background.awaitEnd(LAST_WORDS);
          tenants.forget();
        })
        .compose(quiet -> below.close());
  }

  /** On an event loop: only hands over. */
  private void tick() {
    if (!environments.isEmpty()) {
      background.execute(() -> environments.endIdle(clock.now()));
    }
  }

  /** Routes what the platform below says of environments to their tenants. */
  private final class Router implements PlatformListener {
    @Override
    public void happened(PlatformEvent event) {
      Tenants known = tenants;
      if (!Environments.isOne(event.attempt())) {
        listener.happened(event);
      } else if (known != null) {
        try {
          background.execute(() -> known.happened(event));
        } catch (RejectedExecutionException closing) {
          LOG.trace("dropping an event of {}: the platform is closed", event.attempt());
        }
      }
    }

    @Override
    public Future<Void> reported(List<MetricPoint> points) {
      return listener.reported(points);
    }
  }
}
