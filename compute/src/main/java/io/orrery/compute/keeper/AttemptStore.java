package io.orrery.compute.keeper;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.service.Keepers.State;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The files of all attempts that have keepers, and the threads that may wait for the disk. */
final class AttemptStore {
  /** Disks are quick, and packing a large directory must not hold up the logs of others. */
  private static final int THREADS = 8;

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Vertx vertx;
  private final Path home;
  private final WorkerExecutor disk;
  private final WorkerExecutor elsewhere;
  private final Allowances allowances;

  AttemptStore(Vertx vertx, Path home, KeptLimits limits) {
    this.vertx = vertx;
    this.home = home;
    this.allowances = new Allowances(limits);
    this.disk = vertx.createSharedWorkerExecutor("orrery-keepers", THREADS);
    this.elsewhere = vertx.createSharedWorkerExecutor("orrery-shared-storage", THREADS);
  }

  /** The files of a keeper on the disk: its claim, and its end. */
  record Seen(KeeperRegistry.Claim claim, KeeperRegistry.@Nullable End end) {
    State.Running running() {
      return new State.Running(claim.at(), claim.primary());
    }

    State state() {
      return end == null
          ? running()
          : new State.Ended(end.exitCode(), end.at(), claim.primary(), end.reason());
    }
  }

  /** The keepers of an attempt that have come so far, by name. Blocks. */
  Map<String, Seen> seen(AttemptRef attempt) throws IOException {
    KeeperRegistry register = files(attempt).register();
    Map<String, Seen> all = new HashMap<>();
    for (Map.Entry<String, KeeperRegistry.Claim> each : register.claims().entrySet()) {
      all.put(each.getKey(), new Seen(each.getValue(), register.end(each.getKey())));
    }
    return all;
  }

  KeptFiles files(AttemptRef attempt) {
    return KeptFiles.of(home, attempt);
  }

  /**
   * Of an attempt that a platform has launched, and whose experiment is still there.
   *
   * @throws io.orrery.core.problem.ProblemException NotFound when the experiment is not; Busy when
   *     the attempt has no files: a machine that lost its power may have lost them, and the attempt
   *     is not taken up yet
   */
  KeptFiles known(AttemptRef attempt) {
    KeptFiles files = files(attempt);
    if (!files.hasParameters()) {
      Problem why =
          Files.exists(AttemptLayout.experiment(home, attempt.trial().experiment()))
              ? new Problem.Busy("Attempt " + attempt + " is not taken up here yet.", PAUSE)
              : new Problem.NotFound("No attempt " + attempt + " is under way here.");
      throw why.toException();
    }
    return files;
  }

  /**
   * Adds to the files of an attempt, as {@link #known} has them.
   *
   * @return fails with TooLarge when it may not have that much
   */
  <T> Future<T> add(AttemptRef attempt, Allowances.Addition<T> addition) {
    return onDisk(() -> allowances.add(attempt, known(attempt), addition));
  }

  /** Another server may have added to an experiment until now. */
  void countAgain(ExperimentId experiment) {
    allowances.forget(experiment);
  }

  /**
   * @param attempt its number; null for the last
   */
  KeptFiles present(TrialRef trial, @Nullable Integer attempt) throws IOException {
    KeptFiles files = KeptFiles.of(home, trial, attempt);
    if (!files.exists()) {
      throw new Problem.NotFound("There are no files of trial " + trial + ".").toException();
    }
    return files;
  }

  /**
   * Completes on the caller's context, or on one of its own when there is none. A virtual thread
   * may wait for the disk itself: that costs less than three threads that wake each other.
   */
  <T extends @Nullable Object> Future<T> onDisk(Callable<T> work) {
    return Thread.currentThread().isVirtual() ? here(work) : on(disk, work);
  }

  private static <T extends @Nullable Object> Future<T> here(Callable<T> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * The same for what lies on other machines: a mount whose server is away holds up only those who
   * need it.
   */
  <T extends @Nullable Object> Future<T> elsewhere(Callable<T> work) {
    return on(elsewhere, work);
  }

  private <T extends @Nullable Object> Future<T> on(WorkerExecutor threads, Callable<T> work) {
    Context caller = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    threads
        .executeBlocking(work, false)
        .onComplete((result, failure) ->
            caller.runOnContext(back -> {
              if (failure == null) {
                promise.complete(result);
              } else {
                promise.fail(failure);
              }
            }));
    return promise.future();
  }

  Future<Void> close() {
    return Future.join(disk.close(), elsewhere.close()).mapEmpty();
  }
}
