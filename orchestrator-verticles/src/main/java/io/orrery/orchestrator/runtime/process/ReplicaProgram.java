package io.orrery.orchestrator.runtime.process;

import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.process.ChildExits;
import io.orrery.orchestrator.process.ChildProcess;
import io.orrery.orchestrator.process.LaunchClaims.Canceled;
import io.orrery.orchestrator.process.LaunchClaims.Free;
import io.orrery.orchestrator.process.LaunchClaims.Taken;
import io.orrery.orchestrator.process.LaunchClaims.Unsigned;
import io.orrery.orchestrator.process.ProcessSignals;
import io.orrery.orchestrator.process.Processes.Found;
import io.orrery.orchestrator.process.Spawn;
import io.orrery.orchestrator.process.Termination;
import io.orrery.orchestrator.process.WrapperDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A start of a replica's program, from its launch, or from its adoption, to the end of the last
 * process of it. What it knows is what it has seen on the disk and in {@code /proc}, so it makes no
 * difference which server has started it. Blocks; used by one thread at a time.
 */
final class ReplicaProgram {
  private static final long BYTES_PER_KIBIBYTE = 1024;

  private final ProcessTools tools;
  private final String mark;
  private final WrapperDirectory run;
  private final Runnable nudge;
  private @Nullable ChildProcess child;
  private @Nullable Taken taken;
  private @Nullable Termination termination;
  private boolean seen;
  private boolean watched;

  /**
   * @param nudge called from any thread when the program should be looked at again
   */
  ReplicaProgram(ProcessTools tools, ReplicaRef replica, WrapperDirectory run, Runnable nudge) {
    this.tools = tools;
    this.mark = tools.marks().of(replica);
    this.run = run;
    this.nudge = nudge;
  }

  /** The states of a program as seen from here. */
  enum Sight {
    /** Its wrapper was started and does not run the program yet. */
    UNDER_WAY,
    RUNS,
    OVER
  }

  /**
   * Starts it, unless it was started before.
   *
   * @param directory in which it starts
   * @param log that it appends to
   */
  void launch(WorkloadSpec spec, Path directory, Path log, Map<String, String> environment)
      throws IOException {
    if (run.claims().current() instanceof Free free) {
      child =
          tools
              .settings()
              .spawn()
              .start(
                  new Spawn.Program(
                      tools.wrapper().line(run.path(), free.number(), limited(spec)),
                      directory,
                      environment,
                      log,
                      log),
                  nudge);
    }
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

  /**
   * Makes sure that no wrapper of an earlier server will run it.
   *
   * @return false when one runs it, or has run it
   */
  boolean revoke() throws IOException {
    while (run.claims().current() instanceof Free free) {
      if (run.claims().revoke(free)) {
        return true;
      }
    }
    return false;
  }

  /** Looks whether it runs. */
  Sight look() throws IOException {
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
    return Sight.RUNS;
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

  /** The process that leads its session; 0 before it runs. */
  long pid() {
    return taken == null ? 0 : taken.pid();
  }

  /** When it began; null before. */
  @Nullable Instant since() {
    return taken == null ? null : taken.at().toInstant();
  }

  /** Its processes, wherever they went. */
  List<Found> marked() throws IOException {
    return tools.table().take().marked(mark);
  }

  /** Its exit code; null while it runs, and when it is not known. */
  @Nullable Integer exitCode() throws IOException {
    WrapperDirectory.State state = run.state();
    return state == null ? null : state.exitCode();
  }

  /**
   * Ends what runs of it, a step at a time; a nudge comes when the next is due.
   *
   * @return whether nothing is left
   */
  boolean isCleared(Duration grace) throws IOException {
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
      termination = new Termination(mark, taken, known, tools.table(), grace, tools.clock(), nudge);
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
    tools.clock().after(Duration.ofMillis(20), nudge);
    return false;
  }
}
