package io.orrery.router.policy;

/**
 * A budget that keeps retries from multiplying an outage: each request pays in a fifth of one, each
 * retry takes one out. A small allowance a second lets quiet services retry as well. Lives on one
 * loop.
 */
public final class RetryBudget {
  private static final double PER_REQUEST = 0.2;
  private static final double PER_SECOND = 10;
  private static final double MOST = 500;
  private static final double AT_START = 50;

  private double balance = AT_START;
  private long paidAt;

  public RetryBudget(long now) {
    this.paidAt = now;
  }

  /** A request arrived. */
  public void deposit() {
    balance = Math.min(MOST, balance + PER_REQUEST);
  }

  /** Whether one more retry is allowed; takes it out. */
  public boolean withdraw(long now) {
    balance = Math.min(MOST, balance + (now - paidAt) / 1e9 * PER_SECOND);
    paidAt = now;
    if (balance < 1) {
      return false;
    }
    balance--;
    return true;
  }
}
