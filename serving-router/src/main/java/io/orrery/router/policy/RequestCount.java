package io.orrery.router.policy;

/** A count of the requests under way on one way of the router, on one event loop. */
@FunctionalInterface
public interface RequestCount {
  /**
   * Counts those of a client to a version of a service; goes through all.
   *
   * @param network by which clients are told apart
   * @param version the id of the service that is to answer
   */
  int of(String network, String version);
}
