package io.orrery.compute.simulated;

import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trials and steps that do not run. All state belongs to one context; who is on it already is
 * served at once, so that a rehearsal knows when everything has been said.
 *
 * <p>Attempts outlive the server: their fate follows from their name, and is told from its
 * beginning when they are taken up.
 */
final class SimulatedService implements TrainingService {
  private final Context home;
  private final Clock clock;
  private final PlatformListener listener;
  private final Map<ExperimentId, Simulation> simulations = new HashMap<>();

  /** The attempts of steps; each step has a scenario of its own. */
  private final Map<TrialRef, Simulation> steps = new HashMap<>();

  private final Map<AttemptRef, SimulatedAttempt> running = new HashMap<>();

  /** The attempts that were ended before they were submitted. */
  private final Set<AttemptRef> unwanted = new HashSet<>();

  private boolean closed;

  SimulatedService(Context home, Clock clock, PlatformListener listener) {
    this.home = home;
    this.clock = clock;
    this.listener = listener;
  }

  /** Only looks at the job: each step of a run has a scenario of its own. */
  @Override
  public Future<Void> prepare(ExperimentId run, JobSpec job) {
    return atHome(() -> {
      Scenario.of(job, Scenario.OF_STEPS);
      return Future.succeededFuture();
    });
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job, SearchSpec search) {
    return atHome(() -> {
      simulations.computeIfAbsent(
          experiment, id -> new Simulation(Scenario.of(job, search), clock.now()));
      return Future.succeededFuture();
    });
  }

  private Simulation simulation(Submission submission) {
    TrialRef trial = submission.attempt().trial();
    if (submission.step() != null) {
      return steps.computeIfAbsent(
          trial,
          step -> new Simulation(Scenario.of(submission.job(), Scenario.OF_STEPS), clock.now()));
    }
    Simulation simulation = simulations.get(trial.experiment());
    if (simulation == null) {
      throw new Problem.Conflict("experiment " + trial.experiment() + " is not prepared here")
          .toException();
    }
    return simulation;
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return atHome(() -> {
      Simulation simulation = simulation(submission);
      double outage = simulation.outage(clock.now());
      if (outage > 0) {
        Duration wait = Duration.ofMillis((long) Math.ceil(outage * 1e3));
        return Future.failedFuture(
            new Problem.Busy(
                    "the simulated platform is out for another " + wait.toSeconds() + " s", wait)
                .toException());
      }
      begin(submission, simulation);
      return Future.succeededFuture();
    });
  }

  private void begin(Submission submission, Simulation simulation) {
    AttemptRef ref = submission.attempt();
    if (running.containsKey(ref)) {
      return;
    }
    SimulatedAttempt attempt = new SimulatedAttempt(submission, simulation, clock, listener);
    running.put(ref, attempt);
    attempt.over().onComplete(end -> running.remove(ref));
    if (unwanted.contains(ref)) {
      attempt.cancel();
    } else {
      attempt.begin();
    }
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return atHome(() -> {
      SimulatedAttempt attempt = running.get(ref);
      if (attempt == null) {
        unwanted.add(ref);
        return Future.succeededFuture();
      }
      attempt.cancel();
      return attempt.over();
    });
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef ref) {
    return atHome(() -> {
      SimulatedAttempt attempt = running.get(ref);
      return Future.succeededFuture(attempt != null && attempt.withdraw());
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return atHome(() -> {
      for (Submission submission : submissions) {
        begin(submission, simulation(submission));
      }
      return Future.succeededFuture(List.of());
    });
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return Future.failedFuture(
        new Problem.NotFound(attempt + " is simulated: it writes no logs").toException());
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return atHome(() -> {
      simulations.remove(experiment);
      steps.keySet().removeIf(step -> step.experiment().equals(experiment));
      unwanted.removeIf(attempt -> attempt.trial().experiment().equals(experiment));
      return Future.succeededFuture();
    });
  }

  @Override
  public Future<Void> close() {
    return atHome(() -> {
      closed = true;
      running.values().forEach(SimulatedAttempt::fallSilent);
      running.clear();
      return Future.succeededFuture();
    });
  }

  private <T extends @Nullable Object> Future<T> atHome(Supplier<Future<T>> work) {
    Context asking = Vertx.currentContext();
    if (home.equals(asking)) {
      return attempt(work);
    }
    Promise<T> answer = Promise.promise();
    home.runOnContext(go ->
        attempt(work)
            .onComplete(done -> {
              if (asking == null) {
                answer.handle(done);
              } else {
                asking.runOnContext(back -> answer.handle(done));
              }
            }));
    return answer.future();
  }

  private <T extends @Nullable Object> Future<T> attempt(Supplier<Future<T>> work) {
    if (closed) {
      return Future.failedFuture(
          new Problem.Busy("the simulated platform is closing", Duration.ofSeconds(1))
              .toException());
    }
    try {
      return work.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
