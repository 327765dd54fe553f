package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterException;
import io.orrery.kubernetes.ResourceType;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of services that are not pods as their specifications want them.
 * Level-triggered: each is applied as it is wanted, deleted when it is not, and tried again while
 * the API server does not let it, which delays no pod. One deleted by hand is made again by the
 * next generation or server; an object of the name that is another's stays as it is. Thread safe.
 */
final class ServiceObjects {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceObjects.class);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private static final List<ResourceType> TYPES =
      List.of(ResourceType.SERVICE, ResourceType.DEPLOYMENT, ResourceType.AUTOSCALER);

  private final PodNamespace namespace;
  private final PodNames names;
  private final ServiceObjectBody body;
  private final ServiceBody external;
  private final Clock clock;
  private final Background background;
  private final Consumer<WorkloadRef> changed;
  private final ReentrantLock working = new ReentrantLock();
  private final Map<WorkloadRef, Wish> wishes = new ConcurrentHashMap<>();

  /** Why the objects of a workload are not as they are wanted. */
  private final Map<WorkloadRef, String> faults = new ConcurrentHashMap<>();

  /** Why the autoscaler of a workload decides nothing. */
  private final Map<WorkloadRef, String> undecided = new ConcurrentHashMap<>();

  /** The names of this server's objects by type, once they were listed. Under the lock. */
  private final Map<ResourceType, Set<String>> present = new HashMap<>();

  private final AtomicBoolean waiting = new AtomicBoolean();
  private volatile boolean closed;

  /** A specification, and whether the objects are as it says. */
  private record Wish(long generation, WorkloadSpec spec, boolean done) {
    /** The newer one of two; one that is made true already is not made again. */
    Wish or(Wish next) {
      boolean same = generation == next.generation && done && spec.equals(next.spec);
      return generation > next.generation || same ? this : next;
    }
  }

  /** An object of a service, in the order in which they are made. */
  private enum Part {
    NAME("its name is not known in the cluster: "),
    PORTS("its ports are not open at the addresses of the cluster: "),
    DEPLOYMENT("the cluster does not scale it: "),
    AUTOSCALER("the cluster does not scale it: ");

    private final String fault;

    Part(String fault) {
      this.fault = fault;
    }

    ResourceType type() {
      return switch (this) {
        case NAME, PORTS -> ResourceType.SERVICE;
        case DEPLOYMENT -> ResourceType.DEPLOYMENT;
        case AUTOSCALER -> ResourceType.AUTOSCALER;
      };
    }

    String name(WorkloadRef workload) {
      return this == PORTS ? ServiceBody.name(workload) : ServiceObjectBody.name(workload);
    }

    boolean isWanted(WorkloadSpec spec) {
      return switch (this) {
        case NAME -> !spec.ports().isEmpty();
        case PORTS -> ServiceBody.isWanted(spec);
        case DEPLOYMENT, AUTOSCALER -> spec.scaling() != null;
      };
    }
  }

  /**
   * @param changed told of a workload whose fault has changed, from any thread
   */
  ServiceObjects(PodMachine machine, Background background, Consumer<WorkloadRef> changed) {
    this.namespace = machine.namespace();
    this.names = machine.names();
    this.body = new ServiceObjectBody(names);
    this.external = new ServiceBody(names);
    this.clock = machine.clock();
    this.background = background;
    this.changed = changed;
  }

  /** Why the objects of a workload are not as they are wanted; null when they are. */
  @Nullable String fault(WorkloadRef workload) {
    String fault = faults.get(workload);
    return fault == null ? undecided.get(workload) : fault;
  }

  /** Makes the objects what a generation says; an older one changes nothing. */
  void want(WorkloadRef workload, long generation, WorkloadSpec spec) {
    if (workload.kind() == WorkloadKind.SERVICE) {
      wishes.merge(workload, new Wish(generation, spec, false), Wish::or);
      later(this::reconcile);
    }
  }

  /** Deletes the objects of a workload; completes when they are gone. */
  Future<Void> remove(WorkloadRef workload) {
    if (workload.kind() != WorkloadKind.SERVICE) {
      return Future.succeededFuture();
    }
    wishes.remove(workload);
    faults.remove(workload);
    undecided.remove(workload);
    return background.run(() -> {
      locked(() -> {
        for (Part part : Part.values()) {
          if (!wishes.containsKey(workload)) {
            unmake(part, workload);
          }
        }
      });
      return null;
    });
  }

  /** Takes over after a start of the server: the objects of services that are not wanted go. */
  void adopt(List<Wanted> all) {
    all.forEach(each -> want(each.workload(), each.generation(), each.spec()));
    sweep();
  }

  private void sweep() {
    later(() -> {
      try {
        locked(this::deleteStrays);
      } catch (IOException e) {
        LOG.debug("could not delete objects that are of no service: {}", e.getMessage());
        clock.after(AGAIN, this::sweep);
      }
    });
  }

  private void deleteStrays() throws IOException {
    present.clear();
    for (ResourceType type : TYPES) {
      Set<String> strays = new HashSet<>(present(type));
      wishes.forEach((workload, wish) -> {
        for (Part part : Part.values()) {
          if (part.type().equals(type) && part.isWanted(wish.spec())) {
            strays.remove(part.name(workload));
          }
        }
      });
      for (String name : strays) {
        LOG.info("deleting {} {}, which is of no service", type.kind(), name);
        delete(type, name);
      }
    }
  }

  private void later(Runnable work) {
    try {
      background.execute(work);
    } catch (RejectedExecutionException end) {
      LOG.trace("dropping a look at objects of services: the runtime is closed");
    }
  }

  private void reconcile() {
    boolean again = false;
    for (Map.Entry<WorkloadRef, Wish> each : new HashMap<>(wishes).entrySet()) {
      if (!each.getValue().done() && !closed) {
        again |= !isReconciled(each.getKey());
      }
    }
    // One timer, however many generations ask meanwhile: each look is at all of them.
    if (again && waiting.compareAndSet(false, true)) {
      clock.after(
          AGAIN,
          () -> {
            waiting.set(false);
            later(this::reconcile);
          });
    }
  }

  private boolean isReconciled(WorkloadRef workload) {
    working.lock();
    try {
      Wish wish = wishes.get(workload);
      if (wish == null || wish.done()) {
        return true;
      }
      String fault = null;
      boolean made = true;
      for (Part part : Part.values()) {
        try {
          make(part, workload, wish.spec());
        } catch (IOException e) {
          made = false;
          String said = part.fault + Objects.requireNonNullElse(e.getMessage(), e.toString());
          if (part == Part.NAME && e instanceof ClusterException refused && refused.isForbidden()) {
            // Its pods are reached without: a role of an earlier release does not have this right.
            LOG.debug("could not apply the Service of {}: {}", workload, said);
          } else {
            fault = fault == null ? said : fault;
          }
          if (e instanceof ClusterException silent && silent.isSilence()) {
            break;
          }
        }
      }
      if (made) {
        wishes.replace(workload, wish, new Wish(wish.generation(), wish.spec(), true));
      }
      if (!closed && wishes.containsKey(workload)) {
        note(faults, workload, fault);
      }
      return made;
    } finally {
      working.unlock();
    }
  }

  /** One that is to be there is applied, one that is not is deleted; that of another stays. */
  private void make(Part part, WorkloadRef workload, WorkloadSpec spec) throws IOException {
    if (!part.isWanted(spec)) {
      unmake(part, workload);
      return;
    }
    String name = part.name(workload);
    JsonNode there = namespace.find(part.type(), name);
    if (there != null && !isOurs(there, workload)) {
      throw new IOException(
          "there is a %s %s in its namespace that is of something else: rename the service, or delete it there"
              .formatted(part.type().kind(), name));
    }
    ObjectNode object = object(part, workload, spec);
    if (there != null && part == Part.DEPLOYMENT && !selects(there, object)) {
      // An earlier release has cut a long label, and a selector cannot be changed.
      namespace.delete(part.type(), name);
    }
    namespace.apply(part.type(), object);
    Set<String> known = present.get(part.type());
    if (known != null) {
      known.add(name);
    }
  }

  private static boolean selects(JsonNode deployment, JsonNode wanted) {
    String selector = "/spec/selector/matchLabels";
    return deployment.at(selector).equals(wanted.at(selector));
  }

  private ObjectNode object(Part part, WorkloadRef workload, WorkloadSpec spec) {
    return switch (part) {
      case NAME -> body.service(workload, spec);
      case PORTS -> external.service(workload, spec);
      case DEPLOYMENT -> body.deployment(workload, spec);
      case AUTOSCALER -> {
        UseScaling scaling = Objects.requireNonNull(spec.scaling());
        yield body.autoscaler(workload, spec, scaling);
      }
    };
  }

  private void unmake(Part part, WorkloadRef workload) throws IOException {
    String name = part.name(workload);
    if (present(part.type()).contains(name)) {
      JsonNode there = namespace.find(part.type(), name);
      if (there == null || isOurs(there, workload)) {
        delete(part.type(), name);
      }
    }
  }

  private void delete(ResourceType type, String name) throws IOException {
    namespace.delete(type, name);
    Set<String> known = present.get(type);
    if (known != null) {
      known.remove(name);
    }
  }

  private Set<String> present(ResourceType type) throws IOException {
    Set<String> known = present.get(type);
    if (known == null) {
      known = new HashSet<>();
      try {
        for (JsonNode object : namespace.list(type)) {
          if (names.isOfService(object.path("metadata"))) {
            known.add(object.at("/metadata/name").asText());
          }
        }
      } catch (ClusterException e) {
        if (e.isSilence()) {
          throw e;
        }
        // Who may not list them has made none.
        return Set.of();
      }
      present.put(type, known);
    }
    return known;
  }

  private boolean isOurs(JsonNode object, WorkloadRef workload) {
    return names.isOf(workload, object.path("metadata"));
  }

  /**
   * The number of replicas that the autoscaler of a workload wants.
   *
   * @return empty where there is none, or none that decides
   */
  OptionalInt autoscaled(WorkloadRef workload) throws IOException {
    Wish wish = wishes.get(workload);
    if (wish == null || wish.spec().scaling() == null) {
      note(undecided, workload, null);
      return OptionalInt.empty();
    }
    String name = Part.AUTOSCALER.name(workload);
    JsonNode autoscaler = namespace.find(ResourceType.AUTOSCALER, name);
    if (autoscaler == null || !isOurs(autoscaler, workload)) {
      return OptionalInt.empty();
    }
    AutoscalerState state = new AutoscalerState(autoscaler);
    String fault = state.fault(clock.now());
    note(undecided, workload, fault == null ? null : Part.AUTOSCALER.fault + fault);
    if (!state.decides()) {
      return OptionalInt.empty();
    }
    JsonNode deployment = namespace.find(ResourceType.DEPLOYMENT, name);
    return deployment == null || !isOurs(deployment, workload)
        ? OptionalInt.empty()
        : OptionalInt.of(deployment.at("/spec/replicas").asInt(1));
  }

  private void note(Map<WorkloadRef, String> notes, WorkloadRef workload, @Nullable String fault) {
    String before = fault == null ? notes.remove(workload) : notes.put(workload, fault);
    if (!Objects.equals(fault, before)) {
      if (fault != null) {
        LOG.warn("could not apply the objects of {}: {}", workload, fault);
      }
      changed.accept(workload);
    }
  }

  /** A task that asks the API server. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private void locked(Work work) throws IOException {
    working.lock();
    try {
      work.run();
    } finally {
      working.unlock();
    }
  }

  void close() {
    closed = true;
  }
}
