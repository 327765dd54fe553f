package io.orrery.router.route;

import org.jspecify.annotations.Nullable;

/** A rule by which an endpoint of a service is chosen. */
public sealed interface Balance {
  /** The one with fewer requests in flight, of two that were drawn at random. */
  record LeastRequests() implements Balance {}

  /**
   * The one whose requests in flight cost less, of two that were drawn at random. Each request
   * counts as one more than what it says of itself.
   */
  record LeastCost(RequestCost cost) implements Balance {}

  record RoundRobin() implements Balance {}

  /**
   * The same key goes to the same endpoint for as long as that is well (rendezvous hashing), and
   * has no more than its bound.
   *
   * @param maxLoad how many times the mean of requests in flight an endpoint may have before a
   *     request goes to the next in line for its key, at least 1; infinite for no bound
   */
  record Hash(RequestKey key, double maxLoad) implements Balance {}

  /** The key of a request by which its endpoint is found; null for none. */
  default @Nullable String keyOf(RequestFacts request) {
    return this instanceof Hash hash ? hash.key().of(request) : null;
  }

  /** The load that a request adds to its endpoint besides itself; 0 where costs do not count. */
  default int costOf(RequestFacts request) {
    return this instanceof LeastCost least ? least.cost().of(request) : 0;
  }
}
