package io.orrery.router.route;

/** A rule by which an endpoint of a service is chosen. */
public sealed interface Balance {
  /** The one with fewer requests in flight, of two that were drawn at random. */
  record LeastRequests() implements Balance {}

  record RoundRobin() implements Balance {}

  /** The same key goes to the same endpoint for as long as that is well (rendezvous hashing). */
  record Hash(RequestKey key) implements Balance {}
}
