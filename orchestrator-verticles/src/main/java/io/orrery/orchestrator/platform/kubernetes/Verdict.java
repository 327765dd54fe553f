package io.orrery.orchestrator.platform.kubernetes;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended of which no keeper has told: what its job and its pods say. Pure.
 *
 * @param exitCode null when nobody knows it, because the attempt was lost
 * @param reason in words for the user; null when the exit code says all
 */
record Verdict(@Nullable Integer exitCode, @Nullable String reason) {
  /**
   * The exit code of an attempt that failed for certain while nobody can tell with which code: its
   * pod never ran, or went with its status. The reason says so.
   */
  static final int UNKNOWN_CODE = 1;

  /**
   * @param name of the job
   * @param role that speaks for the attempt
   * @param job null when it is gone
   */
  static Verdict of(String name, String role, @Nullable JobState job, Collection<PodView> pods) {
    String trouble = PodView.trouble(pods);
    if (job == null) {
      return new Verdict(
          null, "its job " + name + " was deleted from the cluster, not by this server");
    }
    if (job.phase() == JobState.Phase.SUCCEEDED) {
      return new Verdict(0, trouble);
    }
    if (job.phase() == JobState.Phase.LOST || pods.stream().anyMatch(PodView::lost)) {
      return new Verdict(null, trouble == null ? job.reason() : trouble);
    }
    Integer told = code(role, pods);
    Integer code = told == null ? job.exitCode() : told;
    String words =
        "its job " + name + " failed" + (job.reason() == null ? "" : ": " + job.reason());
    return new Verdict(
        code == null || code == 0 ? UNKNOWN_CODE : code,
        trouble != null ? trouble : code == null ? words + "; its exit code is not known" : null);
  }

  /** What the pod of a role, or else any, ended with; null when nobody knows, or one was lost. */
  static @Nullable Integer code(String role, Collection<PodView> pods) {
    return pods.stream().anyMatch(PodView::lost)
        ? null
        : pods.stream()
            .filter(pod -> pod.exitCode() != null)
            .min(Comparator.comparing(pod -> !pod.role().equals(role)))
            .map(PodView::exitCode)
            .orElse(null);
  }
}
