package io.orrery.orchestrator.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units that an owner holds, and draws on without a request. It asks for more when more are
 * needed, and gives back what was not used for half a second; so an owner that starts one thing
 * after the other writes nothing. While others have a better claim, it gives back what becomes free
 * at once. Used on one context.
 */
public final class UnitCredit {
  private static final Logger LOG = LoggerFactory.getLogger(UnitCredit.class);
  private static final Duration LINGER = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final String listener;
  private final Hold unit;
  private final Use use;
  private final Consumer<@Nullable String> changed;
  private final List<Bus.Subscription> addresses = new ArrayList<>();
  private int units;
  private int asked;
  private boolean waiting;
  private boolean asking;
  private boolean stopped;

  /** Whether it was closed and nothing of it is in use. */
  private boolean returns;

  private boolean givesWay;

  /** Whether this process has no ledger: then there are no quotas. */
  private boolean unlimited;

  private Clock.@Nullable Timer linger;

  /**
   * The use of units.
   *
   * @param needed how many are in use or wanted now
   * @param inUse how many are in use now; null for who does not give way
   * @param end told how many are to end that may be started again; null when none may
   * @param priority 0 to 100
   */
  public record Use(
      IntSupplier needed, @Nullable IntSupplier inUse, @Nullable IntConsumer end, int priority) {
    /** A use that does not give way. */
    public static Use steady(IntSupplier needed) {
      return new Use(needed, null, null, QuotaVerticle.Ask.NORMAL);
    }
  }

  /**
   * @param unit what is charged; its number is not used
   * @param changed told after each answer, with the reason when there are fewer than needed
   */
  public UnitCredit(Bus bus, Clock clock, Hold unit, Use use, Consumer<@Nullable String> changed) {
    this.bus = bus;
    this.clock = clock;
    this.listener = unit.object() + "-" + unit.epoch();
    this.unit = unit;
    this.use = use;
    this.changed = changed;
  }

  /** Completes when grants reach it. */
  public Future<?> open() {
    List<Future<?>> served = new ArrayList<>();
    served.add(
        bus.serve(
                QuotaVerticle.GRANTED.of(listener),
                granted -> {
                  take(granted.held());
                  return Future.succeededFuture(new QuotaVerticle.Noted());
                })
            .onSuccess(this::listens));
    if (use.inUse() != null) {
      served.add(
          bus.serve(
                  QuotaVerticle.GIVE_WAY.of(listener),
                  word -> {
                    givesWay = word.now();
                    settle();
                    IntConsumer end = use.end();
                    if (word.end() > 0 && end != null && !stopped) {
                      end.accept(word.end());
                    }
                    return Future.succeededFuture(new QuotaVerticle.Noted());
                  })
              .onSuccess(this::listens));
    }
    return Future.all(served);
  }

  private void listens(Bus.Subscription address) {
    if (stopped) {
      address.cancel();
    } else {
      addresses.add(address);
    }
  }

  private int needed() {
    return use.needed().getAsInt();
  }

  /** How many are in use; what it does not know it takes for used. */
  private int inUse() {
    IntSupplier known = use.inUse();
    return known == null ? units : Math.min(units, known.getAsInt());
  }

  /**
   * Takes over what an earlier owner left, and gives back what is not in use; all of that when it
   * was closed meanwhile.
   */
  public void takeOver() {
    if (stopped) {
      if (returns) {
        giveBack(0);
      }
      return;
    }
    int now = needed();
    units = now;
    ask(now, now);
    units = 0;
  }

  /** How many units may be in use. */
  public int units() {
    return unlimited ? Integer.MAX_VALUE : givesWay ? inUse() : units;
  }

  /** Has it ask or give back, when what is needed has changed. */
  public void settle() {
    if (asking || stopped || unlimited) {
      return;
    }
    int now = needed();
    if (givesWay && inUse() < units) {
      stopLingering();
      ask(inUse(), Math.max(now, inUse()));
    } else if (now > units) {
      stopLingering();
      if (!waiting || now != asked) {
        ask(now, now);
      }
    } else if (waiting) {
      ask(now, now);
    } else if (now < units) {
      if (linger == null) {
        linger = clock.after(LINGER, this::giveBack);
      }
    } else {
      stopLingering();
    }
  }

  private void giveBack() {
    linger = null;
    if (!asking && !stopped && needed() < units) {
      ask(needed(), needed());
    }
  }

  private void stopLingering() {
    if (linger != null) {
      linger.cancel();
      linger = null;
    }
  }

  /**
   * Asks.
   *
   * @param hold how many to hold now
   * @param wanted how many to wait for
   */
  private void ask(int hold, int wanted) {
    asking = true;
    asked = wanted;
    int before = units;
    if (hold < units) {
      // What is given back is not drawn on while that is under way.
      units = hold;
    }
    bus.request(QuotaVerticle.ASK, question(hold, before, wanted))
        .onComplete((held, failure) -> {
          asking = false;
          if (failure == null) {
            take(held);
          } else if (Bus.isUnserved(failure)) {
            unlimited = true;
            changed.accept(null);
          } else if (!stopped) {
            String why = Problem.of(failure).detail();
            LOG.warn("could not ask for the quota of {}: {}", unit.object(), why);
            changed.accept("its quota cannot be asked for: " + why);
            asking = true;
            clock.after(AGAIN, this::askAgain);
          }
        });
  }

  private QuotaVerticle.Ask question(int hold, int held, int wanted) {
    return new QuotaVerticle.Ask(
        listener,
        unit.with(hold),
        held,
        wanted,
        use.priority(),
        use.inUse() != null,
        use.end() != null);
  }

  private void askAgain() {
    asking = false;
    if (!stopped) {
      ask(needed(), needed());
    }
  }

  private void take(HoldAnswer held) {
    if (held.units() > units) {
      givesWay = false; // It was its turn.
    }
    units = held.units();
    waiting = held.units() < asked;
    if (!stopped) {
      changed.accept(waiting ? held.reason() : null);
      settle();
    }
  }

  /**
   * Stops; what is in use stays charged, for the next owner.
   *
   * @param held whether this owner still has the object, and gives back the rest
   * @param inUse how many units are in use
   */
  public void close(boolean held, int inUse) {
    stopped = true;
    returns = held && inUse == 0;
    stopLingering();
    addresses.forEach(Bus.Subscription::cancel);
    if (held && !unlimited && (units > inUse || asking || waiting)) {
      giveBack(inUse);
    }
  }

  private void giveBack(int inUse) {
    bus.request(QuotaVerticle.ASK, question(inUse, inUse, inUse))
        .onFailure(failure -> {
          if (!Bus.isUnserved(failure)) {
            LOG.warn(
                "could not give back the quota of {}: {}",
                unit.object(),
                Problem.of(failure).detail());
          }
        });
  }
}
