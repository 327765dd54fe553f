package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.replica.ReplicaFiles.Facts;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas that an earlier server has left, each until it is adopted. Blocks. Thread safe. */
final class FoundReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(FoundReplicas.class);

  private final ReplicaTools tools;
  private final Map<WorkloadRef, Map<ReplicaRef, LeftReplica>> left = new TreeMap<>();
  private boolean loaded;

  FoundReplicas(ReplicaTools tools) {
    this.tools = tools;
  }

  /**
   * Reads the directory of all workloads once, and reserves the ports of all replicas before any is
   * given another one. Deletes what is no replica: what was created or deleted half.
   */
  synchronized void load() throws IOException {
    if (loaded) {
      return;
    }
    Path root = tools.root();
    ReplicaFiles.makePrivate(root);
    for (Path directory : children(root)) {
      WorkloadRef workload = workload(directory.getFileName().toString());
      if (workload != null) {
        left.put(workload, replicas(workload, directory));
      }
    }
    loaded = true;
  }

  private Map<ReplicaRef, LeftReplica> replicas(WorkloadRef workload, Path directory)
      throws IOException {
    Map<ReplicaRef, LeftReplica> replicas = new TreeMap<>();
    for (Path child : children(directory)) {
      ReplicaRef replica = replica(workload, child.getFileName().toString());
      ReplicaFiles files = new ReplicaFiles(child, true);
      WorkloadSpec spec = replica == null ? null : files.spec(tools.secrets());
      if (replica == null || spec == null) {
        LOG.info("deleting {}, which is no replica", child);
        DirectoryTree.delete(child);
      } else {
        DurableFile.sweep(child);
        for (Path run : children(child)) {
          if (!run.equals(files.work())) {
            DurableFile.sweep(run);
          }
        }
        replicas.put(replica, new LeftReplica(spec, reserved(files.facts())));
      }
    }
    return replicas;
  }

  /** Facts without ports that another replica has, as a copied directory would have. */
  private Facts reserved(Facts facts) {
    Map<String, Integer> ports = new HashMap<>(facts.ports());
    ports.values().removeIf(port -> !tools.ports().reserve(port));
    return new Facts(ports, facts.failures());
  }

  /** The directories in one; none when it is not there. */
  static List<Path> children(Path directory) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, Files::isDirectory)) {
      List<Path> children = new ArrayList<>();
      all.forEach(children::add);
      return children;
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private static @Nullable WorkloadRef workload(String segment) {
    int hyphen = segment.indexOf('-');
    try {
      return hyphen < 0
          ? null
          : new WorkloadRef(
              WorkloadKind.of(segment.substring(0, hyphen)), segment.substring(hyphen + 1));
    } catch (IllegalArgumentException other) {
      return null;
    }
  }

  /** The replica of a directory; null when it is none. */
  static @Nullable ReplicaRef replica(Path workload, Path replica) {
    WorkloadRef ref = workload(workload.getFileName().toString());
    return ref == null ? null : replica(ref, replica.getFileName().toString());
  }

  private static @Nullable ReplicaRef replica(WorkloadRef workload, String id) {
    try {
      return ReplicaRef.parse(workload + "/" + id);
    } catch (IllegalArgumentException other) {
      return null;
    }
  }

  /** The workloads of which something is left that was not adopted. */
  synchronized List<WorkloadRef> workloads() {
    return List.copyOf(left.keySet());
  }

  /** Hands the replicas of a workload over; they count as found until they are forgotten. */
  synchronized void adopt(WorkloadRef workload, ReplicaSet set) throws IOException {
    Map<ReplicaRef, LeftReplica> replicas = left.getOrDefault(workload, Map.of());
    for (Map.Entry<ReplicaRef, LeftReplica> each : replicas.entrySet()) {
      set.adopt(each.getKey(), each.getValue());
    }
  }

  /** Forgets the replicas of a workload, which were adopted. */
  synchronized void forget(WorkloadRef workload) {
    left.remove(workload);
  }

  /** Whether something of a workload is left that was not adopted. */
  synchronized boolean has(WorkloadRef workload) {
    return left.containsKey(workload);
  }

  /** Whether a replica has files that were not adopted. */
  synchronized boolean has(ReplicaRef replica) {
    return left.getOrDefault(replica.workload(), Map.of()).containsKey(replica);
  }
}
