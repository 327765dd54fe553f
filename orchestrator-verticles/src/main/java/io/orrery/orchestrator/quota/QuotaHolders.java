package io.orrery.orchestrator.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.Preemption.Holding;
import io.orrery.orchestrator.quota.QuotaVerticle.Ask;
import io.orrery.orchestrator.quota.QuotaVerticle.GiveWay;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The objects of a process that give units back when they are told. */
final class QuotaHolders {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaHolders.class);

  /** What was told to end trials and has not done so meanwhile may be told again. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Who could not end anything is told again after so long. */
  private static final Duration PASSED_OVER = Duration.ofMinutes(2);

  private final Bus bus;
  private final Clock clock;
  private final boolean preempts;
  private final Map<QuotaObject, Holder> all = new HashMap<>();

  private static final class Holder {
    final Ask ask;
    final int units;
    boolean givesWay;
    int ending;
    Instant told = Instant.EPOCH;

    Holder(Ask ask, int units) {
      this.ask = ask;
      this.units = units;
    }

    int ending(Instant now) {
      return told.plus(PATIENCE).isAfter(now) ? Math.min(ending, units) : 0;
    }

    /**
     * Whether it was told to end something lately, and has not: its trials may be on their last.
     */
    boolean couldNotEnd(Instant now) {
      return ending > 0 && ending(now) == 0 && told.plus(PASSED_OVER).isAfter(now);
    }

    Amounts amounts(int number) {
      return ask.hold().unit().times(number);
    }
  }

  /**
   * @param preempts whether trials are ended for objects of a higher priority
   */
  QuotaHolders(Bus bus, Clock clock, boolean preempts) {
    this.bus = bus;
    this.clock = clock;
    this.preempts = preempts;
  }

  /** How many units the owner that asks holds, as noted here. */
  int units(Ask ask) {
    Holder holder = all.get(ask.hold().object());
    return holder != null && holder.ask.listener().equals(ask.listener()) ? holder.units : 0;
  }

  /**
   * Notes what an object holds; whether it held nothing before.
   *
   * @param turn whether it was just its turn
   */
  boolean note(Ask ask, int units, boolean turn) {
    QuotaObject object = ask.hold().object();
    Holder before = all.remove(object);
    if (units > 0) {
      Holder now = new Holder(ask, units);
      if (before != null) {
        now.givesWay = before.givesWay && !turn;
        now.ending = Math.max(0, before.ending - Math.max(0, before.units - units));
        now.told = before.told;
      }
      all.put(object, now);
    }
    return before == null;
  }

  boolean anyGivesWay() {
    return all.values().stream().anyMatch(holder -> holder.givesWay);
  }

  /**
   * Tells who gives way now, or no more.
   *
   * @param waiting all claims
   * @param own those of this process, for which trials may be ended
   */
  void tell(FairShares fair, List<Claim> waiting, List<Claim> own) {
    Map<QuotaObject, Integer> ends = preempts ? choose(fair, own) : Map.of();
    Map.copyOf(all)
        .forEach((object, holder) -> {
          Hold hold = holder.ask.hold();
          boolean now = fair.givesWay(hold.project(), holder.ask.priority(), hold.unit(), waiting);
          int end = ends.getOrDefault(object, 0);
          if (now != holder.givesWay || end > 0) {
            holder.givesWay = now;
            if (end > 0) {
              holder.ending = holder.ending(clock.now()) + end;
              holder.told = clock.now();
              LOG.info(
                  "{}: {} of what it runs are to end for others of a higher priority", object, end);
              audit(object, holder, end, own);
            }
            say(object, holder, new GiveWay(object, now, end));
          }
        });
  }

  /** Leaves an entry in the audit log; the trials themselves say why they run again. */
  private void audit(QuotaObject object, Holder holder, int end, List<Claim> own) {
    int priority =
        own.stream()
            .filter(claim -> claim.scope() == QuotaScope.SERVER)
            .mapToInt(Claim::priority)
            .max()
            .orElse(holder.ask.priority());
    String detail =
        "%d of its trials end, of priority %d, for what waits for limits of the server with priority %d"
            .formatted(end, holder.ask.priority(), priority);
    Audits.Entry entry =
        new Audits.Entry(
            clock.now(),
            "server",
            "",
            "preempt",
            object.kind(),
            object.name(),
            holder.ask.hold().project(),
            "done",
            detail);
    bus.request(Audits.ADD, new Audits.Add(List.of(entry)))
        .onFailure(failure ->
            LOG.warn(
                "could not write an audit entry of {}: {}", object.name(), failure.getMessage()));
  }

  private Map<QuotaObject, Integer> choose(FairShares fair, List<Claim> own) {
    Instant now = clock.now();
    Amounts ending =
        all.values().stream()
            .map(holder -> holder.amounts(holder.ending(now)))
            .reduce(Amounts.NONE, Amounts::plus);
    List<Holding> holdings =
        all.entrySet().stream()
            .filter(each -> each.getValue().ask.ends() && !each.getValue().couldNotEnd(now))
            .map(each -> holding(each.getKey(), each.getValue(), now))
            .toList();
    return Preemption.choose(fair, own, holdings, ending);
  }

  private static Holding holding(QuotaObject object, Holder holder, Instant now) {
    Hold hold = holder.ask.hold();
    return new Holding(
        object,
        hold.project(),
        holder.ask.priority(),
        hold.unit(),
        holder.units - holder.ending(now));
  }

  private void say(QuotaObject object, Holder holder, GiveWay word) {
    if (!bus.tellHere(QuotaVerticle.GIVE_WAY.of(holder.ask.listener()), word)) {
      all.remove(object, holder);
    }
  }
}
