package io.orrery.compute.runtime.container;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.runtime.replica.ReplicaGrants;
import io.orrery.compute.runtime.replica.ReplicaRuntime;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Keeps workloads running as containers of an engine. Each replica has its files below {@code
 * <home>/clusters/<cluster>}, and a container for each start of its program.
 *
 * <p>A replica whose image cannot be pulled, whose mount is missing or whose engine does not answer
 * is FAILED, and is looked at again every 30 s; one whose image is being pulled is WAITING.
 */
public final class ContainerRuntime extends ReplicaRuntime {
  /**
   * A runtime over a home directory and an engine.
   *
   * @param home of the server
   * @param workspaces the directories of people
   * @param logins with which images are pulled
   * @param secrets seals what a replica is made of
   * @param gpus that {@link #gpus} is a source of
   */
  public ContainerRuntime(
      Vertx vertx,
      ContainerCluster cluster,
      Path home,
      Workspaces workspaces,
      ImageLogins logins,
      SecretBox secrets,
      RandomGenerator random,
      GpuInventory gpus) {
    this(
        vertx,
        cluster,
        home,
        workspaces,
        logins,
        secrets,
        new SystemClock(vertx),
        random,
        gpus,
        ReplicaSettings.DEFAULT);
  }

  ContainerRuntime(
      Vertx vertx,
      ContainerCluster cluster,
      Path home,
      Workspaces workspaces,
      ImageLogins logins,
      SecretBox secrets,
      Clock clock,
      RandomGenerator random,
      GpuInventory gpus,
      ReplicaSettings settings) {
    Path absolute = home.toAbsolutePath().normalize();
    super(
        vertx,
        "container",
        root(absolute, cluster.name()),
        clock,
        random,
        settings,
        new EngineMachine(vertx, cluster, absolute, workspaces, logins, clock, gpus),
        secrets);
  }

  @Override
  public boolean runsImages() {
    return true;
  }

  /**
   * Knows the replicas of a cluster that hold GPUs; their processes are those of the engine.
   *
   * @param home of the server
   * @param cluster its name
   */
  public static GpuCensus.Source gpus(Path home, String cluster) {
    Path root = root(home.toAbsolutePath().normalize(), cluster);
    return () -> {
      Map<GpuUser, GpuGrant> grants = ReplicaGrants.of(root);
      return new GpuCensus(Set.of(), Map.of(), grants, grants.keySet());
    };
  }

  /** The directory of all workloads of a cluster. */
  static Path root(Path home, String cluster) {
    return home.resolve("clusters").resolve(cluster);
  }
}
