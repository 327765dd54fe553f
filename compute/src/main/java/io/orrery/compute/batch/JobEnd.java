package io.orrery.compute.batch;

import io.orrery.compute.batch.JobApi.JobRef;
import org.jspecify.annotations.Nullable;

/** The end of a job that did not go well, in words and as an exit code. */
record JobEnd(JobWords words, JobView job, JobRef ref) {
  /** The exit code of an attempt that failed for certain with a code that is unknown. */
  private static final int UNKNOWN_CODE = 1;

  /** Of a keeper that found another one at work: the service ran its job again. */
  private static final int TAKEN = 75;

  String stopped() {
    return told("was stopped") + ", not by this server";
  }

  String lost() {
    return told("was lost");
  }

  /**
   * Returns the exit code of an attempt whose job failed; null when the trial is not to blame.
   *
   * @param started whether its command is known to have begun
   */
  @Nullable Integer code(boolean started) {
    Integer code = job.exitCode();
    if (code != null && code == TAKEN) {
      return null;
    }
    if (code != null && code != 0) {
      return code;
    }
    return started ? null : Integer.valueOf(UNKNOWN_CODE);
  }

  /**
   * Says how the job failed.
   *
   * @param ran whether a keeper came
   */
  String failed(boolean ran) {
    Integer code = job.exitCode();
    if (code != null && code == TAKEN) {
      return told("was run a second time after its first run was lost");
    }
    String keeper = code == null ? null : KeeperCode.meaning(code);
    if (keeper != null) {
      return told("failed") + ": " + keeper;
    }
    return told("failed")
        + (ran ? "; what it ran cannot tell its end any more" : "; it ran nothing");
  }

  private String told(String what) {
    return words.of(what, job, ref);
  }
}
