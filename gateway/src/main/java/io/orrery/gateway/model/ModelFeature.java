package io.orrery.gateway.model;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of models and their versions. */
public final class ModelFeature {
  private ModelFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new ModelApi(edge.bus(), edge.bodies()),
        new VersionApi(
            edge.bus(), edge.bodies(), edge.ownerships(), edge.clock(), edge.patience()));
  }
}
