package io.orrery.router.proxy;

import io.orrery.router.health.EndpointState;
import io.orrery.router.policy.HedgeRule;
import io.orrery.router.route.Balance;
import io.orrery.router.route.Retries;
import io.orrery.router.telemetry.HedgeMeters;
import io.orrery.router.telemetry.HedgeMeters.Withheld;
import io.vertx.core.http.HttpClientResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The second attempt at a request whose first one has had no answer for a while: a timer, and then
 * an attempt at another endpoint of the same version. The first head of an answer that is no
 * failure of a gateway wins, and the other attempt is cancelled. One that fails while both are
 * under way is left, and the other goes on; from then on the exchange hears of that one alone.
 */
final class Hedging implements AttemptListener {
  private static final long NO_TIMER = -1;

  /** Hears of the attempt that is left. */
  interface Owner extends AttemptListener {
    /** The first attempt is over, and the second one has the answer. */
    void succeededBy(Attempt second);
  }

  private final HttpLoop lane;
  private final HedgeRule rule;
  private final Supplier<Call> present;
  private final Upload upload;
  private final Attempt first;
  private final Owner owner;
  private long timer = NO_TIMER;

  /** Null before it is sent, and when it has failed while the first one went on. */
  private @Nullable Attempt second;

  private boolean sent;

  /** Whether the second attempt is the only one. */
  private boolean alone;

  private Hedging(
      HttpLoop lane,
      HedgeRule rule,
      Supplier<Call> present,
      Upload upload,
      Attempt first,
      Owner owner) {
    this.lane = lane;
    this.rule = rule;
    this.present = present;
    this.upload = upload;
    this.first = first;
    this.owner = owner;
  }

  /**
   * Plans a second attempt, where the request may have one.
   *
   * @param present the call by the table in force
   * @param upload whose body is held
   * @param first under way
   * @return null for none
   */
  static @Nullable Hedging plan(
      HttpLoop lane,
      HedgeRule rule,
      Supplier<Call> present,
      Upload upload,
      Attempt first,
      Owner owner) {
    Call call = present.get();
    if (!rule.takes(call.method().name())) {
      return null;
    }
    long delay = rule.delay(lane.now());
    if (delay == HedgeRule.UNKNOWN) {
      lane.meters().hedges().withheld(call.target().id(), Withheld.SAMPLES);
      return null;
    }
    Hedging planned = new Hedging(lane, rule, present, upload, first, owner);
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(delay));
    planned.timer = lane.vertx().setTimer(millis, fired -> planned.due());
    return planned;
  }

  private void due() {
    timer = NO_TIMER;
    if (!first.waits()) {
      return;
    }
    Call call = present.get();
    String version = call.target().id();
    HedgeMeters meters = lane.meters().hedges();
    Balance balance = call.target().service().balance();
    EndpointState chosen =
        lane.picker()
            .pick(
                call.target().endpoints(),
                balance,
                upload.key(balance, call.facts()),
                first.endpoint());
    if (chosen == null || chosen.equals(first.endpoint())) {
      meters.withheld(version, Withheld.ENDPOINT);
    } else if (rule.withdraw(lane.nanos())) {
      int cost = balance.costOf(call.facts());
      Attempt hedge = new Attempt(lane, call, upload, Attempt.Kind.HEDGE, chosen, cost, this);
      second = hedge;
      hedge.begin();
      if (hedge.equals(second)) {
        sent = true;
        meters.sent(version);
      }
    } else {
      meters.withheld(version, Withheld.BUDGET);
    }
  }

  /** Whether a second endpoint was asked. */
  boolean sent() {
    return sent;
  }

  /**
   * Leaves the first attempt, which has failed, where a second one is under way.
   *
   * @return the second one, which is the only one from now on; null when there is none beside it
   */
  @Nullable Attempt goOnAlone() {
    stopTimer();
    if (alone || second == null) {
      return null;
    }
    alone = true;
    first.drop();
    first.leave();
    return second;
  }

  /**
   * The only attempt that is left has the answer, or the request is over, or is tried anew.
   *
   * @param hedging null when none was planned
   * @param answered whether there is an answer
   */
  static void end(@Nullable Hedging hedging, boolean answered) {
    if (hedging != null) {
      hedging.end(answered);
    }
  }

  private void end(boolean answered) {
    stopTimer();
    Attempt loser = second;
    if (!alone && loser != null) {
      second = null;
      loser.cancel();
      if (answered) {
        countCancelled();
      }
    }
  }

  private void stopTimer() {
    if (timer != NO_TIMER) {
      lane.vertx().cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  private void countCancelled() {
    lane.meters().hedges().cancelled(present.get().target().id());
  }

  /** Whether an answer is that of a gateway which got none, or of an endpoint that is not able. */
  static boolean isGatewayFailure(HttpClientResponse answer) {
    return answer.statusCode() >= 502 && answer.statusCode() <= 504;
  }

  @Override
  public void answered(HttpClientResponse from) {
    Attempt winner = second;
    if (!alone && isGatewayFailure(from)) {
      leaveSecond();
      return;
    }
    if (!alone && winner != null) {
      alone = true;
      first.cancel();
      countCancelled();
      owner.succeededBy(winner);
    }
    if (!isGatewayFailure(from)) {
      lane.meters().hedges().won(present.get().target().id());
    }
    owner.answered(from);
  }

  @Override
  public void unreadable() {
    if (alone) {
      owner.unreadable();
    } else {
      leaveSecond();
    }
  }

  @Override
  public void unconnected() {
    if (alone) {
      owner.unconnected();
    } else {
      leaveSecond();
    }
  }

  @Override
  public void unanswered(Retries.Cause cause) {
    if (alone) {
      owner.unanswered(cause);
    } else {
      leaveSecond();
    }
  }

  @Override
  public void crowdedOut() {
    if (alone) {
      owner.crowdedOut();
      return;
    }
    // It has had no connection: nothing was sent.
    leaveSecond();
    rule.giveBack();
    lane.meters().hedges().withheld(present.get().target().id(), Withheld.CONNECTIONS);
  }

  private void leaveSecond() {
    Attempt failed = second;
    second = null;
    if (failed != null) {
      failed.drop();
      failed.leave();
    }
  }
}
