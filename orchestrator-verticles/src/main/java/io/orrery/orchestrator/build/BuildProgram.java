package io.orrery.orchestrator.build;

import io.orrery.compute.process.ChildExits;
import io.orrery.compute.process.ChildProcess;
import io.orrery.compute.process.LaunchClaims.Canceled;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.LaunchClaims.Unsigned;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.process.Termination;
import io.orrery.compute.process.Wrapper;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A start of the process of a build, whichever server has made it: its claim is a file, and all of
 * its processes carry a mark. Blocks; used by one thread at a time.
 */
final class BuildProgram {
  /** The variable that every process of a build inherits. */
  static final String MARK = "ORRERY_BUILD_MARK";

  private final Machine machine;
  private final WrapperDirectory run;
  private final String mark;
  private final Runnable nudge;
  private @Nullable ChildProcess child;
  private @Nullable Taken taken;
  private @Nullable Termination termination;
  private boolean seen;

  /** The means to start and find processes. */
  record Machine(Clock clock, ProcessTable table, Wrapper wrapper, Spawn spawn) {}

  /**
   * @param run its directory, which exists; its log is there
   * @param nudge called from any thread when it should be looked at again
   */
  BuildProgram(Machine machine, Path run, String mark, Runnable nudge) {
    this.machine = machine;
    this.run = new WrapperDirectory(run);
    this.mark = mark;
    this.nudge = nudge;
  }

  /** Starts it, unless it was started before. */
  void launch(List<String> command, Path directory, Map<String, String> environment)
      throws IOException {
    if (run.claims().current() instanceof Free free) {
      Path log = run.path().resolve("log");
      child =
          machine
              .spawn()
              .start(
                  new Spawn.Program(
                      machine.wrapper().line(run.path(), free.number(), command),
                      directory,
                      environment,
                      log,
                      log),
                  nudge);
    }
  }

  /** Whether it runs, or is about to. */
  boolean isAlive() throws IOException {
    if (taken == null) {
      switch (run.claims().current()) {
        case Free free -> {
          return child != null && child.isAlive();
        }
        case Unsigned unsigned -> {
          return (child != null && child.isAlive()) || !marked().isEmpty();
        }
        case Canceled canceled -> {
          return false;
        }
        case Taken claim -> {
          taken = claim;
          ChildExits.tell(claim.pid(), claim.startTime(), nudge);
        }
      }
    }
    boolean alive = taken.isAlive();
    seen = seen || alive;
    return alive;
  }

  private List<Found> marked() throws IOException {
    return machine.table().take().marked(mark);
  }

  /** Its exit code; null while it runs, and when it was killed without telling one. */
  @Nullable Integer exitCode() throws IOException {
    WrapperDirectory.State state = run.state();
    return state == null ? null : state.exitCode();
  }

  /** Ends all of its processes, a step at a time; whether none is left. */
  boolean isCleared(Duration grace) throws IOException {
    if (termination == null) {
      if (taken == null && !isAlive() && taken == null) {
        if (run.claims().current() instanceof Free free) {
          return run.claims().revoke(free);
        }
        return marked().isEmpty();
      }
      Taken claim = taken;
      if (claim == null) {
        return false;
      }
      if (claim.isOfAnotherBoot()) {
        return true;
      }
      termination =
          new Termination(mark, claim, seen, machine.table(), grace, machine.clock(), nudge);
    }
    return termination.done();
  }
}
