package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.core.problem.Problem;
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

/**
 * A start of a replica's program, from its launch, or from its adoption, to the end of the last
 * process of it. Blocks; used by one thread at a time.
 */
public interface ReplicaProgram {
  /** The states of a program as seen from here. */
  enum Sight {
    /** Its launch is not over yet. */
    UNDER_WAY,
    RUNS,
    OVER
  }

  /**
   * Starts it, unless it was started before.
   *
   * @param directory of the replica's own, in which it starts when the specification names none
   */
  void launch(WorkloadSpec spec, Path directory, Allotment given) throws IOException;

  /**
   * Makes sure that no launch of an earlier server will start it any more.
   *
   * @return false when it runs, or has run
   */
  boolean revoke() throws IOException;

  /** Looks whether it runs. */
  Sight look() throws IOException;

  /**
   * A reason why a launch is not over that is none of the program's, such as a node without room.
   *
   * @param reason a sentence without a full stop
   * @param isFailure whether it cannot start before something is corrected
   */
  record Delay(String reason, boolean isFailure) {}

  /** The reason why a program that is {@link Sight#UNDER_WAY} waits; null when it is starting. */
  default @Nullable Delay delay() throws IOException {
    return null;
  }

  /** When it began; null before. */
  @Nullable Instant since();

  /** Its exit code; null while it runs, and when it is not known. */
  @Nullable Integer exitCode() throws IOException;

  /** A further sentence about its end, without a full stop; null when there is none. */
  default @Nullable String endNote() {
    return null;
  }

  /** Keeps its log within so many bytes. */
  default void rotate(ReplicaLog log, long largest) throws IOException {
    log.rotate(largest);
  }

  /**
   * Looks where it listens.
   *
   * @param ports those that it was given
   */
  ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException;

  /** Whether a program that is none of its own listens on a port. */
  boolean isStrangers(int port) throws IOException;

  /**
   * Opens a terminal on a shell beside it, while it runs. Called from any thread.
   *
   * @param directory of the replica's own
   */
  ReplicaShell shell(WorkloadSpec spec, Path directory, Allotment given, TerminalSize size)
      throws IOException;

  /**
   * Runs a command beside it, with pipes, while it runs. Called from any thread.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when it is in no pod
   */
  default ReplicaShell command(List<String> command) throws IOException {
    throw new Problem.Conflict("It is in no pod: its files are those of the server.").toException();
  }

  /** A way to open something beside a program. */
  @FunctionalInterface
  interface Opening {
    ReplicaShell open(ReplicaProgram program, WorkloadSpec spec, Path directory, Allotment given)
        throws IOException;
  }

  /**
   * Ends what runs of it, a step at a time; a nudge comes when the next is due.
   *
   * @return whether nothing is left
   */
  boolean isCleared(Duration grace) throws IOException;
}
