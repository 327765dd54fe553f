package io.orrery.router.policy;

/**
 * A budget that keeps attempts beside the first one of each request from multiplying an outage:
 * each request pays in a share of one, each such attempt takes one out. Lives on one loop.
 */
public final class AttemptBudget {
  private static final double RETRIES_PER_REQUEST = 0.2;
  private static final double RETRIES_PER_SECOND = 10;
  private static final double MOST_RETRIES = 500;
  private static final double RETRIES_AT_START = 50;

  /** The hedges of one moment, however many requests before it had none. */
  static final double MOST_HEDGES = 10;

  private final double perRequest;
  private final double perSecond;
  private final double most;
  private double balance;
  private long paidAt;

  private AttemptBudget(
      double perRequest, double perSecond, double most, double atStart, long now) {
    this.perRequest = perRequest;
    this.perSecond = perSecond;
    this.most = most;
    this.balance = atStart;
    this.paidAt = now;
  }

  /**
   * The budget of retries: a fifth of the requests. A small allowance a second lets quiet services
   * retry as well.
   */
  public static AttemptBudget ofRetries(long now) {
    return new AttemptBudget(
        RETRIES_PER_REQUEST, RETRIES_PER_SECOND, MOST_RETRIES, RETRIES_AT_START, now);
  }

  /**
   * The budget of hedges: never more than their share of the requests so far.
   *
   * @param share above 0, up to 1
   */
  public static AttemptBudget ofHedges(double share, long now) {
    return new AttemptBudget(share, 0, MOST_HEDGES, 0, now);
  }

  /** A request arrived. */
  public void deposit() {
    balance = Math.min(most, balance + perRequest);
  }

  /** Whether one more attempt is allowed; takes it out. */
  public boolean withdraw(long now) {
    balance = Math.min(most, balance + (now - paidAt) / 1e9 * perSecond);
    paidAt = now;
    if (balance < 1) {
      return false;
    }
    balance--;
    return true;
  }

  /** An attempt that was taken out has not been made. */
  public void giveBack() {
    balance = Math.min(most, balance + 1);
  }
}
