package io.orrery.orchestrator.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units that an owner holds, and draws on without a request. It asks for more when more are
 * needed, and gives back what was not used for half a second; so an owner that starts one thing
 * after the other writes nothing. Used on one context.
 */
public final class UnitCredit {
  private static final Logger LOG = LoggerFactory.getLogger(UnitCredit.class);
  private static final Duration LINGER = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final String listener;
  private final Hold unit;
  private final IntSupplier needed;
  private final Consumer<@Nullable String> changed;
  private Bus.@Nullable Subscription address;
  private int units;
  private int asked;
  private boolean waiting;
  private boolean asking;
  private boolean stopped;

  /** Whether this process has no ledger: then there are no quotas. */
  private boolean unlimited;

  private Clock.@Nullable Timer linger;

  /**
   * @param unit what is charged; its number is not used
   * @param needed how many units are in use or wanted now
   * @param changed told after each answer, with the reason when there are fewer than needed
   */
  public UnitCredit(
      Bus bus, Clock clock, Hold unit, IntSupplier needed, Consumer<@Nullable String> changed) {
    this.bus = bus;
    this.clock = clock;
    this.listener = unit.object() + "-" + unit.epoch();
    this.unit = unit;
    this.needed = needed;
    this.changed = changed;
  }

  /** Completes when grants reach it. */
  public Future<?> open() {
    return bus.serve(
            QuotaVerticle.GRANTED.of(listener),
            granted -> {
              take(granted.held());
              return Future.succeededFuture(new QuotaVerticle.Noted());
            })
        .onSuccess(served -> address = served);
  }

  /** Takes over what an earlier owner left, and gives back what is not in use. */
  public void takeOver() {
    ask(needed.getAsInt());
  }

  /** How many units may be in use. */
  public int units() {
    return unlimited ? Integer.MAX_VALUE : units;
  }

  /** Has it ask or give back, when what is needed has changed. */
  public void settle() {
    if (asking || stopped || unlimited) {
      return;
    }
    int now = needed.getAsInt();
    if (now > units) {
      stopLingering();
      if (!waiting || now != asked) {
        ask(now);
      }
    } else if (waiting) {
      ask(now);
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
    if (!asking && !stopped && needed.getAsInt() < units) {
      ask(needed.getAsInt());
    }
  }

  private void stopLingering() {
    if (linger != null) {
      linger.cancel();
      linger = null;
    }
  }

  private void ask(int wanted) {
    asking = true;
    asked = wanted;
    if (wanted < units) {
      // What is given back is not drawn on while that is under way.
      units = wanted;
    }
    bus.request(QuotaVerticle.ASK, new QuotaVerticle.Ask(listener, unit.with(wanted)))
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

  private void askAgain() {
    asking = false;
    if (!stopped) {
      ask(needed.getAsInt());
    }
  }

  private void take(HoldAnswer held) {
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
    stopLingering();
    if (address != null) {
      address.cancel();
    }
    if (held && !unlimited && (units > inUse || asking || waiting)) {
      bus.request(QuotaVerticle.ASK, new QuotaVerticle.Ask(listener, unit.with(inUse)))
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
}
