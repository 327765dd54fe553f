package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about what the replicas of workloads use and have to do; the orchestrator answers. */
public final class Usages {
  /** The most bytes of what a program tells at its endpoint for Prometheus. */
  public static final int MOST_TOLD = 4 << 20;

  /** The most metrics of one workload that are asked for. */
  public static final int MOST_METRICS = 20;

  /** Reads at the replicas that are ready; what cannot be read is left out, with its reason. */
  public static final Address<Ask, Read> READ = new Address<>("usages.read", Ask.class, Read.class);

  private Usages() {}

  /** Workloads to be read; those that do not exist are left out of the answer. */
  public record Ask(List<AskOne> of) {
    public Ask {
      of = List.copyOf(of);
    }
  }

  /**
   * A question about one workload.
   *
   * @param used whether to read the CPU time, memory and GPUs that its programs use
   * @param scrape null for nothing that its programs tell
   */
  public record AskOne(WorkloadRef workload, boolean used, @Nullable Scrape scrape) {}

  /**
   * An endpoint of a program for Prometheus.
   *
   * @param port the name of a port of the workload
   * @param path with its query
   * @param metrics names; the values of all series of a name are added up
   */
  public record Scrape(String port, String path, List<String> metrics) {
    public Scrape {
      metrics = List.copyOf(metrics);
    }
  }

  public record Read(List<WorkloadUsage> workloads) {
    public Read {
      workloads = List.copyOf(workloads);
    }
  }

  /**
   * The readings of a workload.
   *
   * @param autoscaled the number of replicas that the autoscaler of its cluster wants; null where
   *     none decides, and then what replicas use is read
   * @param fault a sentence without a full stop on what could not be read; null when all could
   */
  public record WorkloadUsage(
      WorkloadRef workload,
      List<ReplicaUsage> replicas,
      @Nullable Integer autoscaled,
      @Nullable String fault) {
    public WorkloadUsage {
      replicas = List.copyOf(replicas);
    }
  }

  /**
   * The readings of a replica.
   *
   * @param readings by {@link Readings#CPU}, {@link Readings#MEMORY}, {@link Readings#GPU} and the
   *     names of metrics
   */
  public record ReplicaUsage(ReplicaRef replica, Readings readings) {}
}
