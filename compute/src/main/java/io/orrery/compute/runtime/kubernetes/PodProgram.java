package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.kubernetes.PodSight;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.replica.Allotment;
import io.orrery.compute.runtime.replica.ProgramEnd;
import io.orrery.compute.runtime.replica.ReplicaEndpoints;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.file.DurableFile;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterException;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A start of a replica's program as a pod of its own. Its name is the claim: the API server gives
 * it once, whichever server asks. Before the pod is deleted its log and its exit code are written
 * beside each other in the directory of the start.
 */
final class PodProgram implements ReplicaProgram {
  private static final Logger LOG = LoggerFactory.getLogger(PodProgram.class);

  private static final String ADDRESS = "address";
  private static final Duration POLL = Duration.ofMillis(500);

  /** The time after which a pod that waits without a reason is looked for among the events. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  private static final Duration BETWEEN_EVENTS = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOGINS = Duration.ofSeconds(10);

  private final PodMachine machine;
  private final PodNamespace namespace;
  private final ReplicaRef replica;
  private final Path run;
  private final String name;
  private final Runnable nudge;
  private final PodLog log;
  private final Instant begun;
  private @Nullable PodSight pod;
  private boolean over;
  private boolean cleared;
  private boolean deleted;
  private Instant pollAt = Instant.EPOCH;
  private Instant eventsAt = Instant.EPOCH;
  private Instant loginAt = Instant.EPOCH;
  private @Nullable ImageLogin login;

  /** The specification, when this object has launched it with a login. */
  private @Nullable WorkloadSpec launched;

  private @Nullable String warning;

  /** The address that this object has written. */
  private @Nullable String keptAddress;

  PodProgram(PodMachine machine, ReplicaRef replica, Path run, Runnable nudge) {
    this.machine = machine;
    this.namespace = machine.namespace();
    this.replica = replica;
    this.run = run;
    this.name = machine.names().pod(replica, run.getFileName().toString());
    this.nudge = nudge;
    this.log = new PodLog(namespace, name, new ReplicaLog(run), nudge);
    this.begun = machine.clock().now();
    machine.watch(name, nudge);
  }

  @Override
  public void launch(WorkloadSpec spec, Path directory, Allotment given) throws IOException {
    PodBody body = machine.body();
    ImageLogin found = machine.login(spec);
    namespace.apply(ResourceType.SECRET, body.secret(name, replica, spec));
    if (found != null) {
      namespace.apply(ResourceType.SECRET, body.pullSecret(name, replica, found));
      login = found;
      launched = spec;
    }
    namespace.create(body.pod(name, replica, spec, found != null));
  }

