package io.orrery.compute.runtime.replica;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.Ticks;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/**
 * A runtime that starts, probes, restarts and ends programs by itself, on a {@link ReplicaMachine}.
 * Each replica has its files below one directory; a server that starts finds its replicas there, in
 * whatever state they are.
 *
 * <p>A replica that lacks something without which it cannot start is FAILED, and is looked at again
 * every 30 s; one that lacks a free port or its turn is WAITING.
 */
public abstract class ReplicaRuntime implements Runtime {
  private static final Duration LAST_STEPS = Duration.ofMinutes(1);

  private final ReplicaTools tools;
  private final Background background;
  private final ReplicaSets sets;
  private final List<RuntimeListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<WorkloadRef, CompletableFuture<?>> turns = new ConcurrentHashMap<>();
  private final Ticks ticks;

  /**
   * A runtime over a directory.
   *
   * @param name for threads and messages
   * @param root the directory of all workloads, of which one server makes use at a time
   * @param machine closed with the runtime
   * @param secrets seals specifications
   */
  protected ReplicaRuntime(
      Vertx vertx,
      String name,
      Path root,
      Clock clock,
      RandomGenerator random,
      ReplicaSettings settings,
      ReplicaMachine machine,
      SecretBox secrets) {
    this.background = new Background(vertx, name);
    this.tools =
        new ReplicaTools(
            root,
            clock,
            random,
            background,
            settings,
            PortAllocator.ofMachine(random, machine::isFree),
            new StartLimit(settings.starts()),
            machine,
            secrets);
    this.sets = new ReplicaSets(tools, this::changed);
    this.ticks = Ticks.begin(clock, settings.tick(), sets::tick);
  }

  @Override
  public Future<List<String>> check(WorkloadSpec spec) {
    return background.run(() -> tools.machine().check(spec));
  }

  @Override
  public Future<SettingsLook> look(ProjectSettings settings) {
    return background.run(() -> tools.machine().look(settings));
  }

  @Override
  public Future<Void> want(WorkloadRef workload, long generation, WorkloadSpec spec, int replicas) {
    Wanted wanted = new Wanted(workload, generation, spec, replicas);
    return inTurn(
        workload,
        () -> {
          wantNow(wanted);
          return CompletableFuture.completedFuture(null);
        });
  }

  /**
   * Does what is asked of a workload in the order in which it was asked.
   *
   * @param work gives what the caller then waits for, out of turn
   */
  private Future<Void> inTurn(WorkloadRef workload, Callable<CompletableFuture<Void>> work) {
    CompletableFuture<CompletableFuture<Void>> turn = new CompletableFuture<>();
    CompletableFuture<?> before = turns.put(workload, turn);
    return background.run(() -> {
      try {
        if (before != null) {
          Background.await(before.handle((any, failure) -> null));
        }
        CompletableFuture<Void> result = work.call();
        turn.complete(result);
        return Background.await(result);
      } finally {
        turn.cancel(false);
        turns.remove(workload, turn);
      }
    });
  }

  private void wantNow(Wanted wanted) throws Exception {
    CompletableFuture<Void> removal = sets.removal(wanted.workload());
    if (removal != null) {
      // A workload of the same name that is created again.
      Background.await(removal);
    }
    sets.want(wanted);
  }

  /** Tells that a workload should be looked at again; from any thread. */
  protected final void changed(WorkloadRef workload) {
    listeners.forEach(listener -> listener.changed(workload));
  }

  @Override
  public Future<Void> drain(ReplicaRef replica, Duration grace) {
    return inTurn(
        replica.workload(),
        () -> {
          sets.drain(replica, grace);
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public Future<Void> remove(WorkloadRef workload) {
    return inTurn(workload, () -> sets.remove(workload));
  }

  @Override
  public Future<Void> adopt(List<Wanted> all) {
    return background.run(() -> {
      sets.adopt(all);
      return null;
    });
  }

  @Override
  public void follow(RuntimeListener listener) {
    listeners.add(listener);
  }

  @Override
  public Observation now(WorkloadRef workload) {
    return sets.observation(workload);
  }

  @Override
  public Future<LogPiece> readLog(ReplicaRef replica, boolean previous, long offset, int limit) {
    return background.run(() -> {
      ReplicaKeeper keeper = known(replica);
      ReplicaLog log = keeper.log(previous);
      boolean over = previous || !keeper.mayWrite();
      return log == null ? new LogPiece(new byte[0], 0, over) : log.read(offset, limit, over);
    });
  }

  private ReplicaKeeper known(ReplicaRef replica) {
    ReplicaKeeper keeper = sets.keeper(replica);
    if (keeper == null) {
      throw new Problem.NotFound("There is no replica " + replica + ".").toException();
    }
    return keeper;
  }

  @Override
  public Future<Map<ReplicaRef, Readings>> used(WorkloadRef workload) {
    return background.run(() -> {
      Map<ReplicaRef, Path> runs = new HashMap<>();
      for (Replica replica : sets.observation(workload).replicas()) {
        ReplicaKeeper keeper = replica.phase().isReady() ? sets.keeper(replica.ref()) : null;
        ReplicaLog log = keeper == null ? null : keeper.log(false);
        if (log != null) {
          runs.put(replica.ref(), log.directory());
        }
      }
      return runs.isEmpty() ? Map.of() : tools.machine().used(runs);
    });
  }

  @Override
  public Future<ReplicaShell> shell(ReplicaRef replica, TerminalSize size) {
    return beside(
        replica, (program, spec, directory, given) -> program.shell(spec, directory, given, size));
  }

  @Override
  public Future<ReplicaShell> command(ReplicaRef replica, List<String> command) {
    return beside(replica, (program, spec, directory, given) -> program.command(command));
  }

  private Future<ReplicaShell> beside(ReplicaRef replica, ReplicaProgram.Opening opening) {
    return background.run(() -> {
      ReplicaKeeper keeper = known(replica);
      ReplicaShell shell = keeper.beside(opening);
      if (shell == null) {
        throw new Problem.Conflict(
                "%s does not run: it is %s.".formatted(replica, keeper.shown().phase()))
            .toException();
      }
      return shell;
    });
  }

  @Override
  public Future<SnapshotTaken> snapshot(ReplicaRef replica, String target, ProjectName project) {
    return background.run(() -> {
      ReplicaLog log = known(replica).log(false);
      if (log == null) {
        throw new Problem.Conflict(replica + " has not run yet.").toException();
      }
      return tools.machine().snapshot(replica, log.directory(), target, project);
    });
  }

  @Override
  public Future<Void> close() {
    ticks.close();
    background.refuse();
    return background
        .atLast(() -> {
          background.interrupt();
          background.awaitEnd(LAST_STEPS);
          sets.leave();
        })
        .eventually(tools.machine()::close);
  }
}
