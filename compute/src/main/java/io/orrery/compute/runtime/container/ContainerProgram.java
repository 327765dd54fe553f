package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.process.ListeningSockets;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.replica.Allotment;
import io.orrery.compute.runtime.replica.ConfigFiles;
import io.orrery.compute.runtime.replica.ProgramEnd;
import io.orrery.compute.runtime.replica.ReplicaEndpoints;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A start of a replica's program as a container of its own. Its name is the claim: the engine gives
 * it once, whichever server asks. Before the container is deleted its log and its exit code are
 * written beside each other in the directory of the start.
 */
final class ContainerProgram implements ReplicaProgram {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerProgram.class);

  /** The age of a state beyond which the engine is asked again without an event. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final int KILLED = 137;

  private final EngineMachine machine;
  private final ReplicaRef replica;
  private final Path run;
  private final String name;
  private final Runnable nudge;
  private final ContainerLog log;
  private volatile boolean changed = true;
  private @Nullable ContainerState state;
  private Instant lookedAt = Instant.EPOCH;
  private boolean over;
  private boolean cleared;
  private @Nullable Instant killAt;
  private Instant pollAt = Instant.EPOCH;

  ContainerProgram(EngineMachine machine, ReplicaRef replica, Path run, Runnable nudge) {
    this.machine = machine;
    this.replica = replica;
    this.run = run;
    this.name = machine.labels().name(replica, run.getFileName().toString());
    this.nudge = nudge;
    this.log = machine.log(name, new ReplicaLog(run), this::lookAgain);
    machine.events().watch(name, this::lookAgain);
  }

  private void lookAgain() {
    changed = true;
    nudge.run();
  }

  @Override
  public void launch(WorkloadSpec spec, Path directory, Allotment given) throws IOException {
    ConfigFiles.write(spec, directory);
    machine.personal().make(spec);
    try {
      create(spec, directory, given);
    } catch (EngineException e) {
      if (!machine.isWithoutInit(e)) {
        throw e;
      }
      create(spec, directory, given);
    }
    machine.engine().start(name);
    changed = true;
  }

  private void create(WorkloadSpec spec, Path directory, Allotment given) throws IOException {
    ObjectNode body = machine.body().of(replica, spec, directory, given.ports());
    if (given.gpus() == null) {
      machine.engine().create(name, body);
    } else {
      machine.engine().create(name, body, given.gpus());
    }
  }

  @Override
  public boolean revoke() throws IOException {
    if (ProgramEnd.exitCode(run) != null) {
      return false;
    }
    try {
      ContainerState present = machine.engine().inspect(name);
      return present == null || (present.isNew() && machine.engine().remove(name, false));
    } catch (EngineException e) {
      if (e.isSilence()) {
        // It may run, as containers do without their engine.
        return false;
      }
      throw e;
    }
  }

  @Override
  public Sight look() throws IOException {
    if (over) {
      return Sight.OVER;
    }
    ContainerState present;
    try {
      present = present();
    } catch (EngineException e) {
      if (e.isSilence()) {
        // Containers run on without their engine, and the probes still tell.
        LOG.debug("could not look at container {}: {}", name, e.getMessage());
        return Sight.RUNS;
      }
      throw e;
    }
    if (present == null || present.isNew() || present.isOver()) {
      if (present != null) {
        log.finish();
      }
      over = true;
      return Sight.OVER;
    }
    log.follow(machine.clock().now());
    return Sight.RUNS;
  }

  /** The state, which is asked for when it may have changed. */
  private @Nullable ContainerState present() throws IOException {
    Instant now = machine.clock().now();
    ContainerState known = state;
    if (known != null && !changed && now.isBefore(lookedAt.plus(FRESH))) {
      return known;
    }
    changed = false;
    lookedAt = now;
    state = machine.engine().inspect(name);
    return state;
  }

  @Override
  public @Nullable Instant since() {
    ContainerState known = state;
    return known == null || known.startedAt().equals(Instant.EPOCH) ? null : known.startedAt();
  }

  @Override
  public @Nullable Integer exitCode() throws IOException {
    ContainerState known = state;
    return known != null && known.isOver()
        ? Integer.valueOf(known.exitCode())
        : ProgramEnd.exitCode(run);
  }

  @Override
  public @Nullable String endNote() {
    ContainerState known = state;
    if (known == null) {
      return over ? "its container was deleted by another program" : null;
    }
    boolean isKilled = known.exitCode() == KILLED && killAt == null && known.memory() > 0;
    return known.oomKilled() || isKilled
        ? "probably because it needed more memory than its limit of %d MiB"
            .formatted(known.memory() >> 20)
        : null;
  }

  @Override
  public void rotate(ReplicaLog file, long largest) throws IOException {
    log.rotate(largest);
  }

  @Override
  public ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException {
    List<Long> tree = tree();
    if (machine.cluster().network() == ContainerNetwork.BRIDGE || tree.isEmpty()) {
      return new ReplicaEndpoints(ReplicaEndpoints.given(ports).addresses(), true, 0);
    }
    return ReplicaEndpoints.of(ListeningSockets.of(tree), specified, ports);
  }

  @Override
  public boolean isStrangers(int port) throws IOException {
    List<Long> tree = tree();
    return machine.cluster().network() == ContainerNetwork.HOST
        && !tree.isEmpty()
        && ListeningSockets.of(tree).stream().noneMatch(listener -> listener.port() == port);
  }

  /** Its processes, when they are seen from here; else none. */
  private List<Long> tree() {
    ContainerState known = state;
    return known == null ? List.of() : known.tree();
  }

  @Override
  public ReplicaShell shell(WorkloadSpec spec, Path directory, Allotment given, TerminalSize size)
      throws IOException {
    return ContainerEngine.await(machine.shell(name, size));
  }

  @Override
  public boolean isCleared(Duration grace) throws IOException {
    if (cleared) {
      return true;
    }
    ContainerState present = machine.engine().inspect(name);
    if (present != null && !present.isNew() && !present.isOver()) {
      end(present, grace);
      return false;
    }
    if (present != null) {
      state = present;
      if (present.isOver()) {
        log.finish();
        new ProgramEnd(present.exitCode()).write(run);
      }
      if (!machine.engine().remove(name, present.isNew())) {
        poll();
        return false;
      }
    }
    machine.events().forget(name);
    cleared = true;
    return true;
  }

  private void end(ContainerState present, Duration grace) throws IOException {
    Instant now = machine.clock().now();
    log.follow(now);
    Instant deadline = killAt;
    if (deadline == null) {
      machine.engine().signal(name, present.stopSignal());
      killAt = now.plus(grace);
    } else if (!now.isBefore(deadline)) {
      machine.engine().signal(name, "SIGKILL");
    }
    poll();
  }

  /** Has the keeper look again soon, should no event come. */
  private void poll() {
    Instant now = machine.clock().now();
    if (!now.isBefore(pollAt)) {
      pollAt = now.plus(POLL);
      machine.clock().after(POLL, nudge);
    }
  }
}
