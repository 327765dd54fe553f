package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.trial.Parameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The question which configuration is best where results are noisy. */
public final class Incumbents {
  /** The incumbent by the results so far. The tuner module answers. */
  public static final Address<IncumbentOf, Incumbent> INCUMBENT =
      new Address<>("tuners.incumbent", IncumbentOf.class, Incumbent.class).waiting(Address.LONG);

  private Incumbents() {}

  public record IncumbentOf(ExperimentId experiment) {}

  /**
   * The configuration that is expected to be the best, among those that were tried.
   *
   * @param parameters null where there is no result yet
   * @param trials that had them and gave a finite number, in the order of their results
   * @param mean of what they gave, null where there is none
   */
  public record Incumbent(
      @Nullable Parameters parameters, List<TrialId> trials, @Nullable Double mean) {
    public static final Incumbent NONE = new Incumbent(null, List.of(), null);

    public Incumbent {
      trials = List.copyOf(trials);
    }
  }
}
