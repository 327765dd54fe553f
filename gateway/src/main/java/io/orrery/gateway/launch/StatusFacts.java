package io.orrery.gateway.launch;

import io.orrery.cli.Orrery;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.Reach;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Store;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.status.ServerFacts;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ClusterAddress;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what the checks of the page Status look at. */
final class StatusFacts {
  private static final Logger LOG = LoggerFactory.getLogger(StatusFacts.class);
  private static final String HOME = "disk";

  private StatusFacts() {}

  /**
   * Collects it; blocks.
   *
   * @param url where this server listens
   * @param edge the certificates of the port; null without
   * @param cluster those of the servers among themselves; null without
   */
  static ServerFacts of(
      Ground ground,
      Store store,
      Leases leases,
      Readiness readiness,
      String url,
      @Nullable TlsMaterial edge,
      @Nullable TlsMaterial cluster) {
    ServerConfig config = ground.config();
    Map<String, TlsMaterial> certificates = new HashMap<>();
    if (edge != null) {
      certificates.put("certificate", edge);
    }
    if (cluster != null) {
      certificates.put("certificate of the cluster", cluster);
    }
    Map<String, Supplier<CheckResult>> clusters = new TreeMap<>();
    config
        .clusters()
        .forEach((name, each) -> clusters.put(name, look(ground.vertx(), "cluster " + name, each)));
    return new ServerFacts(
        ground.vertx(),
        ground.bus(),
        ground.clock(),
        store,
        KnownMigrations.ALL,
        leases,
        readiness,
        Orrery.version(),
        SharedStore.edgeUrl(config, url),
        config.roles(),
        directories(ground),
        certificates,
        new ServerFacts.SandboxMode(ground.sandbox().isOn(), config.users()),
        clusters);
  }

  /** The home, and the directories that lie on another file system. */
  private static Map<String, Path> directories(Ground ground) {
    Path home = ground.home().path();
    Map<String, Path> all = new HashMap<>(Map.of(HOME, home));
    Map<String, Path> others =
        Map.of("disk of the logs", home.resolve("logs"), "disk of the group", ground.files());
    others.forEach((name, directory) -> {
      if (isElsewhere(home, directory)) {
        all.put(name, directory);
      }
    });
    return all;
  }

  private static boolean isElsewhere(Path home, Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try {
      FileStore ours = Files.getFileStore(home);
      return !Files.getFileStore(directory).equals(ours);
    } catch (IOException e) {
      LOG.warn("could not find the file system of {}: {}", directory, FileFault.words(e));
      return false;
    }
  }

  private static Supplier<CheckResult> look(Vertx vertx, String name, RuntimeCluster cluster) {
    return switch (cluster) {
      case RuntimeCluster.OfContainers containers ->
          () -> Reach.engine(name, containers.cluster().socket());
      case RuntimeCluster.OfKubernetes pods ->
          () -> kubernetes(vertx, name, pods.cluster().address());
    };
  }

  /** Opened for each look, so that a kubeconfig that was repaired counts. */
  private static CheckResult kubernetes(Vertx vertx, String name, ClusterAddress address) {
    try (Cluster cluster = Cluster.open(address, vertx)) {
      cluster.read("/version");
      return CheckResult.ok(name, cluster.server() + " answers");
    } catch (ProblemException e) {
      return CheckResult.failed(name, e.problem().detail(), "check the kubeconfig and the network");
    }
  }
}
