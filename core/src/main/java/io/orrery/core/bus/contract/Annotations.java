package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Notes and tags that users give to experiments and trials; the orchestrator keeps them. */
public final class Annotations {
  /** The most characters of a note. */
  public static final int MOST_NOTE = 20_000;

  /** The most tags of one experiment or trial. */
  public static final int MOST_TAGS = 20;

  /** The most characters of a tag. */
  public static final int MOST_TAG = 40;

  /** Reads the annotation of an experiment or trial; NotFound when that does not exist. */
  public static final Address<Of, Annotation> GET =
      new Address<>("annotations.get", Of.class, Annotation.class);

  /** Changes note, tags or both; answers when the change is durable. */
  public static final Address<Change, Annotation> CHANGE =
      new Address<>("annotations.change", Change.class, Annotation.class);

  /** The tags of some experiments. */
  public static final Address<OfExperiments, Tags> OF_EXPERIMENTS =
      new Address<>("annotations.experiments", OfExperiments.class, Tags.class);

  /** The tags of some trials of an experiment. */
  public static final Address<OfTrials, Tags> OF_TRIALS =
      new Address<>("annotations.trials", OfTrials.class, Tags.class);

  /** The annotations of some trials of an experiment, notes included. */
  public static final Address<OfTrials, Several> SEVERAL =
      new Address<>("annotations.several", OfTrials.class, Several.class);

  private Annotations() {}

  /**
   * The place of an annotation: an experiment, or one of its trials.
   *
   * @param trial null for the experiment itself
   */
  public record Of(ExperimentId experiment, @Nullable TrialId trial) {}

  /**
   * A change of note, tags or both.
   *
   * @param note null leaves it, empty takes it away; at most {@value #MOST_NOTE} characters
   * @param tags null leaves them; at most {@value #MOST_TAGS}, each of 1 to {@value #MOST_TAG}
   *     characters
   */
  public record Change(Of of, @Nullable String note, @Nullable List<String> tags) {
    public Change {
      tags = tags == null ? null : List.copyOf(tags);
    }
  }

  /**
   * The note and the tags of one experiment or trial.
   *
   * @param note empty when there is none
   * @param tags in the order of their letters
   * @param changedAt of the last change of either; null when there was none
   */
  public record Annotation(String note, List<String> tags, @Nullable Instant changedAt) {
    /** The annotation of what has none. */
    public static final Annotation NONE = new Annotation("", List.of(), null);

    public Annotation {
      tags = List.copyOf(tags);
    }
  }

  /**
   * The annotations of several trials.
   *
   * @param byTrial by the id of the trial; what has none is left out
   */
  public record Several(Map<String, Annotation> byTrial) {
    public Several {
      byTrial = Collections.unmodifiableMap(new TreeMap<>(byTrial));
    }

    /** The annotation of a trial. */
    public Annotation of(TrialId trial) {
      return byTrial.getOrDefault(trial.value(), Annotation.NONE);
    }
  }

  /**
   * An annotation that was made on another server.
   *
   * @param trial null for the experiment itself
   */
  public record Brought(@Nullable TrialId trial, Annotation annotation) {}

  /** The experiments whose tags are wanted. */
  public record OfExperiments(List<ExperimentId> experiments) {
    public OfExperiments {
      experiments = List.copyOf(experiments);
    }
  }

  /** The trials whose tags are wanted. */
  public record OfTrials(ExperimentId experiment, List<TrialId> trials) {
    public OfTrials {
      trials = List.copyOf(trials);
    }
  }

  /**
   * The tags of several experiments or trials.
   *
   * @param byId the tags, in the order of their letters, by the id of their experiment or trial;
   *     what has none is left out
   */
  public record Tags(Map<String, List<String>> byId) {
    public Tags {
      byId = Collections.unmodifiableMap(new TreeMap<>(byId));
    }

    /** Those of one; empty when it has none. */
    public List<String> of(String id) {
      return byId.getOrDefault(id, List.of());
    }
  }
}
