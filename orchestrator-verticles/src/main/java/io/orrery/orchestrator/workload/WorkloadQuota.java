package io.orrery.orchestrator.workload;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.WorkloadCharge;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.orchestrator.quota.UnitCredit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quota of workloads: how many replicas of each may run. A workload counts once while it is to
 * have replicas, and each replica is charged its resources, until it is gone.
 */
final class WorkloadQuota {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadQuota.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int TRIES = 30;

  private final Bus bus;
  private final Clock clock;
  private final long epoch;
  private final Function<WorkloadRef, @Nullable OwnedWorkload> workloads;
  private final Consumer<WorkloadRef> changed;
  private final Map<WorkloadRef, Charged> all = new HashMap<>();
  private final Map<QuotaObject, Integer> before = new HashMap<>();
  private boolean unlimited;

  /**
   * A workload and what it holds.
   *
   * @param unit the resources of a replica
   * @param each the credits of its replicas; null when they have no resources
   */
  private record Charged(
      Amounts unit, @Nullable UnitCredit whole, @Nullable UnitCredit each, String[] reason) {}

  /**
   * @param workloads those that are owned
   * @param changed told when the number of replicas that may run, or the reason, has changed
   */
  WorkloadQuota(
      Bus bus,
      Clock clock,
      long epoch,
      Function<WorkloadRef, @Nullable OwnedWorkload> workloads,
      Consumer<WorkloadRef> changed) {
    this.bus = bus;
    this.clock = clock;
    this.epoch = epoch;
    this.workloads = workloads;
    this.changed = changed;
  }

  /** Reads what workloads held under the owner before. */
  Future<Void> load() {
    return load(TRIES);
  }

  private Future<Void> load(int tries) {
    List<Future<Quotas.AllHeld>> asked = new ArrayList<>();
    for (WorkloadKind kind : WorkloadKind.values()) {
      asked.add(bus.request(Quotas.HELD, new Quotas.HeldBy(kind.word())));
    }
    return Future.all(asked)
        .map(answers -> {
          asked.forEach(each ->
              each.result().items().forEach(held -> before.put(held.object(), held.units())));
          return (Void) null;
        })
        .recover(failure -> {
          if (Bus.isNowhere(failure)) {
            unlimited = true;
            return Future.succeededFuture();
          }
          if (tries <= 0) {
            return Future.failedFuture(failure);
          }
          LOG.warn("could not read quotas, trying again: {}", Problem.of(failure).detail());
          Promise<Void> later = Promise.promise();
          clock.after(AGAIN, later::complete);
          return later.future().compose(waited -> load(tries - 1));
        });
  }

  private static Amounts unit(Want want) {
    return WorkloadCharge.ofReplica(want.spec());
  }

  private static @Nullable Amounts whole(WorkloadKind kind) {
    Amounts once = WorkloadCharge.once(kind);
    return once.isNone() ? null : once;
  }

  private static QuotaObject object(WorkloadRef ref, String part) {
    return new QuotaObject(ref.kind().word(), ref.name(), part);
  }

  /** The part of the replicas of one size, so that another size is asked for anew. */
  private static String part(Amounts unit) {
    return "replicas-"
        + unit.get(QuotaResource.CPU)
        + "-"
        + unit.get(QuotaResource.MEMORY)
        + "-"
        + unit.get(QuotaResource.GPU);
  }

  /** How many replicas were allowed when this owner began. */
  int allowedBefore(Want want) {
    Amounts whole = whole(want.workload().kind());
    Amounts unit = unit(want);
    int most = want.replicas();
    if (unlimited) {
      return most;
    }
    if (whole != null && before.getOrDefault(object(want.workload(), ""), 0) == 0) {
      most = 0;
    }
    return unit.isNone()
        ? most
        : Math.min(most, before.getOrDefault(object(want.workload(), part(unit)), 0));
  }

