package io.orrery.tuner.search;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.encode.Axes;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a tuner knows: trials that have ended, in the order of their results, and those that run, in
 * the order of their numbers. So it is a function of the set of suggestions and of the sequence of
 * results, as {@link Tuner} asks.
 */
public final class History {
  /**
   * A trial that has ended.
   *
   * @param point as {@link Axes} has it
   * @param loss less is better; NaN when the trial gave no number
   */
  public record Trial(double[] point, double loss) {}

  /** Numbers as text, without reading them: the shorter is the smaller. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final Direction direction;

  /** By parameter id, or by a name of our own for what users tried. */
  private final SequencedMap<String, Trial> ended = new LinkedHashMap<>();

  private final SortedMap<String, double[]> running = new TreeMap<>(BY_NUMBER);
  private int strangers;
  private long changes;

  public History(Direction direction) {
    this.direction = direction;
  }

  /** A trial begins. */
  public void begin(String parameterId, double[] point) {
    running.put(parameterId, point);
  }

  /** A trial has ended; one that had ended before, and was run again, is forgotten first. */
  public void end(Result result, double[] point) {
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    running.remove(id);
    ended.remove(id);
    changes++;
    double loss = direction == Direction.MINIMIZE ? result.value() : -result.value();
    ended.put(id, new Trial(point, loss));
  }

  /** What has ended, in the order of the results. */
  public Collection<Trial> ended() {
    return ended.values();
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
