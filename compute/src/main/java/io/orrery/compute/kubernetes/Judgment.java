package io.orrery.compute.kubernetes;

import io.orrery.compute.service.Keepers;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on an attempt as far as it was drawn before its job was deleted: deletion removes the
 * facts.
 *
 * @param drawn the verdict to which a keeper may still add its exit code; null for none
 * @param settled the verdict to which nothing can be added; null for none
 */
record Judgment(@Nullable Verdict drawn, @Nullable Verdict settled) {
  static final Judgment OPEN = new Judgment(null, null);

  /** Draws the verdict from the facts; nothing can be added once its keeper has told an end. */
  Judgment draw(Verdict.Evidence evidence) {
    Verdict verdict = Verdict.of(evidence);
    return evidence.told() == null ? new Judgment(verdict, settled) : new Judgment(drawn, verdict);
  }

  /** Draws the verdict on one that cannot go on: failed where it has not run, and else lost. */
  Judgment stuck(boolean started, String words) {
    return new Judgment(new Verdict(started ? null : Verdict.UNKNOWN_CODE, words), settled);
  }

  /** The verdict on one that was not canceled. */
  Verdict of(Verdict.Evidence evidence) {
    if (settled != null) {
      return settled;
    }
    if (drawn == null) {
      return Verdict.of(evidence);
    }
    return evidence.told() == null ? drawn : told(evidence.told(), drawn.reason());
  }

  /**
   * The verdict on one that was canceled.
   *
   * @param refusal the cluster's words when it refuses to delete the job; empty when it does not
   */
  Verdict ofCanceled(Verdict.Evidence evidence, boolean started, String refusal) {
    if (settled != null) {
      return settled;
    }
    if (evidence.told() != null) {
      return told(
          evidence.told(), drawn == null ? PodView.trouble(evidence.pods()) : drawn.reason());
    }
    String words = started ? "canceled" : "canceled before it started";
    return new Verdict(
        Verdict.code(evidence.role(), evidence.pods()),
        refusal.isEmpty()
            ? words
            : words + "; its job " + evidence.name() + " may be left: " + refusal);
  }

  /** The verdict on one whose command came to its end while its job was being deleted from here. */
  private static Verdict told(Keepers.State.Ended told, @Nullable String trouble) {
    return new Verdict(told.exitCode(), told.reason() == null ? trouble : told.reason());
  }
}
