package io.orrery.compute.kubernetes;

import io.orrery.compute.service.Keepers;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on one attempt, which may be drawn before its job is deleted: deletion removes the
 * facts. Guarded by its attempt, but for {@link #observe}, which any thread may call.
 */
final class Conclusion {
  private final String name;
  private final String role;
  private final Removal removal;
  private final FirstLoss losses = new FirstLoss();

  /** The verdict from before the job was deleted; a keeper may still add its exit code. */
  private @Nullable Verdict drawn;

  /** The same where the keeper's end was known by then, so that nothing can be added. */
  private @Nullable Verdict settled;

  /**
   * @param name of the job
   * @param role that speaks for the attempt
   */
  Conclusion(String name, String role, Removal removal) {
    this.name = name;
    this.role = role;
    this.removal = removal;
  }

  /** Notes the first loss of a pod, as {@link FirstLoss#observe} does. */
  void observe(Map<String, PodView> pods, boolean over) {
    losses.observe(pods, over);
  }

  /** Draws the verdict from the facts, before the job is deleted. */
  void draw(@Nullable JobState job, Collection<PodView> pods, Keepers.State.@Nullable Ended told) {
    Verdict verdict = judged(job, pods, told);
    if (told == null) {
      drawn = verdict;
    } else {
      settled = verdict;
    }
  }

  /** Draws the verdict on one that cannot go on: failed where it has not run, and else lost. */
  void stuck(boolean started, String words) {
    drawn = new Verdict(started ? null : Verdict.UNKNOWN_CODE, words);
  }

  /** Does the same where none is drawn yet. */
  void stuckUnlessDrawn(boolean started, String words) {
    if (drawn == null) {
      stuck(started, words);
    }
  }

  /** Whether a verdict is drawn to which only a keeper may add. */
  boolean isDrawn() {
    return drawn != null;
  }

  /** The verdict on one that was not canceled. */
  Verdict of(@Nullable JobState job, Collection<PodView> pods, Keepers.State.@Nullable Ended told) {
    if (settled != null) {
      return settled;
    }
    if (drawn == null) {
      return judged(job, pods, told);
    }
    return told == null ? drawn : told(told, drawn.reason());
  }

  /** The verdict on one that was canceled. */
  Verdict ofCanceled(
      boolean started, Collection<PodView> pods, Keepers.State.@Nullable Ended told) {
    if (settled != null) {
      return settled;
    }
    if (told != null) {
      return told(told, drawn == null ? PodView.trouble(pods) : drawn.reason());
    }
    String words = started ? "canceled" : "canceled before it started";
    String refusal = removal.refusal();
    return new Verdict(
        Verdict.code(role, pods),
        refusal.isEmpty() ? words : words + "; its job " + name + " may be left: " + refusal);
  }

  /** The verdict on one whose command came to its end while its job was being deleted from here. */
  private static Verdict told(Keepers.State.Ended told, @Nullable String trouble) {
    return new Verdict(told.exitCode(), told.reason() == null ? trouble : told.reason());
  }

  private Verdict judged(
      @Nullable JobState job, Collection<PodView> pods, Keepers.State.@Nullable Ended told) {
    return Verdict.of(new Verdict.Evidence(name, role, job, pods, told, losses.taken()));
  }
}
