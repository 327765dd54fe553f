package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterException;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of services that are not pods as their specifications want them, on a thread of
 * its own: what an API server refuses, or does not answer, is tried again, and delays no pod. An
 * object of the name that is not this server's stays as it is.
 */
final class ServiceObjects implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceObjects.class);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  /** In the order in which they are made. */
  private static final List<ResourceType> TYPES =
      List.of(ResourceType.SERVICE, ResourceType.DEPLOYMENT, ResourceType.AUTOSCALER);

  private final PodNamespace namespace;
  private final PodNames names;
  private final ServiceObjectBody body;
  private final Map<WorkloadRef, WorkloadSpec> wanted = new HashMap<>();

  /** Those whose objects may be other than they should. */
  private final Set<WorkloadRef> due = new HashSet<>();

  /** The faults that were told, by workload. */
  private final Map<WorkloadRef, String> faults = new HashMap<>();

  /** Whether all that is there is to be looked at, for what is not wanted. */
  private boolean sweeps;

  private @Nullable Thread thread;
  private boolean closed;

  ServiceObjects(PodNamespace namespace, PodNames names) {
    this.namespace = namespace;
    this.names = names;
    this.body = new ServiceObjectBody(names);
  }

  /** Makes the objects what a specification says. */
  synchronized void want(WorkloadRef workload, WorkloadSpec spec) {
    if (workload.kind() == WorkloadKind.SERVICE && !spec.equals(wanted.put(workload, spec))) {
      due.add(workload);
      begin();
    }
  }

  /** Deletes the objects of a workload. */
  synchronized void remove(WorkloadRef workload) {
    if (workload.kind() == WorkloadKind.SERVICE) {
      wanted.remove(workload);
      due.add(workload);
      begin();
    }
  }

  /** Makes all what they should be, and deletes those of workloads that are not wanted. */
  synchronized void adopt(Collection<Wanted> all) {
    all.forEach(each -> want(each.workload(), each.spec()));
    sweeps = true;
    begin();
  }

  private void begin() {
    if (thread == null && !closed) {
      thread = Thread.ofVirtual().name("kubernetes-objects").start(this::work);
    }
    notifyAll();
  }

  /**
   * The number of replicas that the autoscaler of a workload wants.
   *
   * @return empty where there is none, or none that decides
   */
  OptionalInt autoscaled(WorkloadRef workload) throws IOException {
    synchronized (this) {
      WorkloadSpec spec = wanted.get(workload);
      if (spec == null || spec.scaling() == null) {
        return OptionalInt.empty();
      }
    }
    String name = ServiceObjectBody.name(workload);
    JsonNode autoscaler = namespace.find(ResourceType.AUTOSCALER, name);
    if (autoscaler == null || !isOurs(autoscaler, workload) || !decides(autoscaler)) {
      return OptionalInt.empty();
    }
    JsonNode deployment = namespace.find(ResourceType.DEPLOYMENT, name);
    return deployment == null || !isOurs(deployment, workload)
        ? OptionalInt.empty()
        : OptionalInt.of(deployment.at("/spec/replicas").asInt(1));
  }

  private static boolean decides(JsonNode autoscaler) {
    return autoscaler
        .at("/status/conditions")
        .valueStream()
        .anyMatch(condition ->
            condition.path("type").asText().equals("ScalingActive")
                && condition.path("status").asText().equals("True"));
  }

  // ---- the thread ----------------------------------------------------------------------------

  private void work() {
    try {
      for (Task task = take(); task != null; task = take()) {
        boolean failed = task.sweeps() && !isSwept();
        for (WorkloadRef workload : task.workloads()) {
          failed |= !isMade(workload);
        }
        if (failed) {
          // Closing it interrupts this thread.
          Thread.sleep(AGAIN);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work of one turn, which is done with no lock held: an API server may take its time. */
  private record Task(boolean sweeps, Set<WorkloadRef> workloads) {}

  /** Waits for a task; null when it is closed. */
  private synchronized @Nullable Task take() throws InterruptedException {
    while (!closed && !sweeps && due.isEmpty()) {
      wait();
    }
    if (closed) {
      return null;
    }
    Task task = new Task(sweeps, Set.copyOf(due));
    sweeps = false;
    due.clear();
    return task;
  }

  /** Has those that are there and not wanted looked at. */
  private boolean isSwept() {
    try {
      for (ResourceType type : TYPES) {
        for (JsonNode object : listed(type)) {
          WorkloadRef workload = names.workload(object.path("metadata"));
          synchronized (this) {
            if (workload != null && !wanted.containsKey(workload)) {
              due.add(workload);
            }
          }
        }
      }
      return true;
    } catch (IOException e) {
      LOG.debug("could not list the objects of services: {}", e.getMessage());
      synchronized (this) {
        sweeps = true;
      }
      return false;
    }
  }

  private boolean isMade(WorkloadRef workload) {
    WorkloadSpec spec;
    synchronized (this) {
      spec = wanted.get(workload);
    }
    try {
      for (ResourceType type : TYPES) {
        ObjectNode object = spec == null ? null : object(type, workload, spec);
        make(type, workload, object);
      }
      faults.remove(workload);
      return true;
    } catch (IOException e) {
      String fault = String.valueOf(e.getMessage());
      synchronized (this) {
        if (closed) {
          return true;
        }
        due.add(workload);
      }
      if (!fault.equals(faults.put(workload, fault))) {
        LOG.warn("could not apply the objects of {}: {}", workload, fault);
      }
      return false;
    }
  }

  private @Nullable ObjectNode object(ResourceType type, WorkloadRef workload, WorkloadSpec spec) {
    UseScaling scaling = spec.scaling();
    if (type.equals(ResourceType.SERVICE)) {
      return spec.ports().isEmpty() ? null : body.service(workload, spec);
    }
    if (scaling == null) {
      return null;
    }
    return type.equals(ResourceType.DEPLOYMENT)
        ? body.deployment(workload, spec)
        : body.autoscaler(workload, spec, scaling);
  }

  /** One that is to be there is applied, one that is not is deleted; that of another stays. */
  private void make(ResourceType type, WorkloadRef workload, @Nullable ObjectNode object)
      throws IOException {
    String name = ServiceObjectBody.name(workload);
    JsonNode present = object == null ? known(type, name) : namespace.find(type, name);
    if (present != null && !isOurs(present, workload)) {
      if (object != null) {
        throw new IOException(
            "there is a %s %s that is not of this service".formatted(type.kind(), name));
      }
      return;
    }
    if (object != null) {
      namespace.apply(type, object);
    } else if (present != null) {
      namespace.delete(type, name);
    }
  }

  /** An object that is not wanted; null where it may not be read: then none was made either. */
  private @Nullable JsonNode known(ResourceType type, String name) throws IOException {
    try {
      return namespace.find(type, name);
    } catch (ClusterException e) {
      if (e.isSilence()) {
        throw e;
      }
      return null;
    }
  }

  private List<JsonNode> listed(ResourceType type) throws IOException {
    try {
      return namespace.list(type);
    } catch (ClusterException e) {
      if (e.isSilence()) {
        throw e;
      }
      return List.of();
    }
  }

  private boolean isOurs(JsonNode object, WorkloadRef workload) {
    return names.isOf(workload, object.path("metadata"));
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    if (thread != null) {
      thread.interrupt();
    }
  }
}
