package io.orrery.orchestrator.runtime.kubernetes;

import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.orchestrator.registry.ImageLogins;
import io.orrery.orchestrator.runtime.replica.ReplicaRuntime;
import io.orrery.orchestrator.runtime.replica.ReplicaSettings;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * A runtime that keeps workloads running as pods of a cluster. Each replica has its files below
 * {@code <home>/clusters/<cluster>}, and a pod for each start of its program.
 *
 * <p>A replica whose pod has no node yet, or whose image is being pulled, is WAITING with the
 * cluster's reason; one whose image cannot be pulled, or whose API server does not answer when it
 * is to be started, is FAILED. Pods that run are probed whether the API server answers or not.
 */
public final class KubernetesRuntime extends ReplicaRuntime {
  /**
   * A runtime over a home directory and a namespace.
   *
   * @param home of the server, or the directory that several servers share
   * @param logins with which images are pulled
   */
  public KubernetesRuntime(
      Vertx vertx,
      KubernetesCluster cluster,
      Path home,
      ImageLogins logins,
      RandomGenerator random) {
    this(vertx, cluster, home, logins, new SystemClock(vertx), random, ReplicaSettings.DEFAULT);
  }

  KubernetesRuntime(
      Vertx vertx,
      KubernetesCluster cluster,
      Path home,
      ImageLogins logins,
      Clock clock,
      RandomGenerator random,
      ReplicaSettings settings) {
    Path absolute = home.toAbsolutePath().normalize();
    super(
        vertx,
        "kubernetes",
        absolute.resolve("clusters").resolve(cluster.name()),
        clock,
        random,
        settings,
        new PodMachine(vertx, cluster, absolute, logins, clock));
  }

  @Override
  public boolean runsImages() {
    return true;
  }
}
