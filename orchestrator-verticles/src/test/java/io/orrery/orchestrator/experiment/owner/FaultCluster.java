package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.orchestrator.experiment.owner.FaultDisk.Reported;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A platform that keeps its contract and nothing more: it outlives the server, takes long, is out
 * at times, loses attempts and answers, and says things late and twice.
 */
final class FaultCluster implements TrainingService {
  /** The listener of the cluster, while a server is there. */
  interface Listener {
    void happened(PlatformEvent event);

    /** A report; false when no server is there to make it durable: it is handed in again. */
    boolean reported(AttemptRef attempt, MetricKind kind, Reported value);

    /** A question for another parameter set, which is asked again when there is no answer. */
    Future<Trials.Next> next(AttemptRef attempt, int index);
  }

  private enum State {
    QUEUED,
    RUNNING,
    OVER
  }

  private static final class Job {
    final Submission submission;
    State state = State.QUEUED;
    Instant startedAt = Instant.EPOCH;
    Instant endedAt = Instant.EPOCH;
    boolean started;

    /** News about it are told in their order. */
    Instant toldUntil = Instant.EPOCH;

    boolean ended;
    Integer exitCode;

    /** What it tries now, and how much more it wants. */
    ParameterSet set;

    int wants;

    Job(Submission submission) {
      this.submission = submission;
      this.set = submission.parameters();
    }

    AttemptRef ref() {
      return submission.attempt();
    }
  }

  private final SplittableRandom chance;
  private final Clock clock;
  private final Listener ear;
  private final Map<AttemptRef, Job> jobs = new LinkedHashMap<>();
  private final Set<AttemptRef> unwanted = new HashSet<>();
  private boolean out;

  /** What has been done wrong to it. */
  final List<String> faults = new ArrayList<>();

  int running;
  int mostRunning;

  FaultCluster(SplittableRandom chance, Clock clock, Listener ear) {
    this.chance = chance;
    this.clock = clock;
    this.ear = ear;
  }

  void out(boolean now) {
    out = now;
  }

  boolean idle() {
    return restless().isEmpty();
  }

  /** What has not come to its end. */
  List<AttemptRef> restless() {
    return jobs.values().stream().filter(job -> !job.ended).map(Job::ref).toList();
  }

  private Duration between(int from, int to) {
    return Duration.ofMillis(chance.nextInt(from, to));
  }

  private boolean luck(double share) {
    return chance.nextDouble() < share;
  }

  // ---- what it is asked ----------------------------------------------------------------------

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> submit(Submission submission) {
    if (out) {
      return later(1, 50, new Problem.Busy("the cluster is out", Duration.ofMillis(100)));
    }
    boolean silent = luck(0.03);
    if (silent && luck(0.5)) {
      return later(1, 50, new Problem.Broken("the connection broke before it was sent"));
    }
    AttemptRef ref = submission.attempt();
    Job job = jobs.get(ref);
    if (job == null) {
      Job other = runningAttemptOf(submission);
      if (other != null) {
        faults.add(ref + " was submitted while " + other.ref() + " is there");
      }
      Job fresh = new Job(submission);
      jobs.put(ref, fresh);
      if (unwanted.contains(ref)) {
        end(fresh, null);
      } else {
        clock.after(between(0, 400), () -> start(fresh));
      }
    } else {
      tellStory(job);
    }
    return silent
        ? later(1, 50, new Problem.Broken("the connection broke after it was sent"))
        : later(1, 50, null);
  }