  @Override
  public boolean revoke() throws IOException {
    if (ProgramEnd.exitCode(run) != null) {
      return false;
    }
    try {
      return namespace.find(name) == null;
    } catch (ClusterException e) {
      if (e.isSilence()) {
        // It may run, as pods do without their API server.
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
    PodSight present;
    try {
      present = namespace.seen(name);
      present = present == null ? namespace.find(name) : present;
    } catch (ClusterException e) {
      // Pods run on without their API server, and the probes still tell.
      LOG.debug("could not look at pod {}: {}", name, e.getMessage());
      return address() == null ? Sight.UNDER_WAY : Sight.RUNS;
    }
    if (present == null) {
      over = true;
      return Sight.OVER;
    }
    pod = present;
    if (present.over()) {
      log.finish();
      over = true;
      return Sight.OVER;
    }
    if (present.startedAt() == null) {
      return Sight.UNDER_WAY;
    }
    keepAddress(present);
    log.follow(machine.clock().now());
    return Sight.RUNS;
  }

  @Override
  public @Nullable Delay delay() throws IOException {
    PodSight present = pod;
    if (present == null) {
      return new Delay("its pod is being created", false);
    }
    String trouble = present.trouble();
    if (trouble != null) {
      renewLogin();
      return new Delay(trouble, present.hopeless());
    }
    String seen = warning();
    if (seen != null) {
      return new Delay("its pod does not start: " + seen, false);
    }
    return new Delay(
        present.scheduled()
            ? "its container is being created, its image perhaps pulled"
            : "its pod waits for a node",
        false);
  }

  /** Gives the cluster a login that has been corrected while it could not pull the image. */
  private void renewLogin() {
    Instant now = machine.clock().now();
    WorkloadSpec spec = launched;
    if (spec == null || now.isBefore(loginAt)) {
      return;
    }
    loginAt = now.plus(BETWEEN_LOGINS);
    try {
      ImageLogin present = machine.login(spec);
      if (present != null && !present.equals(login)) {
        namespace.apply(ResourceType.SECRET, machine.body().pullSecret(name, replica, present));
        login = present;
      }
    } catch (IOException e) {
      LOG.warn("could not renew the login of pod {}: {}", name, e.getMessage());
    }
  }

  /** The newest warning of the cluster about the pod, once it has waited for some time. */
  private @Nullable String warning() throws IOException {
    Instant now = machine.clock().now();
    if (now.isAfter(begun.plus(QUIET)) && !now.isBefore(eventsAt)) {
      eventsAt = now.plus(BETWEEN_EVENTS);
      try {
        warning = namespace.warning(name);
      } catch (ClusterException e) {
        LOG.debug("could not read the events of pod {}: {}", name, e.getMessage());
      }
    }
    return warning;
  }

  @Override
  public @Nullable Instant since() {
    PodSight present = pod;
    return present == null ? null : present.startedAt();
  }

  @Override
  public @Nullable Integer exitCode() throws IOException {
    PodSight present = pod;
    return present != null && present.exitCode() != null
        ? present.exitCode()
        : ProgramEnd.exitCode(run);
  }

  @Override
  public @Nullable String endNote() {
    PodSight present = pod;
    if (present == null || (over && !present.over())) {
      return over ? "its pod was deleted from the cluster" : null;
    }
    String trouble = present.trouble();
    return trouble != null && trouble.contains("OOMKilled")
        ? "it needed more memory than its limit (OOMKilled)"
        : trouble;
  }

  @Override
  public void rotate(ReplicaLog file, long largest) throws IOException {
    log.rotate(largest);
  }

  @Override
  public ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException {
    String address = address();
    Map<String, String> all = new HashMap<>();
    if (address != null) {
      String host = address.contains(":") ? "[" + address + "]" : address;
      specified.forEach(port -> all.put(port.name(), host + ":" + port.number()));
    }
    return new ReplicaEndpoints(all, address != null, 0);
  }

  @Override
  public boolean isStrangers(int port) {
    return false;
  }

  @Override
  public ReplicaShell shell(WorkloadSpec spec, Path directory, Allotment given, TerminalSize size)
      throws IOException {
    return PodShell.open(namespace, machine.clock(), name, size);
  }

  @Override
  public ReplicaShell command(List<String> command) throws IOException {
    return PodCommand.begin(namespace, machine.clock(), name, command);
  }

  @Override
  public boolean isCleared(Duration grace) throws IOException {
    if (cleared) {
      return true;
    }
    PodSight present = namespace.find(name);
    if (present == null) {
      namespace.delete(ResourceType.SECRET, name);
      namespace.delete(ResourceType.SECRET, PodNames.pull(name));
      log.stop();
      machine.forget(name);
      cleared = true;
      return true;
    }
    pod = present;
    if (present.over()) {
      log.finish();
      new ProgramEnd(present.exitCode()).write(run);
    } else if (present.startedAt() != null) {
      log.follow(machine.clock().now());
    }
    if (!deleted || !present.deleted()) {
      namespace.delete(name, present.over() ? Duration.ZERO : grace);
      deleted = true;
    }
    poll();
    return false;
  }

  /** Has the keeper look again soon, should the watch not tell. */
  private void poll() {
    Instant now = machine.clock().now();
    if (!now.isBefore(pollAt)) {
      pollAt = now.plus(POLL);
      machine.clock().after(POLL, nudge);
    }
  }

  // ---- the address ----------------------------------------------------------------------------

  /** The address of its network, which it has as long as it runs; null before. */
  private @Nullable String address() throws IOException {
    PodSight present = pod;
    return present != null && present.address() != null ? present.address() : kept();
  }

  /** For a server that starts while the API server is away. */
  private void keepAddress(PodSight running) throws IOException {
    String address = running.address();
    if (address != null && !address.equals(keptAddress)) {
      try {
        DurableFile.write(run.resolve(ADDRESS), address.getBytes(StandardCharsets.UTF_8));
        keptAddress = address;
      } catch (NoSuchFileException gone) {
        LOG.trace("dropping the address of {}, whose directory is gone", name);
      }
    }
  }

  private @Nullable String kept() throws IOException {
    try {
      return Files.readString(run.resolve(ADDRESS));
    } catch (NoSuchFileException none) {
      return null;
    }
  }
}
