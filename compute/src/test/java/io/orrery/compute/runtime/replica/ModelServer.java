package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.time.Clock;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The runtime of one server, whose steps are taken when the schedule says so, in any order. Once it
 * is dead, nothing of it is done any more.
 */
final class ModelServer {
  private static final ReplicaSettings SETTINGS =
      new ReplicaSettings(
          Duration.ofMillis(100),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          1 << 20,
          3,
          RestartBackoff.DEFAULT);

  private final VirtualClock clock;
  private final Random random;
  private final List<Runnable> steps = new ArrayList<>();
  private final PortAllocator ports;
  private final ReplicaSets sets;
  private boolean dead;

  ModelServer(Path home, VirtualClock clock, Random random, ModelMachine machine) {
    this.clock = clock;
    this.random = random;
    this.ports =
        new PortAllocator(List.of(new PortAllocator.Range(1_000, 400)), random, machine::isFree);
    this.sets =
        new ReplicaSets(
            new ReplicaTools(
                home,
                new OwnClock(),
                random,
                this::add,
                SETTINGS,
                ports,
                new StartLimit(SETTINGS.starts()),
                machine,
                new SecretBox(home, Map.of())),
            workload -> {});
    tick();
  }

  private void add(Runnable step) {
    if (!dead) {
      steps.add(step);
    }
  }

  private void tick() {
    if (!dead) {
      sets.tick();
      clock.after(SETTINGS.tick(), this::tick);
    }
  }

  /** Takes all steps that are to be taken. */
  void work() {
    while (!dead && !steps.isEmpty()) {
      steps.remove(random.nextInt(steps.size())).run();
    }
  }

  void die() {
    dead = true;
    steps.clear();
  }

  boolean isDead() {
    return dead;
  }

  PortAllocator ports() {
    return ports;
  }

  void adopt(List<Wanted> all) throws Exception {
    sets.adopt(all);
  }

  void want(Wanted wanted) throws Exception {
    sets.want(wanted);
  }

  void drain(ReplicaRef replica, Duration grace) throws Exception {
    sets.drain(replica, grace);
  }

  void remove(WorkloadRef workload) {
    try {
      var _ = sets.remove(workload);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  boolean isBeingRemoved(WorkloadRef workload) {
    return sets.removal(workload) != null;
  }

  List<Replica> replicas(WorkloadRef workload) {
    return sets.observation(workload).replicas();
  }

  /** The clock whose timers die with the server. */
  private final class OwnClock implements Clock {
    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
      return clock.after(
          delay,
          () -> {
            if (!dead) {
              action.run();
            }
          });
    }
  }
}
