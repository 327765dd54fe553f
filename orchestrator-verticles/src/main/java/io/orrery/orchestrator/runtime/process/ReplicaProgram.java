package io.orrery.orchestrator.runtime.process;

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
interface ReplicaProgram {
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
      throws IOException;

  /**
   * Makes sure that no wrapper of an earlier server will run it.
   *
   * @return false when one runs it, or has run it
   */
  boolean revoke() throws IOException;

  /** Looks whether it runs. */
  Sight look() throws IOException;

  /** When it began; null before. */
  @Nullable Instant since();

  /** Its exit code; null while it runs, and when it is not known. */
  @Nullable Integer exitCode() throws IOException;

  /**
   * Looks where it listens.
   *
   * @param ports those that it was given
   */
  ReplicaEndpoints endpoints(List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException;

  /** Whether a process of this user that is none of its own listens on a port. */
  boolean isStrangers(int port) throws IOException;

  /**
   * Ends what runs of it, a step at a time; a nudge comes when the next is due.
   *
   * @return whether nothing is left
   */
  boolean isCleared(Duration grace) throws IOException;
}
