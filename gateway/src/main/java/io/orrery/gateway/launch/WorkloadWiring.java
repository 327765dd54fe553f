package io.orrery.gateway.launch;

import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.container.ContainerCluster;
import io.orrery.compute.runtime.container.ContainerRuntime;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.compute.runtime.kubernetes.KubernetesRuntime;
import io.orrery.compute.runtime.kubernetes.NamespacedRuntime;
import io.orrery.compute.runtime.process.ProcessRuntime;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.http.PublicAddresses;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.lease.Leases;
import io.orrery.core.process.SearchPath;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.cluster.LeasedDuty;
import io.orrery.orchestrator.build.BuildSettings;
import io.orrery.orchestrator.build.BuildVerticle;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.bundle.BundleVerticle;
import io.orrery.orchestrator.bundle.ModelFolder;
import io.orrery.orchestrator.retention.LeftCode;
import io.orrery.orchestrator.retention.LeftEnvironments;
import io.orrery.orchestrator.retention.LeftFiles;
import io.orrery.orchestrator.retention.NamedImages;
import io.orrery.orchestrator.workload.WorkloadOwner;
import io.orrery.orchestrator.workload.WorkloadPlacement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Assembles the owner of workloads with the runtimes of the configuration. */
final class WorkloadWiring {
  private WorkloadWiring() {}

  /**
   * One server at a time owns the workloads; the runtimes are those of its machine.
   *
   * @param called the URL at which pods call this server
   */
  static LeasedDuty post(
      Ground ground,
      Store store,
      Leases leases,
      HomeDirectory home,
      OriginPasses passes,
      String called) {
    ground.deploy(new BundleVerticle(ground.bus(), store, ground.clock(), home.path()));
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "workloads",
        lease ->
            new WorkloadOwner(
                ground.bus().entitledBy(lease::held),
                lease.fencing(store),
                ground.clock(),
                new BundleFolder(ground.vertx(), store, ground.machineFiles()),
                new ModelFolder(
                    ground.vertx(),
                    ground.bus(),
                    ground.machineFiles(),
                    address -> AlertKeys.contain(ground.config().modelNetworks(), address)),
                new WorkloadPlacement(
                    runtimes(ground, home, passes, called), ground.sandbox().mountable()),
                passes,
                Orchestration.secrets(ground),
                lease.epoch()));
  }

  /** Builds images on this machine. */
  static LeasedDuty builds(Ground ground, Store store, Leases leases, HomeDirectory home) {
    BuildKeys.Settings keys = ground.config().builds();
    BuildSettings settings =
        new BuildSettings(
            builds(ground, home),
            keys.user(),
            keys.concurrent(),
            (long) keys.contextMegabytes() << 20,
            Duration.ofMinutes(keys.minutes()),
            keys.image());
    return new LeasedDuty(
        ground.vertx(),
        leases,
        ground.clock(),
        "builds",
        lease ->
            new BuildVerticle(
                ground.bus().entitledBy(lease::held),
                ground.clock(),
                settings,
                Orchestration.logins(ground),
                Orchestration.secrets(ground),
                new BundleFolder(ground.vertx(), store, home.path()),
                Workspaces.in(ground.files()),
                ground.sandbox(),
                address ->
                    PublicAddresses.contains(address)
                        || AlertKeys.contain(ground.config().gitNetworks(), address),
                left(ground, store, home),
                new NamedImages(store, RuntimeClusters.images(ground.config()))));
  }

  /** The files that builds and code leave behind on this machine. */
  private static Map<Kind, LeftFiles> left(Ground ground, Store store, HomeDirectory home) {
    return Map.of(
        Kind.ENVIRONMENTS,
        new LeftEnvironments(
            ground.vertx(),
            store,
            new EnvironmentPlace(builds(ground, home)),
            SearchPath.of(System.getenv())),
        Kind.CODE,
        new LeftCode(ground.vertx(), store, Workspaces.in(ground.files())));
  }

  /** The directory of all builds. */
  static Path builds(Ground ground, HomeDirectory home) {
    Path directory = ground.config().builds().directory();
    return directory == null
        ? home.path().toAbsolutePath().normalize().resolve("builds")
        : directory;
  }

  private static Map<String, Runtime> runtimes(
      Ground ground, HomeDirectory home, OriginPasses passes, String called) {
    Map<String, Runtime> all = new HashMap<>();
    all.put(
        Workloads.HERE,
        new ProcessRuntime(
            ground.vertx(),
            ground.machineFiles(),
            ground.random(),
            ground.sandbox(),
            Workspaces.in(ground.files()),
            box(ground),
            new EnvironmentPlace(builds(ground, home)),
            ground.gpus()));
    ground
        .config()
        .clusters()
        .forEach((name, cluster) -> all.put(name, runtime(ground, home, cluster, passes, called)));
    return all;
  }

  private static Runtime runtime(
      Ground ground,
      HomeDirectory home,
      RuntimeCluster cluster,
      OriginPasses passes,
      String called) {
    return switch (cluster) {
      case RuntimeCluster.OfContainers(ContainerCluster engine, _, _) ->
          new ContainerRuntime(
              ground.vertx(),
              engine,
              ground.machineFiles(),
              Workspaces.in(ground.files()),
              Orchestration.logins(ground),
              box(ground),
              ground.random(),
              ground.gpus());
      case RuntimeCluster.OfKubernetes(KubernetesCluster pods, _, _) ->
          new NamespacedRuntime(
              pods(ground, home, pods.ofNotebooks(), passes, called),
              pods(ground, home, pods, passes, called));
    };
  }

  private static SecretBox box(Ground ground) {
    return new SecretBox(ground.files(), Map.of());
  }

  private static Runtime pods(
      Ground ground,
      HomeDirectory home,
      KubernetesCluster cluster,
      OriginPasses passes,
      String called) {
    return new KubernetesRuntime(
        ground.vertx(),
        cluster,
        files(ground, home),
        Orchestration.logins(ground),
        box(ground),
        called,
        passes,
        ground.random());
  }

  /** The directory that servers share, so that the next owner finds the replicas of this one. */
  private static Path files(Ground ground, HomeDirectory home) {
    ClusterConfig shared = ground.config().cluster();
    return shared == null ? home.path() : shared.directory();
  }
}
