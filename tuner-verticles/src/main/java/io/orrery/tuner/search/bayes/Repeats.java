package io.orrery.tuner.search.bayes;

import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The results of each place that was tried, so that it can be tried again with the very same
 * parameters.
 *
 * <p>Where all that were tried more than once gave what they gave before, results have no noise,
 * whatever a model thinks of a rugged function: then another repeat is pointless.
 */
public final class Repeats {
  /** So many places must have given the same again. */
  private static final int CONVINCING = 2;

  private final Direction direction;
  private final Map<List<Double>, Tried> tried = new HashMap<>();

  /** For each id, where it was tried. */
  private final Map<String, List<Double>> places = new HashMap<>();

  private int strangers;

  /** A place with its losses by the id of the trial's parameters. */
  private record Tried(Parameters parameters, Map<String, Double> losses) {
    boolean repeated() {
      return losses.size() > 1;
    }

    boolean same() {
      return losses.values().stream().distinct().count() == 1;
    }
  }

  Repeats(Direction direction) {
    this.direction = direction;
  }

  /** Whether the arguments of a search say so. */
  public static boolean wanted(Setting setting) {
    return setting.arguments().get(Options.REPEATS);
  }

  /** A trial has ended, maybe once more. */
  void end(Result result, double[] place) {
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    List<Double> before = places.put(id, key(place));
    Tried earlier = before == null ? null : tried.get(before);
    if (earlier != null) {
      earlier.losses().remove(id);
    }
    double loss = result.loss(direction);
    if (Double.isFinite(loss) && !result.cancelled()) {
      tried
          .computeIfAbsent(key(place), at -> new Tried(result.parameters(), new HashMap<>()))
          .losses()
          .put(id, loss);
    }
  }

  /** Whether repeats have given the same result each time. */
  boolean pointless() {
    List<Tried> repeated = tried.values().stream().filter(Tried::repeated).toList();
    return repeated.size() >= CONVINCING && repeated.stream().allMatch(Tried::same);
  }

  /** The parameters that were tried at a place; null when none were. */
  @Nullable Parameters at(double[] place) {
    Tried one = tried.get(key(place));
    return one == null ? null : one.parameters();
  }

  private static List<Double> key(double[] place) {
    return Arrays.stream(place).boxed().toList();
  }
}
