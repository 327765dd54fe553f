package io.orrery.compute.kubernetes;

import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.kubernetes.ResourceType;
import io.orrery.kubernetes.ServedVersions;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The clusters that a platform is connected to: each when the first experiment needs it. */
final class WatchedClusters implements ServedVersions, AutoCloseable {
  private final Vertx vertx;
  private final String platform;
  private final Consumer<String> changed;
  private final Map<ClusterAddress, CompletableFuture<WatchedCluster>> open =
      new ConcurrentHashMap<>();

  /**
   * @param changed told the name of a job of which something changed; must not block
   */
  WatchedClusters(Vertx vertx, String platform, Consumer<String> changed) {
    this.vertx = vertx;
    this.platform = platform;
    this.changed = changed;
  }

  @Override
  public List<String> versions(ClusterAddress cluster, ResourceType type) {
    return of(cluster).versions(type);
  }

  WatchedCluster of(Blueprint blueprint) {
    return of(blueprint.cluster());
  }

  /** Opens the cluster for the first caller; a failure is not kept. */
  private WatchedCluster of(ClusterAddress address) {
    CompletableFuture<WatchedCluster> fresh = new CompletableFuture<>();
    CompletableFuture<WatchedCluster> present = open.putIfAbsent(address, fresh);
    if (present != null) {
      try {
        return present.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }
    try {
      WatchedCluster site = new WatchedCluster(Cluster.open(address, vertx), platform, changed);
      fresh.complete(site);
      return site;
    } catch (RuntimeException e) {
      open.remove(address, fresh);
      fresh.completeExceptionally(e);
      throw e;
    }
  }

  /** Those that are open now. */
  List<WatchedCluster> all() {
    return open.values().stream()
        .filter(site -> site.isDone() && !site.isCompletedExceptionally())
        .map(CompletableFuture::join)
        .toList();
  }

  @Override
  public void close() {
    all().forEach(WatchedCluster::close);
  }
}
