package io.orrery.compute.runtime.process;

import io.orrery.compute.process.ChildExits;
import io.orrery.compute.process.ChildProcess;
import io.orrery.compute.process.LaunchClaims.Canceled;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.LaunchClaims.Unsigned;
import io.orrery.compute.process.LimitWatch;
import io.orrery.compute.process.ListeningSockets;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.process.Termination;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.replica.Allotment;
import io.orrery.compute.runtime.replica.ConfigFiles;
import io.orrery.compute.runtime.replica.ReplicaEndpoints;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.runtime.replica.ReplicaProgram;
import io.orrery.core.process.Sandbox;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A start of a replica's program under a wrapper. What it knows is what it has seen on the disk and
 * in {@code /proc}, so it makes no difference which server has started it.
 */
final class WrappedProgram implements ReplicaProgram {
  private static final long BYTES_PER_KIBIBYTE = 1024;

  /** The age of a list of all processes in which the sockets of a program are looked for. */
  private static final Duration RECENT = Duration.ofSeconds(1);

  private final LinuxMachine machine;
  private final ReplicaRef replica;
  private final String mark;
  private final WrapperDirectory run;
  private final Runnable nudge;
  private @Nullable ChildProcess child;
  private @Nullable Taken taken;
  private @Nullable Termination termination;
  private boolean seen;
  private boolean watched;
  private final LimitWatch limits;
  private @Nullable List<Path> writable;
  private @Nullable String excess;
  private Instant lookAt = Instant.EPOCH;

  /**
   * @param nudge called from any thread when the program should be looked at again
   */
  WrappedProgram(LinuxMachine machine, ReplicaRef replica, WrapperDirectory run, Runnable nudge) {
    this.machine = machine;
    this.replica = replica;
    this.mark = machine.marks().of(replica);
    this.run = run;
    this.nudge = nudge;
    this.limits =
        new LimitWatch(machine.environment().sandbox(), machine.clock(), machine.table(), mark);
  }

  @Override
  public void launch(WorkloadSpec spec, Path directory, Allotment given) throws IOException {
    if (run.claims().current() instanceof Free free) {
      Path log = new ReplicaLog(run.path()).file();
      ConfigFiles.write(spec, directory);
      Sandbox.Mounts mounts = mounts(spec, directory);
      writable = writable(mounts);
      notes().write(writable, spec.owner());
      child =
          machine
              .spawn()
              .start(
                  new Spawn.Program(
                      machine.wrapper().line(run.path(), free.number(), apart(mounts, spec)),
                      mounts.work(),
                      machine.environment().of(replica, spec, mark, directory, mounts, given),
                      log,
                      log),
                  nudge);
      limits.countFor(spec.owner());
    }
  }

  /** The command in its sandbox. */
  private List<String> apart(Sandbox.Mounts mounts, WorkloadSpec spec) {
    return machine.environment().sandbox().line(mounts, limited(spec));
  }

  /** The directories of the program: its own, and those of its code and its model. */
  private Sandbox.Mounts mounts(WorkloadSpec spec, Path directory) throws IOException {
    Path environment = machine.environment().directory(spec);
    List<Path> packages = environment == null ? List.of() : List.of(environment);
    if (replica.workload().kind() == WorkloadKind.NOTEBOOK) {
      String owner = spec.owner();
      Path own = machine.workspaces().made(owner);
      return new Sandbox.Mounts(
          own,
          packages,
          List.of(directory),
          new Sandbox.Workspace(own, Workspaces.shownAt(owner)),
          new Sandbox.Workspace(
              machine.workspaces().archiveMade(owner), Workspaces.archiveShownAt(owner)));
    }
    String named = spec.directory();
    Path work = named == null ? directory : Path.of(named);
    List<Path> readable = new ArrayList<>(packages);
    readable.add(work);
    ModelFiles model = spec.model();
    if (model != null && model.directory() != null) {
      readable.add(Path.of(model.directory()));
    }
    if (!spec.files().isEmpty()) {
      readable.add(ConfigFiles.of(directory));
    }
    // The directory of a step is a copy that its shell may change.
    boolean shell = replica.workload().kind() == WorkloadKind.SHELL;
    return new Sandbox.Mounts(
        work, readable, shell ? List.of(directory, work) : List.of(directory));
  }

