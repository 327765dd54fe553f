package io.orrery.gateway.launch;

import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Store;
import io.orrery.gateway.cluster.Post;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.run.RunOwner;
import java.util.Map;

/** The parts of the owner of runs, which one server at a time has. */
final class RunWiring {
  private RunWiring() {}

  /** One server at a time owns the runs of pipelines. */
  static Post post(Ground ground, Store store, Leases leases, Platforms platforms, String called) {
    return new Post(
        ground.vertx(),
        leases,
        ground.clock(),
        "runs",
        lease ->
            new RunOwner(
                ground.bus().entitledBy(lease::held),
                lease.fencing(store),
                ground.clock(),
                platforms,
                new BundleFolder(ground.vertx(), store, ground.home().path()),
                ground.files(),
                Map.of(
                    "KFJ_MODEL_REPO_API_URL",
                    called,
                    "K8S_NODE_NAME",
                    HomeDirectory.machine(),
                    "K8S_HOST_IP",
                    "127.0.0.1",
                    "K8S_POD_IP",
                    "127.0.0.1"),
                lease::held));
  }
}
