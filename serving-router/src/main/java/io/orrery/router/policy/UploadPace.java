package io.orrery.router.policy;

import io.orrery.router.route.UploadRate;
import org.jspecify.annotations.Nullable;

/**
 * A check that the body of one request comes at a minimum rate. Only time counts in which the
 * router read from the client: while the endpoint takes no more, or memory is short, the window
 * begins anew. Belongs to one event loop.
 */
public final class UploadPace {
  private final long window;
  private final long least;
  private long since;
  private long before;
  private boolean begun;

  /**
   * @param rate null for any
   */
  public UploadPace(@Nullable UploadRate rate) {
    this.window = rate == null ? Long.MAX_VALUE : rate.window().toNanos();
    this.least = rate == null ? 0 : rate.ofWindow();
  }

  /**
   * Whether too little came in a window that ends now; called often while the body is not whole.
   *
   * @param now nanoseconds
   * @param came bytes of the body since its beginning
   * @param reading whether the router reads from the client
   */
  public boolean isTooSlow(long now, long came, boolean reading) {
    if (begun && reading && now - since < window) {
      return false;
    }
    boolean tooSlow = begun && reading && came - before < least;
    begun = true;
    since = now;
    before = came;
    return tooSlow;
  }
}
