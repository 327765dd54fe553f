package io.orrery.router.policy;

import io.orrery.router.route.Hedge;
import io.orrery.router.route.Hedge.Delay;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The decisions when requests for one service, which one version answers, are sent to a second
 * endpoint as well. Lives on one loop.
 */
public final class HedgeRule {
  /** The delay of a request when too little is known of the times of answers. */
  public static final long UNKNOWN = -1;

  /** A quantile is looked at again after this time. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Hedge hedge;
  private final Supplier<long[]> times;
  private final AttemptBudget budget;
  private final LatencyWindow window;
  private long known = UNKNOWN;
  private long nextLook;

  /**
   * @param times counters of the answers by the {@link io.orrery.core.route.LatencyBuckets} of how
   *     long they took, since the start
   * @param now nanoseconds
   */
  HedgeRule(Hedge hedge, Supplier<long[]> times, long now) {
    this.hedge = hedge;
    this.times = times;
    this.budget = AttemptBudget.ofHedges(hedge.budget(), now);
    this.window = new LatencyWindow(now);
    this.nextLook = now;
  }

  Hedge hedge() {
    return hedge;
  }

  /** A request arrived, whether or not it can be hedged. */
  void deposit() {
    budget.deposit();
  }

  /** Whether requests with a method may be sent to two endpoints. */
  public boolean takes(String method) {
    return hedge.methods().contains(method);
  }

  /**
   * The time for which the first endpoint is waited for.
   *
   * @param now nanoseconds
   * @return nanoseconds, or {@link #UNKNOWN}
   */
  public long delay(long now) {
    return switch (hedge.after()) {
      case Delay.Fixed(Duration time) -> time.toNanos();
      case Delay.Quantile(double share) -> {
        if (now - nextLook >= 0) {
          nextLook = now + PAUSE.toNanos();
          known = window.quantile(times.get(), share, now);
        }
        yield known;
      }
    };
  }

  /** Whether the budget allows one more hedge; takes it out. */
  public boolean withdraw(long now) {
    return budget.withdraw(now);
  }

  /** A hedge that was taken out was not sent. */
  public void giveBack() {
    budget.giveBack();
  }
}
