package io.orrery.gateway.launch;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.gpu.GpuWatch;
import io.orrery.compute.keeper.KeeperVerticle;
import io.orrery.compute.keeper.OwnedLeases;
import io.orrery.compute.local.LocalServiceFactory;
import io.orrery.compute.registry.ProjectLogins;
import io.orrery.compute.registry.RegistryVerticle;
import io.orrery.compute.runtime.container.ContainerCluster;
import io.orrery.compute.runtime.container.ContainerServiceFactory;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.compute.runtime.kubernetes.PodServiceFactory;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.secret.SecretVerticle;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.http.HostName;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Member;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.orchestrator.experiment.directory.Creation;
import io.orrery.orchestrator.experiment.directory.ExperimentDirectory;
import io.orrery.orchestrator.experiment.directory.ExperimentFiles;
import io.orrery.orchestrator.experiment.simulation.SimulationHandler;
import io.orrery.orchestrator.project.ProjectDefaults;
import io.orrery.orchestrator.quota.QuotaVerticle;
import io.orrery.orchestrator.spec.SpecReader;
import io.orrery.orchestrator.status.StatusListener;
import io.orrery.orchestrator.submission.SubmissionVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The role {@code orchestrator}: what owns experiments and has their trials run.
 *
 * @param deciders deployments to take down before the platforms, in this order
 */
record Orchestration(List<String> deciders, Platforms platforms, OwnedLeases tenures) {
  private static final Logger LOG = LoggerFactory.getLogger(Orchestration.class);

  Orchestration {
    deciders = List.copyOf(deciders);
  }

