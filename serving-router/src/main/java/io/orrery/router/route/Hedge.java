package io.orrery.router.route;

import java.time.Duration;
import java.util.Set;

/**
 * The rule by which a request that has no answer yet is sent to a second endpoint as well (Dean and
 * Barroso, "The Tail at Scale", 2013).
 *
 * @param after the time for which the first endpoint is waited for
 * @param budget the most hedges, as a share of the requests: above 0, up to 1
 * @param methods whose requests are hedged, in capital letters
 */
public record Hedge(Delay after, double budget, Set<String> methods) {
  /** The time for which the answer of the first endpoint is waited for. */
  public sealed interface Delay {
    /** A time that is the same for all requests. */
    record Fixed(Duration time) implements Delay {}

    /**
     * The time in which this share of the answers came to their end lately.
     *
     * @param share from 0.5 to 0.999
     */
    record Quantile(double share) implements Delay {}
  }

  /** Five of a hundred requests, when they are slower than the other ninety-five. */
  static final Delay STANDARD_DELAY = new Delay.Quantile(0.95);

  static final double STANDARD_BUDGET = 0.05;

  /**
   * Those that read. Two PUT or DELETE at once are as idempotent, but the slower one may take
   * effect after the next change of its client.
   */
  static final Set<String> STANDARD_METHODS = Set.of("GET", "HEAD");

  public Hedge {
    methods = Set.copyOf(methods);
  }
}
