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
  record LeastCost(RequestCost cost) implements Balance {
    @Override
    public int costOf(RequestFacts request) {
      return cost.of(request);
    }
  }

  record RoundRobin() implements Balance {}

  /**
   * The same key goes to the same endpoint for as long as that is well (rendezvous hashing), and
   * has no more than its bound.
   *
   * @param maxLoad how many times the mean of requests in flight an endpoint may have before a
   *     request goes to the next in line for its key, at least 1; infinite for no bound
   */
  record Hash(RequestKey key, double maxLoad) implements Balance {
    @Override
    public @Nullable String keyOf(RequestFacts request) {
      return key.of(request);
    }

    @Override
    public RequestKey.@Nullable BodyPrefix bodyKey() {
      return key instanceof RequestKey.BodyPrefix body ? body : null;
    }
  }

  /** What the key of a request is of its body; null when that has no part in it. */
  default RequestKey.@Nullable BodyPrefix bodyKey() {
    return null;
  }

  /** The key of a request's head by which its endpoint is found; null for none. */
  default @Nullable String keyOf(RequestFacts request) {
    return null;
  }

  /** The load that a request adds to its endpoint besides itself; 0 where costs do not count. */
  default int costOf(RequestFacts request) {
    return 0;
  }
}
