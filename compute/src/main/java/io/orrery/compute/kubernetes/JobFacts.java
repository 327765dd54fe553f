package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.KeeperFacts;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts that are known of an attempt in a cluster at one time.
 *
 * @param keeper what its keepers said, and whether it was canceled
 * @param watch how well the cluster is seen
 * @param job null when there is none
 * @param pods of its name
 * @param deletion of its job by this server
 * @param warning the operators' about a job that has no pods yet; null for none
 * @param taken why a pod is gone that the cluster took away; null when none was
 */
record JobFacts(
    KeeperFacts keeper,
    Watched watch,
    @Nullable JobState job,
    List<PodView> pods,
    Deletion deletion,
    @Nullable String warning,
    @Nullable String taken) {
  JobFacts {
    pods = List.copyOf(pods);
  }

  /**
   * The sight of the cluster.
   *
   * @param live whether what its watches show is up to date
   * @param trouble why it is not, in the cluster's words; null when they are not known
   */
  record Watched(boolean live, @Nullable String trouble) {}

  /**
   * The deletion of its job.
   *
   * @param at when the API server was first told to delete it; null while it has not been
   * @param refusedSince since when the cluster refuses it; null when it does not
   * @param refusal the cluster's words for that; empty for none
   */
  record Deletion(@Nullable Instant at, @Nullable Instant refusedSince, String refusal) {
    static final Deletion NONE = new Deletion(null, null, "");
  }

  /** Whether a pod still runs, or may come to run. */
  boolean isLiving() {
    return !areOver(pods);
  }

  static boolean areOver(Collection<PodView> pods) {
    return pods.stream().allMatch(PodView::over);
  }

  boolean hasSucceeded() {
    return job != null && job.phase() == JobState.Phase.SUCCEEDED;
  }

  /** When its command began; null when nothing says that it did. */
  @Nullable Instant start(Instant now) {
    Instant seen =
        pods.stream()
            .map(PodView::startedAt)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(keeper.start());
    if (seen != null) {
      return seen;
    }
    if (job != null && job.phase() == JobState.Phase.RUNNING) {
      return Objects.requireNonNullElse(job.at(), now);
    }
    return keeper.end() == null ? null : keeper.end().at();
  }

  /** The same as far as its job is known to be gone, or does not matter. */
  JobFacts withoutJob() {
    return new JobFacts(keeper, watch, null, pods, deletion, warning, taken);
  }

  /** The same with the pods that the API server has now. */
  JobFacts with(List<PodView> present) {
    return new JobFacts(keeper, watch, job, present, deletion, warning, taken);
  }

  /** The same with what its keepers have said since. */
  JobFacts heard(KeeperFacts said) {
    return new JobFacts(said, watch, job, pods, deletion, warning, taken);
  }
}
