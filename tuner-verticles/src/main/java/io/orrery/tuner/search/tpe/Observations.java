package io.orrery.tuner.search.tpe;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.search.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;

/**
 * What is known: trials that have ended, in the order of their results, and those that run, in the
 * order of their numbers.
 */
final class Observations {
  /**
   * A trial as the model sees it.
   *
   * @param loss less is better; presumed when the trial still runs
   */
  record Observation(double[] point, double loss) {}

  /** Numbers as text, without reading them: the shorter is the smaller. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final Axes axes;
  private final Direction direction;

  /** By parameter id, or by a name of our own for what users tried; in the order of results. */
  private final SequencedMap<String, Observation> ended = new LinkedHashMap<>();

  private final SortedMap<String, double[]> running = new TreeMap<>(BY_NUMBER);
  private int strangers;

  Observations(Axes axes, Direction direction) {
    this.axes = axes;
    this.direction = direction;
  }

  /** A trial begins. */
  void begin(Suggestion suggestion) {
    double[] point = axes.encode(suggestion.parameters());
    if (point != null) {
      running.put(suggestion.parameterId(), point);
    }
  }

  /** A trial has ended; one that had ended before, and was run again, is forgotten first. */
  void end(Result result) {
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    running.remove(id);
    ended.remove(id);
    double[] point = axes.encode(result.parameters());
    if (point != null && result.usable()) {
      double loss = direction == Direction.MINIMIZE ? result.value() : -result.value();
      ended.put(id, new Observation(point, loss));
    }
  }

  /**
   * All that ended, and those that run with the loss that they are lent; best first, of equal ones
   * the older.
   */
  List<Observation> byLoss(String liar) {
    List<Observation> all = new ArrayList<>(ended.values());
    if (!liar.equals("none") && !running.isEmpty()) {
      double lie = lie(liar);
      running.values().forEach(point -> all.add(new Observation(point, lie)));
    }
    all.sort(Comparator.comparingDouble(Observation::loss));
    return all;
  }

  private double lie(String liar) {
    return switch (liar) {
      case "best" -> fold(Math::min);
      case "worst" -> fold(Math::max);
      case "mean" -> losses().average().orElse(0);
      default -> throw new IllegalArgumentException(liar);
    };
  }

  private double fold(DoubleBinaryOperator choose) {
    return losses().reduce(choose).orElse(0);
  }

  private DoubleStream losses() {
    return ended.values().stream().mapToDouble(Observation::loss).filter(Double::isFinite);
  }
}
