package io.orrery.gateway.service;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of services and what runs for them. */
public final class ServiceFeature {
  private ServiceFeature() {}

  /**
   * Its groups of routes.
   *
   * @param router where clients reach services
   */
  public static List<Api> apis(EdgeParts edge, RouterAddress router) {
    ServiceApi services = new ServiceApi(edge.bus(), edge.bodies(), router);
    return List.of(
        services,
        new StageApi(edge.bus(), edge.bodies(), router),
        new ModelServingApi(edge.bus(), edge.bodies(), services, router),
        new DomainApi(edge.bus(), edge.bodies(), router),
        new ServiceLogApi(edge.bus(), edge.logs()),
        new TrafficApi(edge.bus()),
        new WorkloadApi(edge.bus()),
        new ShellApi(edge.bus()),
        new CodeApi(edge.bus(), edge.bodies()),
        new WorkloadFileApi(edge.bus(), edge.passes(), edge.clock(), edge.patience()));
  }
}
