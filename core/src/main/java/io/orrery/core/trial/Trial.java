package io.orrery.core.trial;

import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trial as other modules see it.
 *
 * @param sequenceId its number within the experiment, from 0; never repeats
 * @param reason why it waits, or why it ended as it did; null when there is nothing to say
 * @param attempt which run of it is meant, from 1
 * @param parameters at least one set, the current one last
 * @param metric the final result, null until it is known; of several sets the best one's
 * @param exitCode of the last attempt's process, null while unknown
 * @param directory where its files are, as the platform names it; null before it started
 */
public record Trial(
    TrialRef ref,
    long sequenceId,
    TrialStatus status,
    @Nullable String reason,
    int attempt,
    List<ParameterSet> parameters,
    @Nullable MetricValue metric,
    @Nullable Integer exitCode,
    @Nullable String directory,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    List<String> tags) {
  public Trial {
    parameters = List.copyOf(parameters);
    tags = List.copyOf(tags);
  }

  /** The parameters that the trial runs with now. */
  public ParameterSet current() {
    return parameters.getLast();
  }

  /** The parameters that its metric belongs to; while it has none, the current ones. */
  public ParameterSet counted() {
    for (ParameterSet set : parameters) {
      if (set.result() != null && set.result().equals(metric)) {
        return set;
      }
    }
    return current();
  }

  /** The parameter sets that the trial was given, each with its result. */
  public List<ParameterSet> tried() {
    boolean alone = parameters.size() == 1 && current().result() == null;
    return alone ? List.of(current().withResult(metric)) : parameters;
  }
}
