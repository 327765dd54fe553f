package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Workloads.Event;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.orchestrator.workload.WorkloadTable.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a workload in memory. Used on the context of its owner alone. */
final class OwnedWorkload {
  private Want want;
  private boolean removed;
  private WorkloadPlan plan;
  private Observation seen;
  private Instant since;
  private long lastEvent;
  private @Nullable String routeFault;
  private @Nullable String placeFault;
  private @Nullable String quota;
  private @Nullable Awaited awaited;
  private @Nullable Published published;
  private @Nullable String inForce;
  private WorkloadRoute route;
  private boolean routeDue = true;
  private final Map<ReplicaRef, String> phases = new HashMap<>();
  private final Map<ReplicaRef, Retiring> retiring = new HashMap<>();
  private final Set<String> earlierModels = new HashSet<>();

  /**
   * A replica that is to end.
   *
   * @param since when that was decided
   * @param without the revision of the first route layer without it; null before it is published
   */
  record Retiring(Replica replica, Instant since, @Nullable Long without, boolean drained) {
    Retiring without(long revision) {
      return without == null ? new Retiring(replica, since, revision, drained) : this;
    }

    Retiring asDrained() {
      return new Retiring(replica, since, without, true);
    }
  }

  /**
   * The way to it in a stored layer.
   *
   * @param way as {@link #way()} was
   * @param revision of the first such layer
   */
  private record Published(String way, long revision) {}

  /** A reason why files are not there yet, and whether that is a failure. */
  private record Awaited(String reason, boolean failed) {}

  OwnedWorkload(Want want, boolean removed, long lastEvent, Instant now) {
    this(new Stored(want, removed, Set.of()), lastEvent, now);
  }

  /** A workload as it was stored. */
  OwnedWorkload(Stored stored, long lastEvent, Instant now) {
    this.want = stored.want();
    this.removed = stored.removed();
    this.earlierModels.addAll(stored.earlierModels());
    this.lastEvent = lastEvent;
    this.since = now;
    this.route = new WorkloadRoute(want);
    this.seen = new Observation(want.workload(), List.of());
    this.plan = WorkloadPlan.of(want.generation(), want.upgrade(), wanted(), seen);
  }

  Want want() {
    return want;
  }

  boolean isRemoved() {
    return removed;
  }

  void change(Want wanted) {
    earlierModels.addAll(models());
    want = wanted;
    route = new WorkloadRoute(wanted);
    routeDue = true;
    removed = false;
    routeFault = null;
    placeFault = null;
  }

  /**
   * The digests of the models that its replicas read, those of earlier generations as well while
   * any of these is there: it may be started again, for as long as the new one is not ready.
   */
  Set<String> models() {
    Set<String> models = new HashSet<>(earlierModels);
    ModelFiles model = want.spec().model();
    if (model != null) {
      models.add(model.digest());
    }
    return models;
  }

  void markRemoved() {
    routeDue |= !removed;
    removed = true;
  }

  /** The number of replicas that is wanted: none when it is removed. */
  int wanted() {
    return removed ? 0 : want.replicas();
  }

  /** Whether all that is wanted is ready, and nothing of an earlier generation is there. */
  private boolean isSettled() {
    return otherGenerations().isEmpty()
        && (plan.status() == WorkloadStatus.READY || plan.status() == WorkloadStatus.STOPPED);
  }

  /** The number of replicas that are there, in any state. */
  int present() {
    return seen.replicas().size();
  }

  /**
   * The generation of each replica of an earlier one that is kept while another takes over by
   * shares.
   */
  List<Long> earlier() {
    Upgrade upgrade = want.upgrade();
    return removed || upgrade == null || upgrade.percent() == null ? List.of() : otherGenerations();
  }

  /** The generation of each replica of another one than is wanted. */
  List<Long> otherGenerations() {
    return seen.replicas().stream()
        .map(replica -> replica.ref().generation())
        .filter(generation -> generation != want.generation())
        .toList();
  }

