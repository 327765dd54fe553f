package io.orrery.orchestrator.spec;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of an experiment file.
 *
 * @param spec what was understood; null when the file itself has findings
 * @param findings everything that is wrong, with the author's pointers and lines
 * @param notices what the author should know though nothing is wrong, in full sentences
 * @param places brings findings that others make on the canonical form (a tuner's, a platform's) to
 *     the author's pointers and lines
 * @param search what the search is to do, so that its algorithms can be asked although the file has
 *     other faults; null when not even that could be read
 */
public record SpecReading(
    @Nullable ExperimentSpec spec,
    List<Finding> findings,
    List<String> notices,
    Places places,
    @Nullable Search search) {
  /**
   * The part of an experiment that the tuner module has an opinion on.
   *
   * @param tuner null when its section has faults of its own
   * @param assessor null when there is none, or its section has faults of its own
   * @param space empty when it has faults of its own
   */
  public record Search(
      @Nullable AlgorithmSpec tuner, @Nullable AlgorithmSpec assessor, SearchSpace space) {}

  public SpecReading {
    findings = List.copyOf(findings);
    notices = List.copyOf(notices);
  }

  /** The same with findings that others made on the canonical form, brought to their places. */
  public SpecReading with(List<Finding> canonical) {
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(places.placed(canonical));
    return new SpecReading(spec, all, notices, places, search);
  }
}
