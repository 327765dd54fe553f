package io.orrery.compute.service;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.workload.ReplicaRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine's GPUs as they were last looked at, for people.
 *
 * @param seenAt when they were last seen; null before the first probe
 * @param failure why the last look brought nothing; null when it did
 * @param gpus by index
 * @param waiting how many programs wait for GPUs
 */
public record GpuReport(
    @Nullable Instant seenAt, @Nullable String failure, List<Gpu> gpus, int waiting) {
  public GpuReport {
    gpus = List.copyOf(gpus);
  }

  /**
   * A GPU of the machine.
   *
   * @param trials the attempts that hold it
   * @param replicas the replicas of workloads that hold it
   * @param trouble a fault, or who else uses it; null when there is nothing to say
   */
  public record Gpu(
      int index,
      String name,
      @Nullable Long memory,
      List<AttemptRef> trials,
      List<ReplicaRef> replicas,
      @Nullable String trouble) {
    public Gpu {
      trials = List.copyOf(trials);
      replicas = List.copyOf(replicas);
    }

    /** One that only attempts hold. */
    public Gpu(
        int index,
        String name,
        @Nullable Long memory,
        List<AttemptRef> trials,
        @Nullable String trouble) {
      this(index, name, memory, trials, List.of(), trouble);
    }
  }
}
