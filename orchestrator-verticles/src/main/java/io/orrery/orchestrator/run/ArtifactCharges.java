package io.orrery.orchestrator.run;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.async.KeyedTurns;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepOutput;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charges the artifacts of runs to the storage of their projects: one object for all artifacts of a
 * person in a project, in whole MiB, so that a million runs are a few rows of the ledger and most
 * steps ask nothing. The owner of runs counts from the rows when it starts. Used on its context.
 */
final class ArtifactCharges {
  private static final Logger LOG = LoggerFactory.getLogger(ArtifactCharges.class);
  private static final String KIND = "artifacts";
  private static final long UNIT = 1L << 20;

  private final Bus bus;
  private final RunTable table;
  private final long epoch;
  private final Map<Holder, Long> bytes = new HashMap<>();
  private final KeyedTurns<Holder> turns = new KeyedTurns<>();
  private @Nullable Future<Void> counted;

  /** A person whose runs have made artifacts of a project. */
  record Holder(ProjectName project, String user) {
    QuotaObject object() {
      return new QuotaObject(KIND, project + "/" + user);
    }
  }

  ArtifactCharges(Bus bus, RunTable table, long epoch) {
    this.bus = bus;
    this.table = table;
    this.epoch = epoch;
  }

  /** Counts what there is, and charges it; tried again at the next step when it fails. */
  Future<Void> count() {
    Future<Void> under = counted;
    if (under != null && !under.failed()) {
      return under;
    }
    Future<Void> now =
        table
            .artifactBytes()
            .compose(sums -> {
              bytes.clear();
              bytes.putAll(sums);
              return AsyncLoop.inTurn(sums.keySet(), this::charge);
            })
            .compose(charged -> forgetOthers());
    counted = now;
    return now.onFailure(failure ->
        LOG.warn("could not count the artifacts of runs: {}", Problem.of(failure).detail()));
  }

  /** Those who had artifacts when a server ended, and have none any more. */
  private Future<Void> forgetOthers() {
    Set<String> present =
        bytes.keySet().stream().map(each -> each.object().name()).collect(Collectors.toSet());
    return bus.request(Quotas.HELD, new Quotas.HeldBy(KIND))
        .compose(all ->
            AsyncLoop.inTurn(
                all.items().stream()
                    .map(each -> each.object().name())
                    .filter(name -> !present.contains(name))
                    .toList(),
                name ->
                    bus.request(Quotas.RELEASE, new Quotas.Release(KIND, name, epoch, List.of()))))
        .recover(ArtifactCharges::withoutLedger);
  }

  /** A server without a ledger has no quotas. */
  private static <T extends @Nullable Object> Future<T> withoutLedger(Throwable failure) {
    return Bus.isUnserved(failure) ? Future.succeededFuture() : Future.failedFuture(failure);
  }

  /**
   * Charges what a step has made, in the place of what it had made before.
   *
   * @return completes when it is charged; fails with TooLarge when it does not fit
   */
  Future<Void> add(RunSpec run, String step, List<StepOutput> outputs) {
    long made =
        outputs.stream()
            .filter(output -> output.digest() != null)
            .mapToLong(StepOutput::bytes)
            .sum();
    if (made == 0) {
      return Future.succeededFuture();
    }
    Holder holder = new Holder(run.project(), run.runner());
    return count()
        .compose(all ->
            turns.run(
                holder,
                () ->
                    table
                        .artifactBytes(run.id(), step)
                        .compose(before -> grow(holder, made - before, made))));
  }

  private Future<Void> grow(Holder holder, long by, long made) {
    long before = bytes.getOrDefault(holder, 0L);
    bytes.put(holder, before + by);
    if (units(before + by) == units(before)) {
      return Future.succeededFuture();
    }
    return hold(holder)
        .transform((held, failure) -> {
          if (failure == null && held.reason() == null) {
            return Future.succeededFuture();
          }
          bytes.put(holder, before);
          // A part of it may have been granted.
          return hold(holder)
              .compose(back ->
                  failure == null
                      ? refuse(holder, units(before + by) - units(before), made)
                      : Future.failedFuture(failure));
        });
  }

  /** Asks for what is missing alone, for the words of the ledger without what was given back. */
  private Future<Void> refuse(Holder holder, int missing, long made) {
    Hold alone =
        new Hold(
            new QuotaObject(KIND, holder.object().name(), "next"),
            holder.project(),
            holder.user(),
            epoch,
            Amounts.of(QuotaResource.STORAGE, missing * UNIT),
            1);
    return bus.request(Quotas.HOLD, alone)
        .compose(held -> bus.request(Quotas.HOLD, alone.with(0)).map(held.reason()))
        .compose(reason ->
            Future.failedFuture(
                new Problem.TooLarge(
                        "its artifacts (%s) do not fit: %s"
                            .formatted(
                                QuotaResource.STORAGE.words(made),
                                reason == null ? "others were faster" : reason))
                    .toException()));
  }

  /** Gives back what a run had made that is deleted. */
  Future<Void> remove(RunSpec run, long gone) {
    Holder holder = new Holder(run.project(), run.runner());
    if (gone == 0) {
      return Future.succeededFuture();
    }
    return count()
        .compose(all ->
            turns.run(
                holder,
                () -> {
                  long before = bytes.getOrDefault(holder, 0L);
                  long after = Math.max(0, before - gone);
                  bytes.put(holder, after);
                  return units(after) == units(before)
                      ? Future.<Void>succeededFuture()
                      : charge(holder);
                }));
  }

  /** What does not fit, such as after an upgrade, stays, and nothing is added to it. */
  private Future<Void> charge(Holder holder) {
    return hold(holder).mapEmpty();
  }

  private Future<HoldAnswer> hold(Holder holder) {
    int wanted = units(bytes.getOrDefault(holder, 0L));
    return bus.request(
            Quotas.HOLD,
            new Hold(
                holder.object(),
                holder.project(),
                holder.user(),
                epoch,
                Amounts.of(QuotaResource.STORAGE, UNIT),
                wanted))
        .recover(failure ->
            Bus.isUnserved(failure) || Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(HoldAnswer.all(wanted))
                : Future.failedFuture(failure));
  }

  private static int units(long bytes) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, UNIT)));
  }
}
