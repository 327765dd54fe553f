package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.trial.Trial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A durable change of an experiment. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ExperimentEvent.Changed.class, name = "experiment"),
  @JsonSubTypes.Type(value = ExperimentEvent.TrialChanged.class, name = "trial"),
  @JsonSubTypes.Type(value = ExperimentEvent.TrialWithdrawn.class, name = "trial-withdrawn"),
  @JsonSubTypes.Type(value = ExperimentEvent.Annotated.class, name = "annotated"),
  @JsonSubTypes.Type(value = ExperimentEvent.Deleted.class, name = "deleted"),
})
public sealed interface ExperimentEvent {
  /** A change of status, counts, limits or best trial. */
  record Changed(Experiment experiment) implements ExperimentEvent {}

  /** A trial came into being or moved on. */
  record TrialChanged(Trial trial) implements ExperimentEvent {}

  /** A planned trial was taken back before it started, because the search space changed. */
  record TrialWithdrawn(TrialRef trial) implements ExperimentEvent {}

  /**
   * A change of the note or the tags of the experiment, or of a trial.
   *
   * @param trial null for the experiment itself
   * @param tags all that it has now
   */
  record Annotated(ExperimentId id, @Nullable TrialId trial, List<String> tags)
      implements ExperimentEvent {
    public Annotated {
      tags = List.copyOf(tags);
    }
  }

  /** The deletion of an experiment with all of its data. */
  record Deleted(ExperimentId id, ResourceOwner ownership) implements ExperimentEvent {}
}
