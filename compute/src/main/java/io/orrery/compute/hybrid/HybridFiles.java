package io.orrery.compute.hybrid;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.compute.attempt.AttemptRecords;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record on the disk of which platform has which attempt, and how experiments were set up: known
 * after a restart.
 */
final class HybridFiles {
  private static final String PLACE = "";

  private final AttemptRecords records;

  HybridFiles(Path home) {
    this.records = new AttemptRecords(home, "hybrid");
  }

  /**
   * The platform that an attempt was sent to.
   *
   * @param member the platform's name; null for one that was canceled before it was sent anywhere
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Place(@Nullable String member) {}

  /** Where an attempt was sent; null when it was not. */
  @Nullable Place place(AttemptRef attempt) throws IOException {
    return records.read(attempt, PLACE, Place.class);
  }

  /** Before it is sent there: a reader that finds nothing knows that no platform has it. */
  void place(AttemptRef attempt, Place place) throws IOException {
    records.write(attempt, PLACE, place);
  }

  void forget(AttemptRef attempt) throws IOException {
    records.delete(attempt, PLACE);
  }

  void prepared(ExperimentId experiment, JobSpec job) throws IOException {
    records.prepared(experiment, job);
  }

  /** Keeps the job of an attempt of a step. */
  void prepared(AttemptRef attempt, JobSpec job) throws IOException {
    records.prepared(attempt, job);
  }

  /** The preparation of an attempt: that of its experiment, or its own; null for neither. */
  @Nullable JobSpec prepared(AttemptRef attempt) throws IOException {
    return records.prepared(attempt);
  }

  /** The job that an experiment was prepared with; those of a run's steps. */
  List<JobSpec> allPrepared(ExperimentId experiment) throws IOException {
    return records.allPrepared(experiment);
  }

  void cleanUp(ExperimentId experiment) throws IOException {
    records.cleanUp(experiment);
  }
}
