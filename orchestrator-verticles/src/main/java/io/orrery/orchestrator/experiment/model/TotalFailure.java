package io.orrery.orchestrator.experiment.model;

import org.jspecify.annotations.Nullable;

/** A rule for experiments without any trial that ended well by itself: these have failed. */
final class TotalFailure {
  private TotalFailure() {}

  /**
   * Says why an experiment failed; null when it did not.
   *
   * @param created the number of trials that ran, so that imported ones do not count
   * @param failed how many of them failed
   */
  static @Nullable String reason(long created, long failed, TrialEndings endings) {
    if (failed > 0 && failed == created) {
      // Such as in an experiment whose command is misspelt.
      return endings.withLastFailure(
          failed == 1 ? "the only trial failed" : "all " + failed + " trials failed");
    }
    int lost = endings.lost();
    if (lost == 0 || lost + failed != created) {
      return null;
    }
    // Such as in a cluster that takes every pod away; trials that failed beside them count as lost.
    String which =
        failed > 0
            ? lost + " trials were lost and " + failed + " failed"
            : lost == 1 ? "the only trial was lost" : "all " + lost + " trials were lost";
    return which + "; the last that was lost: " + endings.lastLoss();
  }
}
