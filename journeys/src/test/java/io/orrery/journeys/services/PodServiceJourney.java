package io.orrery.journeys.services;

import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.journeys.ClusterHome;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/**
 * A server that runs services in pods of a mock cluster, {@code kube}, with the role we hand out.
 */
abstract class PodServiceJourney extends ServiceJourney {
  MockCluster cluster;

  @Override
  protected void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    ClusterHome.write(cluster, home(), "service");
  }

  /** The cluster last: the pods of services are removed from it. */
  @Override
  @AfterEach
  protected void stop() throws Exception {
    try {
      super.stop();
    } finally {
      cluster.close();
    }
  }
}
