package io.orrery.compute.runtime.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A machine in memory, on a virtual clock. Its programs, claims and listening ports outlive the
 * server, which may be killed at every call. It fails when two programs of a replica run at the
 * same time, when two have the same port, and when a program starts whose replica was drained.
 */
final class ModelMachine implements ReplicaMachine {
  /** The moment at which the server is killed. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final VirtualClock clock;
  private final Random random;
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final Set<Integer> strangers = new HashSet<>();
  private final Set<String> drained = new HashSet<>();
  private int callsToLive = Integer.MAX_VALUE;
  private boolean calm;
  private int starts;
  private int ids;

  @Override
  public SettingsLook look(ProjectSettings settings) {
    return SettingsLook.withoutNodes(settings.mounts().mounts(), mount -> null, false);
  }

  ModelMachine(VirtualClock clock, Random random) {
    this.clock = clock;
    this.random = random;
  }

  /** A start of a program, as the files of its wrapper tell it. */
  private static final class Run {
    final ReplicaRef replica;
    final String incarnation;
    int number = 1;
    boolean claimed;
    boolean alive;
    boolean stray;
    boolean asked;
    boolean healthy = true;
    @Nullable Instant since;
    @Nullable Integer exitCode;
    Map<String, Integer> ports = Map.of();
    @Nullable Runnable watcher;

    Run(ReplicaRef replica, String incarnation) {
      this.replica = replica;
      this.incarnation = incarnation;
    }

    boolean lives() {
      return alive || stray;
    }
  }

  /** Has the server killed after so many calls. */
  void killAfter(int calls) {
    callsToLive = calls;
  }

  /** Has programs run on, and probes succeed. */
  void calm() {
    calm = true;
    callsToLive = Integer.MAX_VALUE;
    strangers.clear();
    runs.values().forEach(run -> run.healthy = true);
  }

  int starts() {
    return starts;
  }

  /**
   * Notes that a replica must not be started any more; one of the same name may, later.
   *
   * @param directory of the replica
   */
  void drained(Path directory) {
    if (Files.isDirectory(directory)) {
      drained.add(id(directory));
    }
  }

  /** The replicas of which a process lives. */
  List<ReplicaRef> alive() {
    return runs.values().stream().filter(Run::lives).map(run -> run.replica).toList();
  }

  private void call() {
    if (callsToLive-- <= 0) {
      callsToLive = Integer.MAX_VALUE;
      throw new Killed();
    }
  }

  /** Something that happens to a program, or to a port. */
  void mischief() {
    List<Run> up = runs.values().stream().filter(run -> run.alive).toList();
    if (up.isEmpty()) {
      return;
    }
    Run run = up.get(random.nextInt(up.size()));
    switch (random.nextInt(4)) {
      case 0 -> end(run, 1 + random.nextInt(200));
      case 1 -> {
        run.stray = true;
        end(run, 3);
      }
      case 2 -> run.healthy = !run.healthy;
      default -> {
        int port = Collections.min(run.ports.values());
        end(run, 98);
        strangers.add(port);
      }
    }
  }

  private void end(Run run, int code) {
    if (run.alive) {
      run.alive = false;
      run.exitCode = code;
      if (run.watcher != null) {
        run.watcher.run();
      }
    }
  }

  @Override
  public List<String> check(WorkloadSpec spec) {
    return List.of();
  }

  @Override
  public Prerequisites prepare(WorkloadSpec spec, Runnable nudge) {
    return new Prerequisites.Met();
  }

  @Override
  public ReplicaProgram program(ReplicaRef replica, Path directory, Runnable nudge) {
    String incarnation = id(directory.getParent());
    Run run = runs.computeIfAbsent(id(directory), first -> new Run(replica, incarnation));
    return new ModelProgram(run, nudge);
  }

