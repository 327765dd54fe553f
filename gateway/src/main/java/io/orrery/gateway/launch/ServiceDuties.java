package io.orrery.gateway.launch;

import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Store;
import io.orrery.gateway.cluster.Post;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.control.ServiceController;
import java.time.ZoneId;
import java.util.List;

/** The duties about services that one server at a time has. */
final class ServiceDuties {
  private ServiceDuties() {}

  /** Takes both duties, or waits for them; the caller closes them. */
  static List<Post> open(Ground ground, Store store, Leases leases, HomeDirectory home) {
    Post workloads = WorkloadWiring.post(ground, store, leases, home);
    Ground.finish(workloads.open(), "the workloads");
    Post deployments = deployments(ground, store, leases);
    Ground.finish(deployments.open(), "the deployments");
    return List.of(workloads, deployments);
  }

  /** What services, and people, projects, pipelines and models, are asked from. */
  static StudioVerticle studio(Ground ground, Store store) {
    return new StudioVerticle(
        ground.bus(),
        store,
        ground.clock(),
        ground.random(),
        ground.files(),
        RuntimeClusters.network(ground.config()));
  }

  /** Steers rollouts and scaling. */
  private static Post deployments(Ground ground, Store store, Leases leases) {
    return new Post(
        ground.vertx(),
        leases,
        ground.clock(),
        "deployments",
        lease ->
            new ServiceController(
                ground.bus().entitledBy(lease::held),
                lease.fencing(store),
                ground.clock(),
                ZoneId.systemDefault(),
                ground.random()));
  }
}
