package io.orrery.gateway.launch;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.local.LocalServiceFactory;
import io.orrery.compute.runtime.container.ContainerRuntime;
import io.orrery.compute.runtime.process.ProcessRuntime;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.SearchPath;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.metrics.prometheus.Meters;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The services that all parts of a server use, for any roles.
 *
 * @param sandbox of programs of people
 * @param files the directory of the files of experiments that every possible owner can read: the
 *     home of a server that works alone
 * @param gpus of this machine, which all programs of this server are given theirs of
 */
record Ground(
    Vertx vertx,
    Bus bus,
    Meters meters,
    Clock clock,
    SecureRandom random,
    HomeDirectory home,
    ServerConfig config,
    Sandbox sandbox,
    Path files,
    GpuInventory gpus) {
  private static final long PATIENCE_SECONDS = 60;

  static Ground of(Vertx vertx, HomeDirectory home, ServerConfig config) {
    ClusterConfig cluster = config.cluster();
    Meters meters = new Meters();
    Clock clock = new SystemClock(vertx);
    Path files = cluster == null ? home.path() : cluster.directory();
    return new Ground(
        vertx,
        Bus.of(vertx, meters),
        meters,
        clock,
        new SecureRandom(),
        home,
        config,
        SandboxSetup.of(
            config.sandbox(), config.users(), List.of(home.path(), files), UserEnvironment.get()),
        files,
        GpuInventory.of(
            new GpuProbe(SearchPath.of(UserEnvironment.get()), GpuProbe.LIMIT),
            clock,
            holders(files, machineFiles(home, config), config)));
  }

  /** Finds what holds GPUs of this machine: trials, and programs of services and notebooks. */
  private static List<GpuCensus.Source> holders(Path files, Path machine, ServerConfig config) {
    List<GpuCensus.Source> all = new ArrayList<>();
    all.add(LocalServiceFactory.gpus(files));
    all.add(ProcessRuntime.gpus(machine));
    config
        .clusters()
        .forEach((name, cluster) -> {
          if (cluster instanceof RuntimeCluster.OfContainers) {
            all.add(ContainerRuntime.gpus(machine, name));
          }
        });
    return all;
  }

  /** Below which each experiment has a directory of its own. */
  Path experiments() {
    return files.resolve("experiments");
  }

  /**
   * Where the files of programs of this machine are: all servers of the machine find them, so that
   * the next owner of workloads adopts what runs. The home of a server that works alone.
   */
  Path machineFiles() {
    return machineFiles(home, config);
  }

  private static Path machineFiles(HomeDirectory home, ServerConfig config) {
    ClusterConfig cluster = config.cluster();
    return cluster == null
        ? home.path()
        : cluster.directory().resolve("machines").resolve(HomeDirectory.machine());
  }

  /** A name that nothing has had, in this start or another. */
  String freshName() {
    byte[] bytes = new byte[8];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Starts a verticle and waits for it; how it is taken down again. */
  String deploy(VerticleBase verticle) {
    return deploy(verticle, new DeploymentOptions());
  }

  /** The same with options. */
  String deploy(VerticleBase verticle, DeploymentOptions options) {
    return finish(vertx.deployVerticle(verticle, options), verticle.getClass().getSimpleName());
  }

  /** Waits for something to start. */
  static <T> T finish(Future<T> start, String what) {
    try {
      return start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Problem.Broken(what + " did not start within " + PATIENCE_SECONDS + " s")
          .toException();
    }
  }
}
