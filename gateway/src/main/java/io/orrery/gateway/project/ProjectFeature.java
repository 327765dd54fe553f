package io.orrery.gateway.project;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of projects, their members, secrets and quotas. */
public final class ProjectFeature {
  private ProjectFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new ProjectApi(edge.bus(), edge.bodies()),
        new ProjectCheckApi(edge.bus(), edge.bodies()),
        new MemberApi(edge.bus(), edge.bodies(), edge.clock()),
        new UsageApi(edge.bus()),
        new UsageHistoryApi(edge.bus(), edge.clock()),
        new GpuApi(edge.bus()),
        new SecretApi(edge.bus(), edge.bodies()));
  }
}