  /** Notes why fewer replicas run than are wanted; null when none is missing. */
  void limit(@Nullable String reason) {
    quota = reason;
  }

  /** Whether something is under way, so that it is to be looked at again without a hint. */
  boolean isMoving() {
    WorkloadStatus status = plan.status();
    return removed
        || !retiring.isEmpty()
        || (status != WorkloadStatus.READY && status != WorkloadStatus.STOPPED);
  }

  /** Whether it has no replica because none is wanted, until a request waits for one. */
  boolean isResting() {
    return !removed && want.replicas() == 0;
  }

  boolean isGone() {
    return seen.replicas().isEmpty();
  }

  /**
   * Takes what the runtime sees, and decides.
   *
   * @return the changes since the last look
   */
  List<Event> look(Observation now, Instant at) {
    WorkloadPlan next = WorkloadPlan.of(want.generation(), want.upgrade(), wanted(), now);
    List<Event> events = new ArrayList<>();
    Set<ReplicaRef> there = new HashSet<>();
    for (Replica replica : now.replicas()) {
      there.add(replica.ref());
      String phase = replica.phase() + " " + replica.restarts() + " " + replica.reason();
      if (!phase.equals(phases.put(replica.ref(), phase))) {
        events.add(event(at, replica.ref(), replica.phase().name(), replica.reason()));
      }
    }
    List<ReplicaRef> left =
        phases.keySet().stream().filter(ref -> !there.contains(ref)).sorted().toList();
    left.forEach(ref -> events.add(event(at, ref, "GONE", null)));
    phases.keySet().removeAll(left);
    if (next.status() != plan.status()) {
      since = at;
      events.add(event(at, null, next.status().name(), next.reason()));
    }
    routeDue |= !now.equals(seen);
    seen = now;
    plan = next;
    if (isSettled()) {
      earlierModels.clear();
    }
    retire(there, at);
    return events;
  }

  /**
   * Says whether the route layer is to be written for it: whether its part may have changed since
   * this was asked last, or a replica waits for a layer without it.
   */
  boolean takeRouteDue() {
    boolean due = routeDue || retiring.values().stream().anyMatch(each -> each.without() == null);
    routeDue = false;
    return due;
  }

  /** One that was to end and is wanted again stays, unless it is asked to end already. */
  private void retire(Set<ReplicaRef> there, Instant at) {
    Set<ReplicaRef> surplus = new HashSet<>();
    for (Replica replica : plan.retiring()) {
      surplus.add(replica.ref());
      retiring.computeIfAbsent(replica.ref(), added -> new Retiring(replica, at, null, false));
    }
    retiring
        .entrySet()
        .removeIf(entry ->
            !there.contains(entry.getKey())
                || (!entry.getValue().drained() && !surplus.contains(entry.getKey())));
  }

  /** An event that is no change of a state. */
  Event note(Instant at, ReplicaRef replica, String what, String reason) {
    return event(at, replica, what, reason);
  }

  private Event event(
      Instant at, @Nullable ReplicaRef replica, String state, @Nullable String reason) {
    lastEvent++;
    return new Event(lastEvent, at, replica, state, reason);
  }

  /** The replicas that are to end and are not asked to yet. */
  List<Retiring> toDrain() {
    return retiring.values().stream().filter(each -> !each.drained()).toList();
  }

  /**
   * Notes that a layer has been stored.
   *
   * @param absent the replicas that are not in it
   * @param way to this workload in it; null when it is not in it
   */
  void published(Set<ReplicaRef> absent, long revision, @Nullable String way) {
    retiring.replaceAll((ref, each) -> absent.contains(ref) ? each.without(revision) : each);
    if (way == null) {
      published = null;
    } else if (published == null || !published.way().equals(way)) {
      published = new Published(way, revision);
    }
  }

