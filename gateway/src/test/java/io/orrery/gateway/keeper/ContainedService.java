package io.orrery.gateway.keeper;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Code;
import io.orrery.compute.service.Keepers.Launch;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.compute.service.Keepers.Role;
import io.orrery.compute.service.Keepers.State;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A cluster on this machine: each attempt is a {@link Container}, which has its keeper's variables
 * and nothing else of the server. So everything that platforms without a shared disk rely on is
 * tried without one.
 */
final class ContainedService implements TrainingService {
  private static final String ROLE = "main";

  private final Surroundings surroundings;
  private final Keepers keepers;
  private final PlatformListener listener;
  private final Path pods;
  private final boolean shipped;
  private final Map<AttemptRef, Following> followed = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean closed;

  private static final class Following {
    final CompletableFuture<Void> over = new CompletableFuture<>();
    boolean started;
  }

  /**
   * @param shipped whether the code is packed and fetched; if not, it is there as in an image
   */
  ContainedService(Surroundings surroundings, Path pods, boolean shipped) {
    this.surroundings = surroundings;
    this.keepers = surroundings.keepers();
    this.listener = surroundings.listener();
    this.pods = pods;
    this.shipped = shipped;
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return inBackground(() -> {
      Path directory = Path.of(job.codeDirectory());
      List<Finding> findings = keepers.check("/trialCodeDirectory", directory);
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      return null;
    });
  }

  @Override
  public Future<Void> submit(Submission submission) {
    AttemptRef attempt = submission.attempt();
    return inBackground(() -> {
      if (keepers.isCanceled(attempt).await() && !container(attempt).exists()) {
        endedUnstarted(attempt);
        return null;
      }
      Path directory = Path.of(submission.job().codeDirectory());
      Code code = shipped ? keepers.pack(attempt.trial().experiment(), directory).await() : null;
      Launch launch =
          keepers
              .launch(submission, new Role(ROLE, Reports.ALL, submission.job().command(), code))
              .await();
      follow(attempt);
      container(attempt).start(launch, shipped ? null : directory);
      return null;
    });
  }

  /** Once for each attempt: tells its story, and waits for the end of its container. */
  private Following follow(AttemptRef attempt) {
    Following fresh = new Following();
    Following present = followed.putIfAbsent(attempt, fresh);
    if (present != null) {
      return present;
    }
    keepers.follow(
        attempt,
        new Keepers.Listener() {
          @Override
          public void started(AttemptRef ref, String keeper, boolean primary, Instant at) {
            tellStarted(fresh, ref, at);
          }

          @Override
          public void ended(AttemptRef ref, String keeper, State.Ended end) {
            // The container ends next, and with it the attempt.
          }

          @Override
          public void noted(AttemptRef ref, String note) {
            tell(new PlatformEvent.Noted(ref, note));
          }

          @Override
          public void silent(AttemptRef ref, String keeper, Duration since) {
            tell(new PlatformEvent.Unreachable(ref, "nothing heard for " + since));
          }
        });
    threads.execute(() -> {
      try {
        container(attempt).awaitEnd();
        end(attempt, fresh);
      } catch (Exception e) {
        fresh.over.completeExceptionally(e);
      }
    });
    return fresh;
  }

  private void end(AttemptRef attempt, Following following) {
    if (closed) {
      return;
    }
    State state = keepers.states(attempt).await().get(ROLE);
    switch (state) {
      case State.Ended ended -> {
        tellStarted(following, attempt, ended.at());
        tell(new PlatformEvent.Ended(attempt, ended.exitCode(), ended.at(), ended.reason()));
      }
      case State.Running running -> {
        tellStarted(following, attempt, running.since());
        tell(
            new PlatformEvent.Ended(
                attempt, null, now(), "its container was lost, so the exit code is not known"));
      }
      case null ->
          tell(
              new PlatformEvent.Ended(
                  attempt,
                  null,
                  now(),
                  keepers.isCanceled(attempt).await()
                      ? "canceled before it started"
                      : "its container ended before its keeper came"));
    }
    keepers.forget(attempt);
    followed.remove(attempt);
    following.over.complete(null);
  }

  private void tellStarted(Following following, AttemptRef attempt, Instant at) {
    synchronized (following) {
      if (!following.started) {
        following.started = true;
        tell(new PlatformEvent.Started(attempt, at, keepers.storageUrl(attempt)));
      }
    }
  }

  private void endedUnstarted(AttemptRef attempt) {
    tell(new PlatformEvent.Ended(attempt, null, now(), "canceled before it started"));
  }

  private void tell(PlatformEvent event) {
    if (!closed) {
      listener.happened(event);
    }
  }

  private Instant now() {
    return surroundings.clock().now();
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    return inBackground(() -> {
      Container container = container(attempt);
      // Asked once, and first: an attempt that is followed no more has ended, and its end is told.
      Following following = followed.get(attempt);
      if (following == null && container.exists() && container.runs()) {
        following = follow(attempt);
      }
      keepers.cancel(attempt).await();
      if (following != null) {
        following.over.get();
      }
      return null;
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return inBackground(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      for (Submission submission : submissions) {
        AttemptRef attempt = submission.attempt();
        if (container(attempt).exists()) {
          follow(attempt);
        } else if (keepers.isCanceled(attempt).await()) {
          endedUnstarted(attempt);
        } else {
          unknown.add(attempt);
        }
      }
      return List.copyOf(unknown);
    });
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return keepers.cleanUp(experiment);
  }

  @Override
  public Future<Void> close() {
    closed = true;
    followed.keySet().forEach(keepers::forget);
    threads.shutdownNow();
    return Future.succeededFuture();
  }

  Container container(AttemptRef attempt) {
    return new Container(pods.resolve(attempt.toString().replace('/', '-').replace('#', '-')));
  }

  private <T> Future<T> inBackground(Callable<T> work) {
    Context context = surroundings.vertx().getOrCreateContext();
    Promise<T> promise = Promise.promise();
    threads.execute(() -> {
      try {
        T result = work.call();
        context.runOnContext(done -> promise.complete(result));
      } catch (Throwable e) {
        context.runOnContext(done -> promise.fail(e));
      }
    });
    return promise.future();
  }
}
