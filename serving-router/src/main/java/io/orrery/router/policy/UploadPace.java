package io.orrery.router.policy;

import io.orrery.router.route.UploadRate;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A check that the body of one request comes at a minimum rate. Only time counts in which the
 * router read from the client: while the endpoint takes no more, or memory is short, the window
 * begins anew. While other requests wait because all connections to the endpoint are in use, two
 * seconds of the same rate are asked for instead of a whole window: half uploads would otherwise
 * keep an endpoint from every other client (E2). Belongs to one event loop.
 */
public final class UploadPace {
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final Window whole;
  private final Window brief;
  private boolean wasSlow;

  /**
   * @param rate null for any
   */
  public UploadPace(@Nullable UploadRate rate) {
    this.whole = new Window(rate);
    this.brief =
        new Window(
            rate == null || rate.window().compareTo(SHORT) <= 0
                ? rate
                : new UploadRate(rate.bytes(), SHORT));
  }

  /**
   * The rate that the body has missed in a window that ends now; null when it is fast enough.
   * Called often while the body is not whole.
   *
   * @param now nanoseconds
   * @param came bytes of the body since its beginning
   * @param reading whether the router reads from the client
   * @param wanted whether others wait for the connection that this body is sent on
   */
  public @Nullable UploadRate missed(long now, long came, boolean reading, BooleanSupplier wanted) {
    if (brief.ends(now, reading)) {
      wasSlow = brief.next(now, came, reading);
    }
    if (whole.ends(now, reading) && whole.next(now, came, reading)) {
      return whole.rate;
    }
    return wasSlow && brief.isBehind(came) && wanted.getAsBoolean() ? brief.rate : null;
  }

  /** The bytes that came since the beginning of a stretch of time. */
  private static final class Window {
    private final @Nullable UploadRate rate;
    private final long length;
    private final long least;
    private long since;
    private long before;
    private boolean begun;

    Window(@Nullable UploadRate rate) {
      this.rate = rate;
      this.length = rate == null ? Long.MAX_VALUE : rate.window().toNanos();
      this.least = rate == null ? 0 : rate.ofWindow();
    }

    boolean ends(long now, boolean reading) {
      return !begun || !reading || now - since >= length;
    }

    /** Whether less has come in it than a whole one needs. */
    boolean isBehind(long came) {
      return came - before < least;
    }

    /** Begins the next one; true when too little came in the one that ends. */
    boolean next(long now, long came, boolean reading) {
      boolean tooLittle = begun && reading && isBehind(came);
      begun = true;
      since = now;
      before = came;
      return tooLittle;
    }
  }
}
