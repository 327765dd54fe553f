package io.orrery.gateway.trial;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of trials and what they leave. */
public final class TrialFeature {
  private TrialFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new TrialApi(edge.bus(), edge.bodies()),
        new LogApi(edge.bus(), edge.logs()),
        new FileApi(edge.bus(), edge.clock(), edge.patience()),
        new ExportApi(edge.bus(), edge.clock(), edge.options()),
        new ImportApi(edge.bus(), edge.bodies()));
  }
}