  /** How many of the replicas that are wanted may run now. */
  int allowed(OwnedWorkload workload) {
    Charged charged = all.get(workload.want().workload());
    if (charged == null) {
      return 0;
    }
    int most = workload.wanted();
    if (charged.whole() != null && charged.whole().units() == 0) {
      most = 0;
    }
    return charged.each() == null
        ? most
        : Math.min(most, Math.max(0, charged.each().units() - workload.earlier()));
  }

  /** The reason why fewer replicas run than are wanted; null when there is none. */
  @Nullable String reason(OwnedWorkload workload) {
    Charged charged = all.get(workload.want().workload());
    return charged == null || allowed(workload) >= workload.wanted() ? null : charged.reason()[0];
  }

  /** Charges a workload as it is wanted now. */
  void settle(OwnedWorkload workload) {
    WorkloadRef ref = workload.want().workload();
    Amounts unit = unit(workload.want());
    Charged charged = all.get(ref);
    if (charged != null && charged.unit().equals(unit)) {
      settle(charged.whole());
      settle(charged.each());
      return;
    }
    if (charged != null && charged.each() != null) {
      charged.each().close(true, 0);
    }
    Amounts once = whole(ref.kind());
    String[] reason = new String[1];
    Consumer<@Nullable String> told =
        why -> {
          reason[0] = why;
          changed.accept(ref);
        };
    UnitCredit whole =
        charged != null
            ? charged.whole()
            : once == null ? null : credit(workload, "", once, () -> used(ref) > 0 ? 1 : 0, told);
    UnitCredit each =
        unit.isNone() ? null : credit(workload, part(unit), unit, () -> used(ref), told);
    all.put(ref, new Charged(unit, whole, each, reason));
    if (charged == null) {
      open(whole);
    }
    open(each);
  }

  private static void settle(@Nullable UnitCredit credit) {
    if (credit != null) {
      credit.settle();
    }
  }

  private static void open(@Nullable UnitCredit credit) {
    if (credit != null) {
      credit
          .open()
          .onSuccess(served -> credit.takeOver())
          .onFailure(failure -> LOG.warn("could not open a credit: {}", failure.getMessage()));
    }
  }

  private UnitCredit credit(
      OwnedWorkload workload,
      String part,
      Amounts unit,
      IntSupplier needed,
      Consumer<@Nullable String> told) {
    Want want = workload.want();
    Hold hold =
        new Hold(object(want.workload(), part), want.project(), want.owner(), epoch, unit, 0);
    return new UnitCredit(bus, clock, hold, UnitCredit.Use.steady(needed), told);
  }

  /** A replica is charged until it is gone. */
  private int used(WorkloadRef ref) {
    OwnedWorkload workload = workloads.apply(ref);
    if (workload == null) {
      return 0;
    }
    Charged charged = all.get(ref);
    UnitCredit each = charged == null ? null : charged.each();
    int present = workload.present();
    int kept = each == null ? present : Math.min(present, each.units());
    return Math.max(workload.wanted() + workload.earlier(), kept);
  }

  /** Gives back all that a workload holds: it is gone. */
  void forget(WorkloadRef ref) {
    Charged charged = all.remove(ref);
    if (charged != null) {
      if (charged.whole() != null) {
        charged.whole().close(true, 0);
      }
      if (charged.each() != null) {
        charged.each().close(true, 0);
      }
      bus.request(
              Quotas.RELEASE, new Quotas.Release(ref.kind().word(), ref.name(), epoch, List.of()))
          .onFailure(failure -> {
            if (!Bus.isUnserved(failure)) {
              LOG.warn(
                  "could not give back the quota of {}: {}", ref, Problem.of(failure).detail());
            }
          });
    }
  }

  /** Stops; what workloads hold is for the next owner. */
  void close() {
    all.values().stream()
        .flatMap(each -> Stream.of(each.whole(), each.each()))
        .filter(Objects::nonNull)
        .forEach(credit -> credit.close(false, 0));
  }
}
