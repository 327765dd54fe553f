package io.orrery.orchestrator.workload;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.WorkloadCharge;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Upgrade;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
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

  /** The units of each part of the workloads under the owner before. */
  private final Map<WorkloadRef, Map<String, Integer>> before = new HashMap<>();

  private boolean unlimited;
  private boolean closed;

  /**
   * The credits of a workload.
   *
   * @param whole what it is charged however many replicas it has; null when that is nothing
   * @param reason why it has not the whole
   */
  private record Charged(@Nullable UnitCredit whole, ReplicaCredits replicas, String[] reason) {}

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
          asked.forEach(each -> each.result().items().forEach(this::note));
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

  private static @Nullable Amounts whole(WorkloadKind kind) {
    Amounts once = WorkloadCharge.once(kind);
    return once.isNone() ? null : once;
  }

  private static QuotaObject object(WorkloadRef ref, String part) {
    return new QuotaObject(ref.kind().word(), ref.name(), part);
  }

  private void note(Quotas.HeldUnits held) {
    QuotaObject object = held.object();
    before
        .computeIfAbsent(
            new WorkloadRef(WorkloadKind.of(object.kind()), object.name()), ref -> new HashMap<>())
        .put(object.part(), held.units());
  }

  /** How many replicas were allowed when this owner began. */
  int allowedBefore(Want want) {
    Amounts whole = whole(want.workload().kind());
    Amounts size = ReplicaCredits.size(want);
    int most = want.replicas();
    if (unlimited) {
      return most;
    }
    Map<String, Integer> held = before.getOrDefault(want.workload(), Map.of());
    if (whole != null && held.getOrDefault("", 0) == 0) {
      most = 0;
    }
    return size.isNone() ? most : Math.min(most, held.getOrDefault(ReplicaCredits.part(size), 0));
  }

  /** How many of the replicas that are wanted may run now. */
  int allowed(OwnedWorkload workload) {
    Charged charged = all.get(workload.want().workload());
    if (charged == null) {
      return 0;
    }
    return charged.whole() != null && charged.whole().units() == 0
        ? 0
        : charged.replicas().allowed(workload);
  }

  /** The reason why fewer replicas run than are wanted; null when there is none. */
  @Nullable String reason(OwnedWorkload workload) {
    Charged charged = all.get(workload.want().workload());
    if (charged == null || allowed(workload) >= workload.wanted()) {
      return null;
    }
    String own = charged.replicas().reason();
    return own == null ? charged.reason()[0] : own;
  }

  /** Charges a workload as it is wanted now. */
  void settle(OwnedWorkload workload) {
    if (closed) {
      return;
    }
    Want want = workload.want();
    Charged charged = all.get(want.workload());
    if (charged == null) {
      charged = charged(want);
      all.put(want.workload(), charged);
      if (charged.whole() != null) {
        open(charged.whole());
      }
      Map<String, Integer> held = before.remove(want.workload());
      if (held != null) {
        charged.replicas().takeOver(held, isDivided(want));
      }
    } else if (charged.whole() != null) {
      charged.whole().settle();
    }
    charged.replicas().settle(want);
  }

  /** Whether an earlier generation is kept while this one takes over by shares. */
  private static boolean isDivided(Want want) {
    Upgrade upgrade = want.upgrade();
    return upgrade != null && upgrade.percent() != null;
  }

  private Charged charged(Want want) {
    WorkloadRef ref = want.workload();
    String[] reason = new String[1];
    Amounts once = whole(ref.kind());
    UnitCredit whole =
        once == null
            ? null
            : credit(
                want,
                "",
                once,
                () -> used(ref),
                why -> {
                  reason[0] = why;
                  changed.accept(ref);
                });
    ReplicaCredits replicas =
        new ReplicaCredits(
            want,
            () -> workloads.apply(ref),
            new ReplicaCredits.Maker() {
              @Override
              public UnitCredit make(
                  String part, Amounts size, IntSupplier needed, Consumer<@Nullable String> told) {
                return credit(want, part, size, needed, told);
              }

              @Override
              public void open(UnitCredit credit) {
                WorkloadQuota.open(credit);
              }
            },
            () -> changed.accept(ref));
    return new Charged(whole, replicas, reason);
  }

  /** A workload counts while it is to have replicas, or has some. */
  private int used(WorkloadRef ref) {
    OwnedWorkload workload = workloads.apply(ref);
    return workload != null && (workload.wanted() > 0 || workload.present() > 0) ? 1 : 0;
  }

  private UnitCredit credit(
      Want want, String part, Amounts unit, IntSupplier needed, Consumer<@Nullable String> told) {
    Hold hold =
        new Hold(object(want.workload(), part), want.project(), want.owner(), epoch, unit, 0);
    return new UnitCredit(bus, clock, hold, UnitCredit.Use.steady(needed), told);
  }

  private static void open(UnitCredit credit) {
    credit
        .open()
        .onSuccess(served -> credit.takeOver())
        .onFailure(failure -> LOG.warn("could not open a credit: {}", failure.getMessage()));
  }

  /** Gives back all that a workload holds: it is gone. */
  void forget(WorkloadRef ref) {
    Charged charged = all.remove(ref);
    if (charged != null) {
      if (charged.whole() != null) {
        charged.whole().close(true, 0);
      }
      charged.replicas().close(true);
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
    closed = true;
    all.values()
        .forEach(each -> {
          if (each.whole() != null) {
            each.whole().close(false, 0);
          }
          each.replicas().close(false);
        });
  }
}
