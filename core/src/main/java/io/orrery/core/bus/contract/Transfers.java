package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.trial.Parameters;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The questions about earlier experiments that a search learns from. */
public final class Transfers {
  /**
   * The earlier experiments that an experiment was given when it was created; none when there were
   * none, or there is no such experiment. They never change. The orchestrator answers.
   */
  public static final Address<SourcesOf, Sources> SOURCES =
      new Address<>("experiments.sources", SourcesOf.class, Sources.class).waiting(Address.LONG);

  /** The weights of these sources by the results so far. The tuner module answers. */
  public static final Address<WorthOf, Worths> WORTH =
      new Address<>("tuners.worth", WorthOf.class, Worths.class).waiting(Address.LONG);

  private Transfers() {}

  public record SourcesOf(ExperimentId experiment) {}

  public record Sources(List<Source> sources) {
    public Sources {
      sources = List.copyOf(sources);
    }
  }

  /**
   * An earlier experiment as it was when it was taken.
   *
   * @param name its label, null when it had none
   * @param samples of its trials, in the order of their results, with the names that parameters
   *     have in the experiment that learns from it
   * @param renamed for each parameter that had another name, that name and the one it has here
   */
  public record Source(
      ExperimentId experiment,
      @Nullable String name,
      List<Sample> samples,
      Map<String, String> renamed) {
    public Source {
      samples = List.copyOf(samples);
      renamed = copy(renamed);
    }
  }

  /** A message or a row of the release before has no names. */
  private static Map<String, String> copy(@Nullable Map<String, String> renamed) {
    return renamed == null ? Map.of() : Map.copyOf(renamed);
  }

  /**
   * A trial of an earlier experiment.
   *
   * @param loss less is better; null when it failed, or gave no finite number
   */
  public record Sample(Parameters parameters, @Nullable Double loss) {}

  public record WorthOf(ExperimentId experiment) {}

  /**
   * The worth of all sources of an experiment.
   *
   * @param results how many results of this experiment they were compared with
   */
  public record Worths(List<Worth> sources, long results) {
    public Worths {
      sources = List.copyOf(sources);
    }
  }

  /**
   * The worth of a source.
   *
   * @param trials how many of its trials were taken
   * @param used how many of them lie in the ranges of this experiment; 0 when it is no source
   * @param weight from 0 to 1: how often it ranks resamples of the results best of all sources, and
   *     clearly better than chance
   * @param renamed as the source has it
   */
  public record Worth(
      ExperimentId experiment,
      @Nullable String name,
      int trials,
      int used,
      double weight,
      Map<String, String> renamed) {
    public Worth {
      renamed = copy(renamed);
    }
  }
}
