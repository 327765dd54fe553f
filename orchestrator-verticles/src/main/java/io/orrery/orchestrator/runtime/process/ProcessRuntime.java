package io.orrery.orchestrator.runtime.process;

import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.platform.Ticks;
import io.orrery.orchestrator.process.ProcessTable;
import io.orrery.orchestrator.process.Processes;
import io.orrery.orchestrator.process.Wrapper;
import io.orrery.orchestrator.runtime.Runtime;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/**
 * Keeps workloads running as processes of this machine. Each replica has its files below {@code
 * <home>/workloads}; a server that starts finds its replicas there, in whatever state they are. One
 * server uses a home at a time.
 *
 * <p>A replica whose program, directory or mount is missing is FAILED, and is looked at again every
 * 30 s; one that lacks a free port or its turn is WAITING.
 */
public final class ProcessRuntime implements Runtime {
  private static final Duration LAST_STEPS = Duration.ofMinutes(1);

  private final ProcessTools tools;
  private final Background background;
  private final Map<WorkloadRef, ReplicaSet> workloads = new ConcurrentHashMap<>();
  private final List<RuntimeListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<WorkloadRef, CompletableFuture<?>> turns = new ConcurrentHashMap<>();
  private final FoundReplicas found;
  private final Ticks ticks;

  /**
   * A runtime over a home directory, with the machine's clock and environment.
   *
   * @param home of the server
   */
  public ProcessRuntime(Vertx vertx, Path home, RandomGenerator random) {
    this(
        vertx,
        home,
        new SystemClock(vertx),
        random,
        UserEnvironment.get(),
        ProcessSettings.DEFAULT);
  }

  ProcessRuntime(
      Vertx vertx,
      Path home,
      Clock clock,
      RandomGenerator random,
      Map<String, String> environment,
      ProcessSettings settings) {
    Path absolute = home.toAbsolutePath().normalize();
    this.background = new Background(vertx, "process");
    this.tools =
        new ProcessTools(
            absolute,
            clock,
            random,
            background,
            settings,
            new ProcessTable(Processes::all),
            ReplicaMarks.of(absolute),
            ReplicaEnvironment.of(environment),
            new Wrapper(
                ReplicaFiles.root(absolute).resolve(FoundReplicas.WRAPPER), settings.interpreter()),
            PortAllocator.ofMachine(random),
            new StartLimit(settings.starts()),
            new ReplicaProber(vertx));
    this.found = new FoundReplicas(tools);
    this.ticks = Ticks.begin(clock, settings.tick(), this::tick);
  }

  private void tick() {
    long now = tools.clock().millis();
    workloads.values().forEach(workload -> workload.tick(now));
  }

  @Override
  public Future<List<String>> check(WorkloadSpec spec) {
    return background.run(() -> ProcessCheck.of(spec, tools.environment().inherited()));
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
    ReplicaSet set = open(wanted.workload());
    CompletableFuture<Void> removal = set.removal();
    if (removal != null) {
      // A workload of the same name that is created again.
      Background.await(removal);
      workloads.remove(wanted.workload(), set);
      set = open(wanted.workload());
    }
    set.want(wanted.generation(), wanted.spec(), wanted.replicas());
  }

  /** The replicas of a workload, with those that an earlier server has left. */
  private ReplicaSet open(WorkloadRef workload) throws Exception {
    found.load();
    ReplicaSet present = workloads.get(workload);
    if (present != null) {
      return present;
    }
    synchronized (workloads) {
      present = workloads.get(workload);
      if (present == null) {
        present = new ReplicaSet(tools, workload, () -> changed(workload));
        found.adopt(workload, present);
        workloads.put(workload, present);
        present.begin();
      }
      return present;
    }
  }

  private void changed(WorkloadRef workload) {
    listeners.forEach(listener -> listener.changed(workload));
  }

  @Override
  public Future<Void> drain(ReplicaRef replica, Duration grace) {
    return inTurn(
        replica.workload(),
        () -> {
          open(replica.workload()).drain(replica, grace);
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public Future<Void> remove(WorkloadRef workload) {
    return inTurn(workload, () -> removal(workload));
  }

  private CompletableFuture<Void> removal(WorkloadRef workload) throws Exception {
    ReplicaSet set = open(workload);
    return set.remove()
        .thenRun(() -> {
          workloads.remove(workload, set);
          changed(workload);
        });
  }

  @Override
  public Future<Void> adopt(List<Wanted> all) {
    return background.run(() -> {
      found.load();
      Set<WorkloadRef> wanted = new HashSet<>();
      for (Wanted each : all) {
        wanted.add(each.workload());
        wantNow(each);
      }
      for (WorkloadRef workload : found.workloads()) {
        if (!wanted.contains(workload)) {
          CompletableFuture<Void> ignored = removal(workload);
        }
      }
      found.endStrays(workload -> workloads.containsKey(workload));
      return null;
    });
  }

  @Override
  public void follow(RuntimeListener listener) {
    listeners.add(listener);
  }

  @Override
  public Observation now(WorkloadRef workload) {
    ReplicaSet set = workloads.get(workload);
    return set == null ? new Observation(workload, List.of()) : set.observation();
  }

  @Override
  public Future<LogPiece> readLog(ReplicaRef replica, boolean previous, long offset, int limit) {
    return background.run(() -> {
      ReplicaSet set = workloads.get(replica.workload());
      ReplicaKeeper keeper = set == null ? null : set.keeper(replica);
      if (keeper == null) {
        throw new Problem.NotFound("There is no replica " + replica + " on this machine.")
            .toException();
      }
      ReplicaLog log = keeper.log(previous);
      boolean over = previous || !keeper.mayWrite();
      return log == null ? new LogPiece(new byte[0], 0, over) : log.read(offset, limit, over);
    });
  }

  @Override
  public Future<Void> close() {
    ticks.close();
    background.refuse();
    return tools
        .prober()
        .close()
        .eventually(() ->
            background.atLast(() -> {
              background.interrupt();
              background.awaitEnd(LAST_STEPS);
            }));
  }
}
