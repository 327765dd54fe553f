package io.orrery.tuner.search;

import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.tuner.encode.Axes;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The knowledge of a tuner: trials that have ended, in the order of their results, and those that
 * run, in the order of their numbers. So it is a function of the set of suggestions and of the
 * sequence of results, as {@link Tuner} asks.
 */
public final class History {
  /**
   * A trial that has ended.
   *
   * @param point as {@link Axes} has it
   * @param losses for each objective, less is better; NaN where there is no measure, positive
   *     infinity where the trial is worse than anything
   * @param cancelled whether it did not come to its own end
   * @param cost what it cost, NaN where that is not known
   */
  public record Trial(double[] point, double[] losses, boolean cancelled, double cost) {
    /** That of the first objective. */
    public double loss() {
      return losses[0];
    }

    /** Whether it came to its own end without a number. */
    public boolean failed() {
      return !cancelled && !(loss() < Double.POSITIVE_INFINITY);
    }
  }

  /** Numbers as text, without reading them: the shorter is the smaller. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final List<Objective> objectives;

  /** By parameter id, or by a name of our own for what users tried. */
  private final SequencedMap<String, Trial> ended = new LinkedHashMap<>();

  private final SortedMap<String, double[]> running = new TreeMap<>(BY_NUMBER);
  private int strangers;
  private long changes;

  public History(Objectives objectives) {
    this.objectives = objectives.all();
  }

  /** A trial begins. */
  public void begin(String parameterId, double[] point) {
    running.put(parameterId, point);
  }

  /**
   * A trial has ended; one that had ended before, and was run again, is forgotten first.
   *
   * @return whether there was one to forget
   */
  public boolean end(Result result, double[] point) {
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    running.remove(id);
    boolean again = ended.remove(id) != null;
    changes++;
    ended.put(id, new Trial(point, result.losses(objectives), result.cancelled(), result.cost()));
    return again;
  }

  /** What has ended, in the order of the results. */
  public SequencedCollection<Trial> ended() {
    return ended.sequencedValues();
  }

  /** How many of the suggestions have ended. */
  public int suggestionsEnded() {
    return ended.size() - strangers;
  }

  /** The points that run, in the order of their numbers. */
  public Collection<double[]> running() {
    return running.values();
  }

  /** Another number after each result: what was made of the results before it is out of date. */
  public long changes() {
    return changes;
  }
}