  /** The command, with a limit of the memory of each of its processes. */
  private static List<String> limited(WorkloadSpec spec) {
    Amount memory = spec.resources().memory();
    if (memory.most() == 0) {
      return spec.command();
    }
    List<String> line =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "ulimit -d \"$0\" && exec \"$@\"",
                Long.toString(Math.max(1, memory.most() / BYTES_PER_KIBIBYTE))));
    line.addAll(spec.command());
    return line;
  }

  @Override
  public boolean revoke() throws IOException {
    while (run.claims().current() instanceof Free free) {
      if (run.claims().revoke(free)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Sight look() throws IOException {
    Sight sight = see();
    if (sight == Sight.OVER) {
      limits.close();
    }
    return sight;
  }

  private Sight see() throws IOException {
    if (taken == null) {
      switch (run.claims().current()) {
        case Free free -> {
          return isChildAlive() ? Sight.UNDER_WAY : Sight.OVER;
        }
        case Unsigned unsigned -> {
          return isChildAlive() || !marked().isEmpty() ? Sight.UNDER_WAY : Sight.OVER;
        }
        case Canceled canceled -> {
          return Sight.OVER;
        }
        case Taken claim -> taken = claim;
      }
    }
    if (!isAlive(taken)) {
      return Sight.OVER;
    }
    seen = true;
    watch(taken);
    return isWithinLimits(taken) ? Sight.RUNS : Sight.OVER;
  }

  private StartNotes notes() {
    return new StartNotes(run.path());
  }

  private boolean isWithinLimits(Taken claim) throws IOException {
    if (!limits.isOn()) {
      return true;
    }
    if (writable == null) {
      writable = notes().writable();
      limits.countFor(notes().person());
    }
    if (excess == null) {
      excess = limits.excess(claim.pid(), writable);
    }
    Instant now = machine.clock().now();
    if (!now.isBefore(lookAt)) {
      lookAt = now.plus(LimitWatch.PAUSE);
      machine.clock().after(LimitWatch.PAUSE, nudge);
    }
    return excess == null;
  }

  private static List<Path> writable(Sandbox.Mounts mounts) {
    List<Path> all = new ArrayList<>(mounts.writable());
    Stream.of(mounts.workspace(), mounts.archive())
        .flatMap(Stream::ofNullable)
        .forEach(each -> all.add(each.directory()));
    return all;
  }

  @Override
  public @Nullable String endNote() {
    return excess;
  }

  private boolean isAlive(Taken claim) {
    return isOwn(claim) ? isChildAlive() : claim.isAlive();
  }

  /** Whether this server has started the wrapper that runs the program. */
  private boolean isOwn(Taken claim) {
    return child != null && child.pid() == claim.pid();
  }

  private boolean isChildAlive() {
    return child != null && child.isAlive();
  }

  /** The end of a child is told anyway. */
  private void watch(Taken claim) {
    if (!isOwn(claim) && !watched) {
      watched = ChildExits.tell(claim.pid(), claim.startTime(), nudge);
    }
  }

  @Override
  public @Nullable Instant since() {
    return taken == null ? null : taken.at().toInstant();
  }

  @Override
  public ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException {
    Set<Long> tree = Set.copyOf(tree());
    ReplicaEndpoints found = ReplicaEndpoints.of(ListeningSockets.of(tree), specified, ports);
    if (found.complete()) {
      return found;
    }
    // A process whose parent has ended is none of the tree.
    Set<Long> all = new HashSet<>(tree);
    machine.table().recent(machine.clock().now(), RECENT).marked(mark).stream()
        .map(Found::pid)
        .forEach(all::add);
    return all.size() == tree.size()
        ? found
        : ReplicaEndpoints.of(ListeningSockets.of(all), specified, ports);
  }

  @Override
  public boolean isStrangers(int port) throws IOException {
    Set<Long> tree = Set.copyOf(tree());
    List<Long> others = new ArrayList<>(List.of(ProcessHandle.current().pid()));
    for (Found process : machine.table().take().all()) {
      if (!mark.equals(process.mark()) && !tree.contains(process.pid())) {
        others.add(process.pid());
      }
    }
    return ListeningSockets.of(others).stream().anyMatch(listener -> listener.port() == port);
  }

  private List<Long> tree() {
    return taken == null ? List.of() : Processes.tree(taken.pid());
  }

  private List<Found> marked() throws IOException {
    return machine.table().take().marked(mark);
  }

  @Override
  public @Nullable Integer exitCode() throws IOException {
    WrapperDirectory.State state = run.state();
    return state == null ? null : state.exitCode();
  }

  @Override
  public ReplicaShell shell(WorkloadSpec spec, Path directory, Allotment given, TerminalSize size)
      throws IOException {
    Sandbox.Mounts mounts = mounts(spec, directory);
    return ScriptShell.open(
        machine.clock(),
        mark,
        machine.environment().of(replica, spec, mark, directory, mounts, given),
        machine.environment().sandbox(),
        mounts,
        size);
  }

  @Override
  public boolean isCleared(Duration grace) throws IOException {
    boolean cleared = isGone(grace);
    if (cleared) {
      limits.close();
    }
    return cleared;
  }

  private boolean isGone(Duration grace) throws IOException {
    if (termination == null) {
      if (taken == null) {
        if (!Files.isDirectory(run.path())) {
          return isKilled();
        }
        switch (run.claims().current()) {
          case Free free -> {
            if (!run.claims().revoke(free)) {
              return soon();
            }
            // Its wrapper, if there is one, finds that and goes.
            return !isChildAlive() || soon();
          }
          case Unsigned unsigned -> {
            return look() == Sight.OVER || soon();
          }
          case Canceled canceled -> {
            return true;
          }
          case Taken claim -> taken = claim;
        }
      }
      if (taken.isOfAnotherBoot()) {
        return true;
      }
      boolean known = seen || isOwn(taken);
      termination =
          new Termination(
              mark,
              taken,
              known,
              machine.table(),
              excess == null ? grace : Duration.ZERO,
              machine.clock(),
              nudge);
    }
    return termination.done();
  }

  /** Its files are gone: only its mark tells its processes. */
  private boolean isKilled() throws IOException {
    List<Found> left = marked();
    left.forEach(process -> process.signal(ProcessSignals.KILL));
    return left.isEmpty() || soon();
  }

  private boolean soon() {
    machine.clock().after(Duration.ofMillis(20), nudge);
    return false;
  }
}
