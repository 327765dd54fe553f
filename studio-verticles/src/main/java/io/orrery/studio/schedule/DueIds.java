package io.orrery.studio.schedule;

import io.orrery.core.digest.Sha256;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Derives the ids of due runs and of their runs: a server that derives one again finds the first.
 */
public final class DueIds {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd't'HHmmss'z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DueIds() {}

  /** The id of a due run, such as {@code nightly-20261125t030000z}. */
  public static String of(PipelineName pipeline, Instant due) {
    return pipeline + "-" + STAMP.format(due);
  }

  /**
   * The id of the run of a due run.
   *
   * @param created when the pipeline was created: a later one of its name has other runs
   * @param attempt how often the due run was run before
   */
  public static RunId run(PipelineName pipeline, Instant created, Instant due, int attempt) {
    String from =
        "%s\n%d\n%d\n%d".formatted(pipeline, created.toEpochMilli(), due.toEpochMilli(), attempt);
    String digits = new BigInteger(Sha256.hex(from), 16).toString(36);
    String padded = "0".repeat(Math.max(0, RunId.MOST_CHARACTERS - digits.length())) + digits;
    return new RunId("d" + padded.substring(0, RunId.MOST_CHARACTERS - 1));
  }

  /** Whether a run may be that of a due run. */
  public static boolean mayBeDue(RunId run) {
    return run.value().length() == RunId.MOST_CHARACTERS && run.value().startsWith("d");
  }
}