  /**
   * Opens it; the experiments that were going on go on.
   *
   * @param called what trials call back
   * @param resume whether experiments that were going on are continued
   */
  static Orchestration open(
      Ground ground,
      Store store,
      Leases leases,
      MetricSink metrics,
      String called,
      TrialTokens tokens,
      boolean resume)
      throws IOException {
    ServerConfig config = ground.config();
    Path sdk = TrialSdk.unpack(ground.home().path());
    TrialAccess access = access(called, leases, tokens);
    KeeperVerticle keepers =
        new KeeperVerticle(
            ground.vertx(),
            ground.bus(),
            ground.clock(),
            ground.files(),
            access,
            config.codeLimits(),
            config.keptLimits());
    ground.deploy(keepers);
    Platforms platforms =
        Platforms.with(
            new Surroundings(
                ground.vertx(),
                ground.clock(),
                ground.files(),
                ground.home().path(),
                sdk,
                access,
                new StatusListener(ground.bus(), metrics),
                keepers.keepers(),
                SiblingPlatforms.NONE,
                ground.sandbox(),
                logins(ground),
                new EnvironmentPlace(WorkloadWiring.builds(ground, ground.home()))),
            configured(ground));
    String submissions =
        ground.deploy(
            new SubmissionVerticle(
                ground.bus(),
                platforms,
                ground.clock(),
                PlatformRates.known(config.platformRates(), platforms.names())));
    ground.deploy(
        new QuotaVerticle(
            ground.bus(),
            ground.clock(),
            Long.toHexString(ground.random().nextLong()),
            config.quota().preempts()));
    ground.deploy(gpuWatch(ground, platforms));
    ground.deploy(new SecretVerticle(ground.bus(), new SecretBox(ground.files(), Map.of())));
    ground.deploy(
        new RegistryVerticle(
            ground.bus(),
            logins(ground),
            address -> AlertKeys.contain(config.builds().networks(), address)));
    Creation creation =
        new Creation(
            ground.vertx(),
            ground.bus(),
            platforms,
            new SpecReader(
                platforms.names(),
                platforms.options(),
                ground.random()::nextLong,
                new SecretBox(ground.files(), System.getenv())::seal,
                Workspaces.in(ground.files())),
            config.users() ? ground.sandbox()::shows : null,
            GitKeys.code(ground),
            defaults(ground, platforms),
            ground.random());
    String experiments =
        ground.deploy(
            new ExperimentDirectory(
                ground.bus(),
                store,
                leases,
                keepers.tenures(),
                platforms,
                ground.clock(),
                creation,
                resume));
    Ground.finish(
        ExperimentFiles.check(ground.vertx(), store, ground.files())
            .recover(unread -> {
              LOG.warn("could not look for the files of experiments: {}", unread.getMessage());
              return Future.succeededFuture();
            }),
        "the look for the files of experiments");
    ground.deploy(
        new SimulationHandler(ground.bus(), platforms, creation, ground.clock(), ground.random()),
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    return new Orchestration(List.of(experiments, submissions), platforms, keepers.tenures());
  }

  /** Opens the secrets of projects. */
  static ProjectSecrets secrets(Ground ground) {
    return new ProjectSecrets(
        ground.vertx(), ground.bus(), new SecretBox(ground.files(), Map.of()));
  }

  /** Gives experiments and steps the defaults of their projects. */
  static ProjectDefaults defaults(Ground ground, Platforms platforms) {
    return new ProjectDefaults(
        ground.bus(),
        RuntimeClusters.trials(ground.config()),
        RuntimeClusters.withoutPods(ground.config()),
        platforms.mountable());
  }

  /** Finds the accounts of registries of projects. */
  static ProjectLogins logins(Ground ground) {
    return new ProjectLogins(ground.bus(), secrets(ground));
  }

  /**
   * Whether a keeper that reaches us may go there as well: loopback is its own machine, and its
   * token is not sent in the clear where ours is not.
   */
  private static boolean reachableLike(String ours, String other) {
    URI here = URI.create(ours);
    URI there = URI.create(other);
    return Objects.equals(here.getScheme(), there.getScheme())
        && (isLoopback(here) || !isLoopback(there));
  }

  private static boolean isLoopback(URI url) {
    String host = HostName.withoutRoot(Objects.requireNonNullElse(url.getHost(), ""));
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  private static GpuWatch gpuWatch(Ground ground, Platforms platforms) {
    String here = "local";
    Supplier<Future<@Nullable GpuReport>> report =
        () ->
            platforms.names().contains(here)
                ? platforms.service(here).map(TrainingService::gpus)
                : Future.succeededFuture(null);
    return new GpuWatch(
        ground.bus(),
        ground.clock(),
        HomeDirectory.machine(),
        ground.gpus().probe()::read,
        report,
        GpuWatch.PAUSE,
        ground.config().quota().gpuPatience());
  }

  private static TrialAccess access(String url, Leases leases, TrialTokens tokens) {
    return new TrialAccess() {
      @Override
      public String serverUrl() {
        return url;
      }

      @Override
      public Future<List<String>> servers() {
        return leases
            .members()
            .map(members ->
                members.stream()
                    .filter(member -> member.roles().contains(ServerRole.GATEWAY))
                    .map(Member::url)
                    .filter(other -> reachableLike(url, other))
                    .distinct()
                    .toList());
      }

      @Override
      public String token(AttemptRef attempt) {
        return tokens.of(attempt);
      }

      @Override
      public boolean isToken(String shown) {
        return tokens.open(shown).isPresent();
      }
    };
  }

  /** The training services that are given parts of this server. */
  private static List<TrainingServiceFactory> configured(Ground ground) {
    List<TrainingServiceFactory> all = containers(ground);
    all.add(new LocalServiceFactory(ground.gpus()));
    return all;
  }

  /** The training services of steps with an image, on the configured clusters. */
  private static List<TrainingServiceFactory> containers(Ground ground) {
    List<ContainerCluster> clusters =
        ground.config().clusters().values().stream()
            .filter(RuntimeCluster.OfContainers.class::isInstance)
            .map(cluster -> ((RuntimeCluster.OfContainers) cluster).cluster())
            .toList();
    List<KubernetesCluster> pods =
        ground.config().clusters().values().stream()
            .filter(RuntimeCluster.OfKubernetes.class::isInstance)
            .map(cluster -> ((RuntimeCluster.OfKubernetes) cluster).cluster())
            .toList();
    List<TrainingServiceFactory> all = new ArrayList<>();
    if (!clusters.isEmpty()) {
      all.add(new ContainerServiceFactory(clusters, logins(ground)));
    }
    if (!pods.isEmpty()) {
      all.add(new PodServiceFactory(pods));
    }
    return all;
  }
}
