package io.orrery.compute.gpu;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;

/** A program to which GPUs of a machine are given: all of them draw on the same devices. */
public sealed interface GpuUser {
  /** An object whose programs share one turn: the one that holds the fewest devices goes first. */
  Object group();

  /** The kind of program in words: {@code trial}, {@code notebook}, {@code service}. */
  String kind();

  /** Whether it comes to an end without being told to. */
  boolean endsByItself();

  /** An attempt of a trial or of a step. */
  static GpuUser of(AttemptRef attempt) {
    return new Trial(attempt);
  }

  /** A replica of a workload. */
  static GpuUser of(ReplicaRef replica) {
    return new Program(replica);
  }

  /** An attempt of a trial or of a step. */
  record Trial(AttemptRef attempt) implements GpuUser {
    @Override
    public ExperimentId group() {
      return attempt.trial().experiment();
    }

    @Override
    public String kind() {
      return "trial";
    }

    @Override
    public boolean endsByItself() {
      return true;
    }

    @Override
    public String toString() {
      return "trial " + attempt.trial();
    }
  }

  /** A replica of a workload. */
  record Program(ReplicaRef replica) implements GpuUser {
    @Override
    public WorkloadRef group() {
      return replica.workload();
    }

    @Override
    public String kind() {
      return replica.workload().kind().word();
    }

    /** A service serves and a notebook stays open until a person or a rule ends it. */
    @Override
    public boolean endsByItself() {
      return false;
    }

    @Override
    public String toString() {
      return "a " + kind();
    }
  }
}
