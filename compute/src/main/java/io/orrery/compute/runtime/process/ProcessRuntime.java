package io.orrery.compute.runtime.process;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.process.Wrapper;
import io.orrery.compute.runtime.replica.ReplicaProber;
import io.orrery.compute.runtime.replica.ReplicaRuntime;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.SearchPath;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Keeps workloads running as processes of this machine. Each replica has its files below {@code
 * <home>/workloads}. One server uses a home at a time.
 *
 * <p>A replica whose program, directory or mount is missing is FAILED, and is looked at again every
 * 30 s; one that lacks a free port or its turn is WAITING.
 */
public final class ProcessRuntime extends ReplicaRuntime {
  /** The wrapper script, beside the directories of workloads. */
  private static final String WRAPPER = ".wrapper.sh";

  /**
   * A runtime over a home directory, with the machine's clock and environment.
   *
   * @param home of the server
   * @param sandbox what keeps programs apart
   * @param workspaces the directories of the users
   * @param secrets seals what a replica is made of
   * @param environments of Python packages
   * @param gpus that {@link #gpus} is a source of
   */
  public ProcessRuntime(
      Vertx vertx,
      Path home,
      RandomGenerator random,
      Sandbox sandbox,
      Workspaces workspaces,
      SecretBox secrets,
      EnvironmentPlace environments,
      GpuInventory gpus) {
    this(
        vertx,
        home,
        new SystemClock(vertx),
        random,
        UserEnvironment.get(),
        sandbox,
        workspaces,
        secrets,
        environments,
        gpus,
        ReplicaSettings.DEFAULT);
  }

  /** A runtime with the directories of users below its home, and with GPUs of its own. */
  ProcessRuntime(
      Vertx vertx,
      Path home,
      Clock clock,
      RandomGenerator random,
      Map<String, String> environment,
      Sandbox sandbox,
      ReplicaSettings settings) {
    this(
        vertx,
        home,
        clock,
        random,
        environment,
        sandbox,
        GpuInventory.of(
            new GpuProbe(SearchPath.of(environment), GpuProbe.LIMIT), clock, List.of(gpus(home))),
        settings);
  }

  ProcessRuntime(
      Vertx vertx,
      Path home,
      Clock clock,
      RandomGenerator random,
      Map<String, String> environment,
      Sandbox sandbox,
      GpuInventory gpus,
      ReplicaSettings settings) {
    this(
        vertx,
        home,
        clock,
        random,
        environment,
        sandbox,
        Workspaces.in(home),
        new SecretBox(home, Map.of()),
        new EnvironmentPlace(home.resolve("builds")),
        gpus,
        settings);
  }

  private ProcessRuntime(
      Vertx vertx,
      Path home,
      Clock clock,
      RandomGenerator random,
      Map<String, String> environment,
      Sandbox sandbox,
      Workspaces workspaces,
      SecretBox secrets,
      EnvironmentPlace environments,
      GpuInventory gpus,
      ReplicaSettings settings) {
    Path absolute = home.toAbsolutePath().normalize();
    super(
        vertx,
        "process",
        root(absolute),
        clock,
        random,
        settings,
        LinuxMachine.of(
            clock,
            ReplicaMarks.of(absolute),
            ReplicaEnvironment.of(environment, sandbox, environments),
            new Wrapper(root(absolute).resolve(WRAPPER), List.of("/bin/sh")),
            new ReplicaProber(),
            workspaces,
            gpus),
        secrets);
  }

  @Override
  public boolean runsImages() {
    return false;
  }

  /**
   * Knows the replicas on this machine that hold GPUs.
   *
   * @param home of the server
   */
  public static GpuCensus.Source gpus(Path home) {
    return ReplicaCensus.of(home.toAbsolutePath().normalize());
  }

  /** The directory of all workloads. */
  static Path root(Path home) {
    return home.resolve("workloads");
  }
}
