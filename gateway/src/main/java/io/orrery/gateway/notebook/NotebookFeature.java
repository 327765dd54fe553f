package io.orrery.gateway.notebook;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.service.RouterAddress;
import java.util.List;

/** The routes of notebooks. */
public final class NotebookFeature {
  private NotebookFeature() {}

  /**
   * Its groups of routes.
   *
   * @param router where people reach them
   */
  public static List<Api> apis(EdgeParts edge, RouterAddress router) {
    return List.of(
        new NotebookApi(edge.bus(), edge.bodies(), router, edge.random()),
        new NotebookActionApi(edge.bus(), router, edge.passes(), edge.clock(), edge.logs()));
  }
}
