package io.orrery.compute.kubernetes;

import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.Metadata;
import io.orrery.kubernetes.ResourceType;
import io.orrery.kubernetes.Watch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with what is watched in it: the pods of a platform, and its jobs by kind. One watch
 * each, however many attempts there are.
 */
final class WatchedCluster implements AutoCloseable {
  private final Cluster cluster;
  private final Map<String, String> ours;
  private final Consumer<String> changed;
  private final Watch<PodView> pods;
  private final Map<ResourceType, Watch<JobState>> jobs = new ConcurrentHashMap<>();
  private final Map<ResourceType, List<String>> versions = new ConcurrentHashMap<>();

  /**
   * @param platform only what it made is watched
   * @param changed told the name of a job of which something changed; must not block
   */
  WatchedCluster(Cluster cluster, String platform, Consumer<String> changed) {
    this.cluster = cluster;
    this.ours = Map.of(Labels.MANAGED_BY, Labels.US, Labels.PLATFORM, platform);
    this.changed = changed;
    this.pods =
        Watch.begin(
            cluster.select(ResourceType.POD, ours), WatchedCluster::jobOfPod, PodView::of, changed);
  }

  Cluster cluster() {
    return cluster;
  }

  Watch<PodView> pods() {
    return pods;
  }

  /** The pods of a job as the API server has them now, which the watch may not have told yet. */
  List<PodView> podsNow(String job) {
    return cluster
        .list(ResourceType.POD, Map.of(Labels.JOB, job))
        .valueStream()
        .map(PodView::of)
        .toList();
  }

  /** The jobs of a kind; blocks until the first list is in. */
  Watch<JobState> jobs(JobKind kind) {
    return jobs.computeIfAbsent(
        kind.resource(),
        resource ->
            Watch.begin(
                cluster.select(resource, ours),
                Metadata::name,
                (job, status) -> kind.state(status),
                changed));
  }

  /** The same when they are watched already, and null while they are not; never blocks. */
  @Nullable Watch<JobState> watchedJobs(JobKind kind) {
    return jobs.get(kind.resource());
  }

  /** The versions in which the cluster serves a type of object; asked for once. */
  List<String> versions(ResourceType type) {
    return versions.computeIfAbsent(type, cluster::versions);
  }

  boolean isLive() {
    return pods.isLive() && jobs.values().stream().allMatch(Watch::isLive);
  }

  /** Why its news do not come in, in words; null while they do. */
  @Nullable String trouble() {
    String ofPods = pods.trouble();
    return ofPods != null
        ? ofPods
        : jobs.values().stream()
            .map(Watch::trouble)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  private static String jobOfPod(Metadata pod) {
    return pod.labels().getOrDefault(Labels.JOB, "");
  }

  @Override
  public void close() {
    jobs.values().forEach(Watch::close);
    pods.close();
    cluster.close();
  }
}
