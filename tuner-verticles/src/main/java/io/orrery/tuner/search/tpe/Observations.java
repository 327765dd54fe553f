package io.orrery.tuner.search.tpe;

import io.orrery.core.metric.Direction;
import io.orrery.core.number.RunningMean;
import io.orrery.tuner.search.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;

/**
 * The observations so far: trials that have ended, always in the order of their losses, and those
 * that run, in the order of their numbers.
 */
final class Observations {
  /**
   * A trial as the model sees it.
   *
   * @param loss less is better; presumed when the trial still runs
   * @param order in which results came; of equal losses the older goes first
   */
  record Observation(double[] point, double loss, long order) {
    private static final Comparator<Observation> BY_LOSS =
        Comparator.comparingDouble(Observation::loss).thenComparingLong(Observation::order);

    /** Whether there is no result yet. */
    boolean running() {
      return order == Long.MAX_VALUE;
    }
  }

  /** Numbers as text, without reading them: the shorter is the smaller. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final Direction direction;
  private final UnaryOperator<double[]> remembered;

  private final List<Observation> byLoss = new ArrayList<>();

  /** By parameter id, or by a name of our own for what users tried. */
  private final Map<String, Observation> ended = new HashMap<>();

  private final SortedMap<String, double[]> running = new TreeMap<>(BY_NUMBER);
  private int strangers;
  private long results;

  /**
   * @param remembered brings a point to the coordinates that it is kept in
   */
  Observations(Direction direction, UnaryOperator<double[]> remembered) {
    this.direction = direction;
    this.remembered = remembered;
  }

  /** A trial begins. */
  void begin(String parameterId, double[] point) {
    running.put(parameterId, remembered.apply(point));
  }

  /** A trial has ended; one that had ended before, and was run again, is forgotten first. */
  void end(Result result, double[] point) {
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    running.remove(id);
    Observation earlier = ended.remove(id);
    if (earlier != null) {
      byLoss.remove(place(earlier));
    }
    double loss = result.loss(direction);
    if (!Double.isNaN(loss)) {
      Observation latest = new Observation(remembered.apply(point), loss, results++);
      ended.put(id, latest);
      byLoss.add(-place(latest) - 1, latest);
    }
  }

  private int place(Observation observation) {
    return Collections.binarySearch(byLoss, observation, Observation.BY_LOSS);
  }

  /** How many trials have ended with a measure. */
  int ended() {
    return byLoss.size();
  }

  /**
   * All that ended, and those that run with the loss that they are lent; best first, of equal ones
   * the older. A view: not to be kept.
   */
  List<Observation> byLoss(String liar) {
    if (liar.equals("none") || running.isEmpty()) {
      return Collections.unmodifiableList(byLoss);
    }
    double lie = lie(liar);
    List<Observation> lent =
        running.values().stream().map(p -> new Observation(p, lie, Long.MAX_VALUE)).toList();
    int after = -place(lent.getFirst()) - 1;
    List<Observation> all = new ArrayList<>(byLoss.size() + lent.size());
    all.addAll(byLoss.subList(0, after));
    all.addAll(lent);
    all.addAll(byLoss.subList(after, byLoss.size()));
    return all;
  }

  private double lie(String liar) {
    return switch (liar) {
      case "best" -> finite().findFirst().orElse(0);
      case "worst" -> finite(byLoss.reversed()).findFirst().orElse(0);
      case "mean" -> RunningMean.of(finite().boxed().toList());
      default -> throw new IllegalArgumentException(liar);
    };
  }

  private DoubleStream finite() {
    return finite(byLoss);
  }

  private static DoubleStream finite(List<Observation> observations) {
    return observations.stream().mapToDouble(Observation::loss).filter(Double::isFinite);
  }
}
