package io.orrery.tuner.search.hyperband;

import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run of successive halving: which configurations began, how each did in each round, and so which
 * are to go on. A round is over when all its places are taken and all its trials have ended; then
 * the best go on, as many as the ladder says, but none that failed.
 *
 * <p>It is a function of who began and of the last result of each, whatever the order.
 */
final class Bracket {
  private final List<Ladder.Rung> rungs;
  private final Map<Long, Parameters> configurations = new HashMap<>();
  private final List<Round> rounds = new ArrayList<>();

  Bracket(List<Ladder.Rung> rungs) {
    this.rungs = rungs;
    rungs.forEach(rung -> rounds.add(new Round()));
  }

  /** A promotion that is due. */
  record Promotion(long configuration, int round, Parameters parameters) {}

  private static final class Round {
    /** The last result of each configuration that began, null while it runs. */
    private final Map<Long, @Nullable Double> losses = new TreeMap<>();

    private int running;
    private int usable;

    /** Those that did not fail, best first; null when it is to be made anew. */
    private @Nullable List<Long> best;

    void begin(long configuration) {
      if (!losses.containsKey(configuration)) {
        losses.put(configuration, null);
        running++;
      }
    }

    void end(long configuration, double loss) {
      begin(configuration);
      Double before = losses.put(configuration, loss);
      running -= before == null ? 1 : 0;
      usable += (usable(loss) ? 1 : 0) - (before == null || !usable(before) ? 0 : 1);
      best = null;
    }

    /** Whether there is a measure, and not one that is worse than anything. */
    private static boolean usable(double loss) {
      return Double.isFinite(loss);
    }

    List<Long> best() {
      if (best == null) {
        List<Long> sorted = new ArrayList<>();
        losses.forEach((configuration, loss) -> {
          if (loss != null && usable(loss)) {
            sorted.add(configuration);
          }
        });
        // The sort is stable: of equal ones the older goes first.
        sorted.sort(Comparator.comparingDouble(c -> losses.getOrDefault(c, Double.NaN)));
        best = sorted;
      }
      return best;
    }
  }

  /** The budget of a round. */
  long budget(int round) {
    return rungs.get(round).budget();
  }

  void begin(long configuration, int round, Parameters parameters) {
    configurations.putIfAbsent(configuration, parameters);
    rounds.get(round).begin(configuration);
  }

  void end(long configuration, int round, double loss) {
    rounds.get(round).end(configuration, loss);
  }

  /** Whether another configuration may begin. */
  boolean hasRoom() {
    return rounds.getFirst().losses.size() < rungs.getFirst().size();
  }

  /**
   * The configuration that goes on next; null when none does before more results are in, or ever.
   *
   * @param closed whether no configuration will begin any more, though there is room
   */
  @Nullable Promotion promotion(boolean closed) {
    for (int round = 1; round < rungs.size() && over(round - 1, closed); round++) {
      Round here = rounds.get(round);
      if (here.losses.size() < places(round)) {
        for (long configuration : rounds.get(round - 1).best()) {
          Parameters parameters = configurations.get(configuration);
          if (parameters != null && !here.losses.containsKey(configuration)) {
            return new Promotion(configuration, round, parameters);
          }
        }
      }
    }
    return null;
  }

  /** Whether nothing is to come of it any more. */
  boolean over(boolean closed) {
    for (int round = 0; round < rungs.size(); round++) {
      if (!over(round, closed)) {
        return false;
      }
    }
    return true;
  }

  private boolean over(int round, boolean closed) {
    boolean full = rounds.get(round).losses.size() >= places(round);
    return rounds.get(round).running == 0 && (full || (round == 0 && closed));
  }

  /** How many a round takes: of a round with failures fewer may go on. */
  private int places(int round) {
    int size = rungs.get(round).size();
    return round == 0 ? size : Math.min(size, rounds.get(round - 1).usable);
  }
}
