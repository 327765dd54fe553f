package io.orrery.compute.hybrid;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.compute.attempt.AttemptRecords;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.trial.AttemptRef;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which platform has which attempt, and how experiments were set up: known after a restart. */
final class HybridFiles {
  private static final String PLACE = "";

  private final AttemptRecords records;

  HybridFiles(Path home) {
    this.records = new AttemptRecords(home, "hybrid");
  }

  /**
   * Where an attempt was sent.
   *
   * @param member the platform's name; null for one that was canceled before it was sent anywhere
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Place(@Nullable String member) {}

  /** Where an attempt was sent; null when it was not. */
  @Nullable Place place(AttemptRef attempt) throws IOException {
    return records.read(attempt, PLACE, Place.class);
  }

  /** Before it is sent there: who finds nothing knows that nobody has it. */
  void place(AttemptRef attempt, Place place) throws IOException {
    records.write(attempt, PLACE, place);
  }

  void forget(AttemptRef attempt) throws IOException {
    records.delete(attempt, PLACE);
  }

  @Nullable ExperimentSpec prepared(ExperimentId experiment) throws IOException {
    return records.prepared(experiment);
  }

  void prepared(ExperimentId experiment, ExperimentSpec spec) throws IOException {
    records.prepared(experiment, spec);
  }

  void cleanUp(ExperimentId experiment) throws IOException {
    records.cleanUp(experiment);
  }
}
