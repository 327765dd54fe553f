package io.orrery.orchestrator.spec;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.schema.Places;
import io.orrery.core.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of reading an experiment file.
 *
 * <p>Others judge the same file: a tuner, a platform. What they say of a place where something was
 * found wrong already, or of a whole of which a part is wrong, is left out: they saw only what
 * could be read of it.
 *
 * @param spec what was understood; null when the file itself has findings
 * @param findings everything that is wrong, with the author's pointers and lines
 * @param notices what the author should know though nothing is wrong, in full sentences
 * @param faulty canonical pointers of everything that is wrong
 * @param places brings findings that others make on the canonical form (a tuner's, a platform's) to
 *     the author's pointers and lines
 * @param search what the search is to do, so that its algorithms can be asked although the file has
 *     other faults; null when not even that could be read
 */
public record SpecReading(
    @Nullable ExperimentSpec spec,
    List<Finding> findings,
    List<String> notices,
    List<String> faulty,
    Places places,
    @Nullable Search search) {
  /**
   * The part of an experiment that the tuner module has an opinion on.
   *
   * @param tuner null when it cannot be told which one is meant
   * @param assessor null when there is none, or it cannot be told which one is meant
   * @param space what could be read of it
   * @param objectives how many, as far as they could be read
   */
  public record Search(
      @Nullable AlgorithmSpec tuner,
      @Nullable AlgorithmSpec assessor,
      SearchSpace space,
      int objectives) {}

  public SpecReading {
    findings = List.copyOf(findings);
    notices = List.copyOf(notices);
    faulty = List.copyOf(faulty);
  }

  /** The same with findings that others made on the canonical form, brought to their places. */
  public SpecReading with(List<Finding> canonical) {
    List<Finding> fresh =
        canonical.stream().filter(finding -> !isFaulty(finding.pointer())).toList();
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(places.placed(fresh));
    return new SpecReading(spec, all, notices, faulty, places, search);
  }

  /** The same with notices that others have. */
  public SpecReading noting(List<String> others) {
    List<String> all = new ArrayList<>(notices);
    all.addAll(others);
    return new SpecReading(spec, findings, all, faulty, places, search);
  }

  private boolean isFaulty(String pointer) {
    return faulty.stream()
        .anyMatch(known -> known.equals(pointer) || known.startsWith(pointer + "/"));
  }
}
