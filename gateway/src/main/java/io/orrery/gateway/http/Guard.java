package io.orrery.gateway.http;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** Checks the need of a route before its handler runs. Lives on the edge's event loop. */
@FunctionalInterface
public interface Guard {
  /**
   * Lets a request pass.
   *
   * @param lasting whether the answer is a stream or WebSocket, which ends when its caller loses
   *     the permission
   * @return whether it goes on, false when it has been answered here; fails with Unauthorized,
   *     Forbidden or NotFound when it may not
   */
  Future<Boolean> permit(RoutingContext context, RouteNeed need, boolean lasting);
}
