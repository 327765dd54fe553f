package io.orrery.gateway.registry;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of registries and their images. */
public final class RegistryFeature {
  private RegistryFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new RegistryApi(edge.bus(), edge.bodies()), new ImageApi(edge.bus(), edge.bodies()));
  }
}
