package io.orrery.core.bus.contract;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Address;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about experiments that do not take place; the orchestrator answers. */
public final class Simulations {
  /** The longest time of a simulation: its caller does not wait longer. */
  public static final Duration LONGEST = Duration.ofSeconds(45);

  /**
   * Plays an experiment of the platform {@code simulated} through, on virtual time, several times
   * with different chance. Nothing of it is stored. Refused with every finding at once; Busy while
   * others rehearse.
   */
  public static final Address<Rehearse, Rehearsed> REHEARSE =
      new Address<>("rehearsals.rehearse", Rehearse.class, Rehearsed.class).waiting(Address.LONG);

  private Simulations() {}

  /**
   * A request to simulate an experiment.
   *
   * @param text the configuration, YAML or JSON, NNI v1, v2 or v3
   * @param base absolute directory that relative paths start from; null allows absolute ones only
   * @param runs how often, 1 to 100
   * @param ownership as in {@link TrainingServices.Check}
   * @param serverFiles as in {@link Experiments.Create}
   */
  public record Rehearse(
      String text, @Nullable String base, int runs, ResourceOwner ownership, boolean serverFiles) {}

  /**
   * The runs of a simulation.
   *
   * @param spec what was understood
   * @param runs those that came to their end in time; fewer than asked for when time ran out
   * @param notices what the author should know, in full sentences
   */
  public record Rehearsed(ExperimentSpec spec, List<Run> runs, List<String> notices) {
    public Rehearsed {
      runs = List.copyOf(runs);
      notices = List.copyOf(notices);
    }
  }

  /**
   * A simulated run.
   *
   * @param seed that makes it go this way again
   * @param status how it ended
   * @param error why, when it ended badly; else null
   * @param trials how many there were, by how they ended
   * @param attempts how often trials were started, retries included
   * @param duration simulated seconds from its begin to its end
   * @param busy simulated seconds that trials ran, all together
   * @param best null when no trial had a result
   */
  public record Run(
      long seed,
      ExperimentStatus status,
      @Nullable String error,
      Map<TrialStatus, Long> trials,
      long attempts,
      double duration,
      double busy,
      @Nullable Best best) {
    public Run {
      trials = Map.copyOf(trials);
    }
  }

  /**
   * The best trial of a run.
   *
   * @param after simulated seconds from the experiment's begin until it was known
   */
  public record Best(MetricValue metric, Parameters parameters, double after) {}
}
