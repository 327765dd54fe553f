package io.orrery.gateway.http;

import io.vertx.core.http.HttpServerRequest;

/** Decides over every request before its path is looked up. Lives on the edge's event loop. */
@FunctionalInterface
public interface Admission {
  /**
   * Lets a request pass.
   *
   * @return whether it goes on; false when it has been answered here
   * @throws io.orrery.core.problem.ProblemException Unauthorized, Forbidden or Busy when it may not
   */
  boolean admit(HttpServerRequest request);
}
