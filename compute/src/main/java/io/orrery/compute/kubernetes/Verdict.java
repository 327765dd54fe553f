package io.orrery.compute.kubernetes;

import io.orrery.compute.service.Keepers;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt, concluded from its keeper, its job and its pods. Pure.
 *
 * @param exitCode null when it is unknown, because the attempt was lost
 * @param reason in words for the user; null when the exit code says all
 */
record Verdict(@Nullable Integer exitCode, @Nullable String reason) {
  /**
   * The exit code of an attempt that failed for certain with a code that is unknown: its pod never
   * ran, or went with its status. The reason says so.
   */
  static final int UNKNOWN_CODE = 1;

  /**
   * The facts from which an end is concluded.
   *
   * @param name of the job
   * @param role that speaks for the attempt
   * @param job null when it is gone, and not by us
   * @param told the end of the keeper that speaks for the attempt; null when it has told none
   * @param taken why a pod is gone that the cluster took away; null when none was
   */
  record Evidence(
      String name,
      String role,
      @Nullable JobState job,
      Collection<PodView> pods,
      Keepers.State.@Nullable Ended told,
      @Nullable String taken) {}

  /**
   * A good end stays one, and what the cluster took away is lost. The controller's word that the
   * job has succeeded counts more than the exit code of a role that it ended, such as a parameter
   * server.
   */
  static Verdict of(Evidence evidence) {
    Keepers.State.Ended told = evidence.told();
    JobState job = evidence.job();
    String trouble = PodView.trouble(evidence.pods());
    if (told != null && told.exitCode() == 0) {
      return new Verdict(0, told.reason() == null ? trouble : told.reason());
    }
    if (job != null && job.phase() == JobState.Phase.SUCCEEDED) {
      return new Verdict(0, trouble);
    }
    if (told == null) {
      return untold(evidence, trouble);
    }
    boolean ended = told.exitCode() == Keepers.State.Ended.TERMINATED;
    if (job == null && ended) {
      return new Verdict(null, deleted(evidence.name()));
    }
    if (evidence.taken() != null) {
      return new Verdict(null, evidence.taken());
    }
    if (ended && job != null && job.phase() == JobState.Phase.LOST) {
      return new Verdict(null, trouble == null ? job.reason() : trouble);
    }
    return new Verdict(told.exitCode(), told.reason() == null ? trouble : told.reason());
  }

  private static Verdict untold(Evidence evidence, @Nullable String trouble) {
    JobState job = evidence.job();
    if (job == null) {
      return new Verdict(null, deleted(evidence.name()));
    }
    boolean lost =
        job.phase() == JobState.Phase.LOST || evidence.pods().stream().anyMatch(PodView::lost);
    if (lost) {
      return new Verdict(null, trouble == null ? job.reason() : trouble);
    }
    if (evidence.taken() != null) {
      return new Verdict(null, evidence.taken());
    }
    Integer told = code(evidence.role(), evidence.pods());
    Integer code = told == null ? job.exitCode() : told;
    String words =
        "its job "
            + evidence.name()
            + " failed"
            + (job.reason() == null ? "" : ": " + job.reason());
    return new Verdict(
        code == null || code == 0 ? UNKNOWN_CODE : code,
        trouble != null ? trouble : code == null ? words + "; its exit code is not known" : null);
  }

  private static String deleted(String job) {
    return "its job " + job + " was deleted from the cluster, not by this server";
  }

  /** The exit code of a role's pod, or else of any; null where unknown, or where one was lost. */
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
