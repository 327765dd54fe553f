package io.orrery.gateway.launch;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Store;
import io.orrery.gateway.cluster.LeasedDuty;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.control.ServiceController;
import io.orrery.studio.notebook.NotebookController;
import io.orrery.studio.notebook.NotebookVerticle;
import io.orrery.studio.retention.RetentionController;
import io.orrery.studio.usage.UsageRecorder;
import java.time.ZoneId;
import java.util.List;

/** The duties about services and notebooks that one server at a time has. */
final class ServiceDuties {
  private ServiceDuties() {}

  /**
   * Keeps notebooks, and takes the duties or waits for them; the caller closes them.
   *
   * @param passes of guarded origins
   * @param called the URL at which pods call this server
   */
  static List<LeasedDuty> open(
      Ground ground,
      Store store,
      Leases leases,
      HomeDirectory home,
      OriginPasses passes,
      String called) {
    ground.deploy(
        new NotebookVerticle(
            ground.bus(),
            store,
            ground.clock(),
            ground.random(),
            ground.config().router().domain()));
    LeasedDuty workloads = WorkloadWiring.post(ground, store, leases, home, passes, called);
    Ground.finish(workloads.open(), "the workloads");
    LeasedDuty deployments = deployments(ground, store, leases);
    Ground.finish(deployments.open(), "the deployments");
    LeasedDuty notebooks = notebooks(ground, store, leases);
    Ground.finish(notebooks.open(), "the notebooks");
    LeasedDuty builds = WorkloadWiring.builds(ground, store, leases, home);
    Ground.finish(builds.open(), "the builds of images");
    LeasedDuty usage = usage(ground, store, leases);
    Ground.finish(usage.open(), "the record of what projects use");
    LeasedDuty retention = retention(ground, leases);
    Ground.finish(retention.open(), "the removal of old objects");
    return List.of(builds, workloads, deployments, notebooks, usage, retention);
  }

  /** Has old objects removed at night. */
  private static LeasedDuty retention(Ground ground, Leases leases) {
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "retention",
        lease -> new RetentionController(ground.bus(), ground.clock(), ZoneId.systemDefault()));
  }

  /** Adds up what projects hold. */
  private static LeasedDuty usage(Ground ground, Store store, Leases leases) {
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "usage",
        lease -> new UsageRecorder(lease.fencing(store), ground.clock(), UsageRecorder.PAUSE));
  }

  /** Watches notebooks, and stops those that are not used. */
  private static LeasedDuty notebooks(Ground ground, Store store, Leases leases) {
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "notebooks",
        lease ->
            new NotebookController(
                ground.bus().entitledBy(lease::held), lease.fencing(store), ground.clock()));
  }

  /** The verticle that answers for services, people, projects, pipelines and models. */
  static StudioVerticle studio(Ground ground, Store store) {
    return new StudioVerticle(
        ground.bus(),
        store,
        ground.clock(),
        ground.random(),
        ground.files(),
        RuntimeClusters.network(ground.config()),
        ground.config().quota().limits(),
        ground.config().alerts().mail() != null);
  }

  /** Steers rollouts and scaling. */
  private static LeasedDuty deployments(Ground ground, Store store, Leases leases) {
    return new LeasedDuty(
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
