package io.orrery.compute.runtime.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.project.Mounts;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Plays random schedules of users, crashes and kills of the server, on a virtual clock and a {@link
 * ModelMachine}, with real files. After each, everything that is wanted runs, and nothing else; the
 * machine fails when anything runs twice. {@code -Dorrery.faults=20000} plays more of them, {@code
 * -Dorrery.faults.seed=N} a single one.
 */
class ReplicaFaultScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("orrery.faults", 300);
  private static final Long ONE = Long.getLong("orrery.faults.seed");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Path MEMORY = Path.of("/dev/shm");

  private Path directory;

  /** In memory where there is such a place: every record is synced to the disk. */
  @BeforeEach
  void makeDirectory() throws Exception {
    directory =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "orrery-schedule")
            : Files.createTempDirectory("orrery-schedule");
  }

  @AfterEach
  void deleteDirectory() throws Exception {
    DirectoryTree.delete(directory);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void whateverHappensWhatIsWantedRunsOnceAndNothingElse() throws Exception {
    long kills = 0;
    long starts = 0;
    for (long seed = ONE == null ? 0 : ONE; seed < (ONE == null ? SCHEDULES : ONE + 1); seed++) {
      Schedule schedule = new Schedule(seed, directory.resolve("seed-" + seed));
      try {
        schedule.play();
      } catch (AssertionError | Exception e) {
        throw new AssertionError("-Dorrery.faults.seed=" + seed + ": " + e.getMessage(), e);
      }
      kills += schedule.kills;
      starts += schedule.machine.starts();
    }
    if (ONE == null) {
      assertThat(kills).as("kills of servers").isGreaterThan(SCHEDULES);
      assertThat(starts).as("starts of programs").isGreaterThan(SCHEDULES * 5L);
    }
  }

  /** A schedule of one seed. */
  private static final class Schedule {
    private static final List<WorkloadRef> NAMES =
        List.of(
            new WorkloadRef(WorkloadKind.SERVICE, "a"),
            new WorkloadRef(WorkloadKind.NOTEBOOK, "b"));

    private final Random random;
    private final VirtualClock clock = new VirtualClock(START);
    private final ModelMachine machine;
    private final Path home;

    /** The workloads that the owner has stored, which outlive the server. */
    private final Map<WorkloadRef, Wanted> stored = new TreeMap<>();

    private final Map<WorkloadRef, Long> generations = new TreeMap<>();
    private ModelServer server;
    private int kills;

    Schedule(long seed, Path home) {
      this.random = new Random(seed);
      this.machine = new ModelMachine(clock, random);
      this.home = home;
    }

    void play() throws Exception {
      start();
      int events = 20 + random.nextInt(60);
      for (int i = 0; i < events; i++) {
        pass(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 60_000 : 1_000)));
        guarded(this::event);
      }
      machine.calm();
      if (server.isDead()) {
        start();
      }
      // Longer than the longest back-off, and than every grace.
      pass(Duration.ofMinutes(8));
      check();
      stored.keySet().forEach(name -> server.remove(name));
      stored.clear();
      pass(Duration.ofMinutes(2));
      assertThat(machine.report()).as("left after removal").isEmpty();
      for (WorkloadRef name : NAMES) {
        assertThat(Files.exists(home.resolve(name.segment()))).isFalse();
      }
      assertThat(server.ports().inUse()).as("ports that were not given back").isZero();
    }

    private void event() throws Exception {
      if (server.isDead()) {
        start();
        return;
      }
      WorkloadRef name = NAMES.get(random.nextInt(NAMES.size()));
      switch (random.nextInt(10)) {
        case 0, 1 -> want(name, generations.getOrDefault(name, 0L) + 1, random.nextInt(4));
        case 2 -> want(name, Math.max(1, generations.getOrDefault(name, 0L)), random.nextInt(4));
        case 3, 4 -> drain(name);
        case 5 -> {
          stored.remove(name);
          server.remove(name);
        }
        case 6 -> kill();
        case 7 -> machine.killAfter(random.nextInt(60));
        default -> machine.mischief();
      }
    }

    /** Stored before the runtime is told, as an owner does it. */
    private void want(WorkloadRef name, long generation, int replicas) throws Exception {
      if (server.isBeingRemoved(name)) {
        return;
      }
      generations.put(name, generation);
      Wanted wanted = new Wanted(name, generation, spec(), replicas);
      stored.put(name, wanted);
      server.want(wanted);
    }

    private void drain(WorkloadRef name) throws Exception {
      List<Replica> all = server.replicas(name);
      if (!all.isEmpty()) {
        ReplicaRef replica = all.get(random.nextInt(all.size())).ref();
        server.drain(replica, Duration.ofMillis(random.nextInt(5_000)));
        machine.drained(ReplicaFiles.of(home, replica, true).directory());
      }
    }

    private void start() throws Exception {
      guarded(() -> {
        server = new ModelServer(home, clock, random, machine);
        server.adopt(List.copyOf(stored.values()));
      });
    }

    private void kill() {
      server.die();
      kills++;
    }

    private interface Action {
      void run() throws Exception;
    }

    private void guarded(Action action) throws Exception {
      try {
        action.run();
      } catch (ModelMachine.Killed e) {
        kill();
      }
    }

    private void pass(Duration time) throws Exception {
      Instant end = clock.now().plus(time);
      while (clock.now().isBefore(end)) {
        guarded(() -> {
          server.work();
          clock.advance(Duration.ofMillis(100));
          server.work();
        });
      }
    }

    private void check() {
      List<ReplicaRef> expected = new ArrayList<>();
      for (Wanted wanted : stored.values()) {
        List<Replica> all = server.replicas(wanted.workload());
        assertThat(all)
            .as("replicas of %s, of which %d are wanted", wanted.workload(), wanted.replicas())
            .allMatch(replica -> replica.phase().isReady());
        assertThat(all.stream().filter(r -> r.ref().generation() == wanted.generation()).count())
            .as("replicas of %s", wanted.workload())
            .isGreaterThanOrEqualTo(wanted.replicas());
        all.forEach(replica -> expected.add(replica.ref()));
      }
      assertThat(machine.alive()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static WorkloadSpec spec() {
      return new WorkloadSpec(
          List.of("/bin/sh"),
          null,
          null,
          Map.of(),
          List.of(new WorkloadPort("http", 80), new WorkloadPort("admin", 81)),
          Probe.tcp("http"),
          Duration.ofSeconds(20),
          Duration.ofSeconds(3),
          Resources.UNLIMITED,
          Mounts.NONE);
    }
  }
}