  /**
   * The name in the route table, from which its token is derived, and the addresses behind it; null
   * when it is not to be there. Who may enter is no part of it.
   */
  @Nullable String way() {
    return isRouteWanted() ? route.way(plan.serving()) : null;
  }

  /**
   * Whether it is to be found out if the routers have the present way to it: it has been stored,
   * and its status waits for that.
   */
  boolean isRouteAwaited() {
    return want.workload().kind() == WorkloadKind.NOTEBOOK
        && published != null
        && !plan.serving().isEmpty()
        && published.way().equals(way())
        && !published.way().equals(inForce);
  }

  /**
   * Notes the layer that every router has in force.
   *
   * @return whether its present way is in it, and was not known to be
   */
  boolean reached(long revision) {
    Published present = published;
    if (present == null || !isRouteAwaited() || revision < present.revision()) {
      return false;
    }
    inForce = present.way();
    return true;
  }

  private boolean isRouted() {
    if (want.workload().kind() != WorkloadKind.NOTEBOOK) {
      // Of others it is not asked, and to read a route takes its time in lists.
      return true;
    }
    String way = way();
    return way == null || way.equals(inForce);
  }

  void drained(ReplicaRef replica) {
    retiring.computeIfPresent(replica, (ref, each) -> each.asDrained());
  }

  /** Notes why its route cannot be in the table. */
  void refuseRoute(String fault) {
    routeFault = fault;
  }

  /** Notes why it has no runtime. */
  void misplace(String fault) {
    placeFault = fault;
  }

  /**
   * Notes that its files are not there yet, so that it is not started.
   *
   * @param reason null when they are
   * @param failed whether they could not be fetched
   */
  void await(@Nullable String reason, boolean failed) {
    awaited = reason == null ? null : new Awaited(reason, failed);
  }

  /** Has a route that was refused tried again. */
  void tryRouteAgain() {
    routeFault = null;
  }

  /**
   * The services for the route table: the one for requests, then one for each port that is reached
   * by an address and a number, and that of a generation which gets a share; empty when none is to
   * be there.
   */
  List<ObjectNode> routes() {
    return isRouteWanted() ? route.services(plan) : List.of();
  }

  private boolean isRouteWanted() {
    return !removed && routeFault == null;
  }

  /** The addresses of the ports that routers have; empty when it has none. */
  List<String> endpoints(Replica replica) {
    return route.endpoints(replica);
  }

  /** The replicas that are to end and that no request goes to by the present plan. */
  Set<ReplicaRef> absent() {
    Set<ReplicaRef> absent = new HashSet<>(retiring.keySet());
    plan.serving().forEach(replica -> absent.remove(replica.ref()));
    return absent;
  }

  Workload view() {
    if (placeFault != null) {
      return view(WorkloadStatus.FAILED, placeFault);
    }
    if (awaited != null && wanted() > 0 && plan.status() != WorkloadStatus.READY) {
      WorkloadStatus failure =
          plan.serving().isEmpty() ? WorkloadStatus.FAILED : WorkloadStatus.DEGRADED;
      return view(awaited.failed() ? failure : WorkloadStatus.STARTING, awaited.reason());
    }
    if (quota != null && plan.status() != WorkloadStatus.READY) {
      return view(plan.status(), quota);
    }
    String fault = routeFault == null && wanted() > 0 ? seen.fault() : routeFault;
    boolean unreachable = fault != null && plan.status() == WorkloadStatus.READY;
    return view(
        unreachable ? WorkloadStatus.DEGRADED : plan.status(),
        routeFault == null && !unreachable ? plan.reason() : fault);
  }

  private Workload view(WorkloadStatus status, @Nullable String reason) {
    return new Workload(
        want.workload(),
        want.project(),
        want.owner(),
        want.runtime(),
        want.generation(),
        wanted(),
        status,
        reason,
        seen.replicas(),
        since,
        isRouted(),
        0,
        want.upgrade());
  }
}