  /** Tells a directory from one of the same name that was deleted. */
  private String id(Path directory) {
    Path file = directory.resolve("model");
    try {
      if (!Files.exists(file)) {
        Files.writeString(file, directory.getFileName() + " as " + ids++);
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isFree(int port) {
    call();
    return !strangers.contains(port)
        && runs.values().stream().noneMatch(run -> run.lives() && run.ports.containsValue(port));
  }

  @Override
  public Future<Void> probe(Probe probe, String host, int port) {
    Promise<Void> answer = Promise.promise();
    clock.after(
        Duration.ofMillis(1 + random.nextInt(20)),
        () -> {
          boolean good =
              runs.values().stream()
                  .anyMatch(run ->
                      run.alive && run.healthy && !run.asked && run.ports.containsValue(port));
          if (good || strangers.contains(port)) {
            answer.complete();
          } else {
            answer.fail("it does not answer");
          }
        });
    return answer.future();
  }

  @Override
  public Map<ReplicaRef, Readings> used(Map<ReplicaRef, Path> runs) {
    return Map.of();
  }

  @Override
  public void endStrays(Predicate<ReplicaRef> isKept) {
    for (Run run : runs.values()) {
      if (run.lives() && !isKept.test(run.replica)) {
        run.stray = false;
        end(run, 137);
      }
    }
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  private final class ModelProgram implements ReplicaProgram {
    private final Run run;
    private final Runnable nudge;
    private boolean underWay;
    private @Nullable Instant killAt;

    ModelProgram(Run run, Runnable nudge) {
      this.run = run;
      this.nudge = nudge;
    }

    @Override
    public void launch(WorkloadSpec spec, Path directory, Allotment given) {
      call();
      assertThat(drained)
          .as("%s is started after it was drained", run.replica)
          .doesNotContain(run.incarnation);
      int number = run.number;
      underWay = true;
      clock.after(Duration.ofMillis(random.nextInt(300)), () -> claim(number, given.ports()));
      call();
    }

    private void claim(int number, Map<String, Integer> ports) {
      underWay = false;
      if (run.claimed || run.number != number) {
        return;
      }
      for (Run other : runs.values()) {
        if (other.lives()) {
          assertThat(other.replica).as("has two programs").isNotEqualTo(run.replica);
          assertThat(other.ports.values())
              .as("given twice")
              .doesNotContainAnyElementsOf(ports.values());
        }
      }
      starts++;
      run.claimed = true;
      run.alive = true;
      run.since = clock.now();
      run.ports = ports;
      run.watcher = nudge;
      if (!calm && random.nextInt(3) == 0) {
        clock.after(
            Duration.ofMillis(random.nextInt(900_000)),
            () -> {
              if (!calm) {
                end(run, random.nextInt(3));
              }
            });
      }
    }

    @Override
    public boolean revoke() {
      call();
      if (run.claimed) {
        return false;
      }
      run.number++;
      return true;
    }

    @Override
    public Sight look() {
      call();
      run.watcher = run.claimed ? nudge : run.watcher;
      return run.alive ? Sight.RUNS : underWay && !run.claimed ? Sight.UNDER_WAY : Sight.OVER;
    }

    @Override
    public @Nullable Instant since() {
      return run.since;
    }

    @Override
    public @Nullable Integer exitCode() {
      return run.exitCode;
    }

    @Override
    public ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports) {
      return new ReplicaEndpoints(ReplicaEndpoints.given(ports).addresses(), run.alive, 0);
    }

    @Override
    public ReplicaShell shell(
        WorkloadSpec spec, Path directory, Allotment given, TerminalSize size) {
      throw new UnsupportedOperationException("no schedule opens shells");
    }

    @Override
    public boolean isStrangers(int port) {
      return strangers.contains(port);
    }

    @Override
    public boolean isCleared(Duration grace) {
      call();
      if (!run.claimed) {
        run.number++;
        return true;
      }
      if (!run.lives()) {
        return true;
      }
      Instant now = clock.now();
      if (killAt == null) {
        killAt = now.plus(grace);
        run.asked = true;
        clock.after(
            Duration.ofMillis(random.nextLong(2 * grace.toMillis() + 1)),
            () -> {
              run.stray = false;
              end(run, 143);
            });
      } else if (!now.isBefore(killAt)) {
        run.stray = false;
        end(run, 137);
      }
      clock.after(Duration.ofMillis(200), nudge);
      return false;
    }
  }

  /** The runs of which the machine knows, for a message. */
  List<String> report() {
    List<String> lines = new ArrayList<>();
    runs.forEach((id, run) -> {
      if (run.lives()) {
        lines.add(run.replica + " in " + id + (run.alive ? "" : " (stray)"));
      }
    });
    return lines;
  }
}