  private Job runningAttemptOf(Submission submission) {
    return jobs.values().stream()
        .filter(job -> job.ref().trial().equals(submission.attempt().trial()))
        .filter(job -> job.state != State.OVER)
        .findFirst()
        .orElse(null);
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    Job job = jobs.get(attempt);
    if (job == null) {
      unwanted.add(attempt);
    } else if (job.state == State.QUEUED) {
      end(job, null);
    } else if (job.state == State.RUNNING) {
      clock.after(between(1, 3_000), () -> end(job, 143));
    }
    return later(1, 50, null);
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef attempt) {
    Job job = jobs.get(attempt);
    boolean taken = job != null && job.state == State.QUEUED;
    if (taken) {
      job.state = State.OVER;
      job.ended = true;
      jobs.remove(attempt);
    }
    return later(1, 50, null).map(nothing -> taken);
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    List<AttemptRef> unknown = new ArrayList<>();
    for (Submission submission : submissions) {
      Job job = jobs.get(submission.attempt());
      if (job == null) {
        unknown.add(submission.attempt());
      } else {
        tellStory(job);
      }
    }
    return later(1, 200, null).map(nothing -> unknown);
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  private Future<Void> later(int from, int to, Problem problem) {
    Promise<Void> answer = Promise.promise();
    clock.after(
        between(from, to),
        () -> {
          if (problem == null) {
            answer.complete();
          } else {
            answer.fail(problem.toException());
          }
        });
    return answer.future();
  }

  // ---- what attempts do ----------------------------------------------------------------------

  private void start(Job job) {
    if (job.state != State.QUEUED) {
      return;
    }
    if (job.started) {
      faults.add(job.ref() + " was started twice");
    }
    job.started = true;
    job.state = State.RUNNING;
    job.startedAt = clock.now();
    mostRunning = Math.max(mostRunning, ++running);
    tell(job, new PlatformEvent.Started(job.ref(), job.startedAt, "cluster"));
    report(job, MetricKind.INTERMEDIATE, 0.25);
    job.wants = job.submission.job().multiPhase() ? chance.nextInt(5) : 0;
    clock.after(between(10, luck(0.1) ? 20_000 : 2_000), () -> goOn(job));
  }

  /** It goes on with another set when it wants one and is given one. */
  private void goOn(Job job) {
    if (job.state != State.RUNNING) {
      return;
    }
    if (job.wants == 0) {
      finish(job);
      return;
    }
    job.wants--;
    if (!luck(0.2)) {
      report(job, MetricKind.FINAL, result(job));
    }
    // What was reported before is durable before anything is asked.
    whenReported(job, () -> ask(job, job.set.index() + 1));
  }

  private void ask(Job job, int index) {
    if (job.state != State.RUNNING || job.set.index() >= index) {
      return;
    }
    ear.next(job.ref(), index)
        .onSuccess(next -> clock.after(between(1, 50), () -> take(job, index, next)));
    clock.after(between(500, 5_000), () -> ask(job, index));
  }

  private void take(Job job, int index, Trials.Next next) {
    if (job.state != State.RUNNING || job.set.index() >= index) {
      return;
    }
    if (next.set() == null) {
      finish(job);
      return;
    }
    String name = next.set().parameterId();
    if (next.set().index() != index) {
      faults.add(job.ref() + " was given set " + next.set().index() + " for " + index);
    }
    AttemptRef other = tried.putIfAbsent(name, job.ref());
    if (other != null && !other.trial().equals(job.ref().trial())) {
      faults.add(name + " was given to " + other + " and to " + job.ref());
    }
    job.set = next.set();
    clock.after(between(10, 2_000), () -> goOn(job));
  }

  /** Who was given which further set. */
  private final Map<String, AttemptRef> tried = new HashMap<>();

  private void finish(Job job) {
    if (job.state != State.RUNNING) {
      return;
    }
    double luck = chance.nextDouble();
    if (luck < 0.05) {
      end(job, null);
    } else if (luck < 0.2) {
      end(job, 1);
    } else if (luck < 0.3) {
      end(job, 0);
      // What the process left in a connection of its own arrives when it arrives.
      clock.after(between(0, 1_500), () -> report(job, MetricKind.FINAL, result(job)));
    } else if (luck < 0.35) {
      end(job, 0);
    } else {
      report(job, MetricKind.FINAL, result(job));
      end(job, 0);
    }
  }

  static double result(Submission submission) {
    return submission.sequenceId() * 7919 % 101 + submission.attempt().number() / 10.0;
  }

  private static double result(Job job) {
    return result(job.submission) + job.set.index() / 1000.0;
  }

  /** An end is told only when everything before it is durable. */
  private void end(Job job, Integer exitCode) {
    if (job.state == State.OVER) {
      return;
    }
    running -= job.state == State.RUNNING ? 1 : 0;
    job.state = State.OVER;
    job.exitCode = exitCode;
    job.endedAt = clock.now();
    whenReported(
        job,
        () -> {
          job.ended = true;
          tell(job, new PlatformEvent.Ended(job.ref(), exitCode, job.endedAt, null));
        });
  }

  private final Map<AttemptRef, Integer> unreported = new LinkedHashMap<>();

  private void report(Job job, MetricKind kind, double value) {
    unreported.merge(job.ref(), 1, Integer::sum);
    handIn(job, kind, new Reported(MetricValue.of(value), job.set.parameterId()));
  }

  private void handIn(Job job, MetricKind kind, Reported value) {
    if (ear.reported(job.ref(), kind, value)) {
      unreported.merge(job.ref(), -1, Integer::sum);
    } else {
      clock.after(between(50, 300), () -> handIn(job, kind, value));
    }
  }

  private void whenReported(Job job, Runnable then) {
    if (unreported.getOrDefault(job.ref(), 0) == 0) {
      then.run();
    } else {
      clock.after(Duration.ofMillis(20), () -> whenReported(job, then));
    }
  }

  // ---- what it says --------------------------------------------------------------------------

  private void tellStory(Job job) {
    if (job.started) {
      tell(job, new PlatformEvent.Started(job.ref(), job.startedAt, "cluster"));
    }
    if (job.ended) {
      tell(job, new PlatformEvent.Ended(job.ref(), job.exitCode, job.endedAt, null));
    }
  }

  private void tell(Job job, PlatformEvent event) {
    Instant soonest = clock.now().plus(between(0, out ? 3_000 : 100));
    job.toldUntil = soonest.isAfter(job.toldUntil) ? soonest : job.toldUntil;
    Duration delay = Duration.between(clock.now(), job.toldUntil);
    clock.after(delay, () -> ear.happened(event));
    if (luck(0.1)) {
      clock.after(delay, () -> ear.happened(event));
    }
  }
}
