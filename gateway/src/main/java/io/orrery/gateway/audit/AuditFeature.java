package io.orrery.gateway.audit;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of the audit log. */
public final class AuditFeature {
  private AuditFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new AuditApi(edge.bus(), edge.clock(), edge.patience()),
        new RetentionApi(edge.bus(), edge.bodies()));
  }
}
