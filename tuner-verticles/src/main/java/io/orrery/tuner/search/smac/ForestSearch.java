package io.orrery.tuner.search.smac;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Rows;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.encode.Vicinity;
import io.orrery.tuner.math.Forest;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.surrogate.Design;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Begins with a Latin hypercube; then a forest learns the losses, and of many candidates the one is
 * suggested that promises the greatest expected improvement. Now and then a draw of the space
 * interrupts, so that no belief of the forest is final.
 *
 * <p>Losses are brought to normal scores, their ranks on a bell curve. Where SMAC takes logarithms
 * this needs no idea of the scale, outliers and infinities do no harm, and what sets good trials
 * apart from better ones counts as much as what sets bad ones apart from worse ones.
 *
 * <p>A running trial takes part with a middling score, so that others keep off. Of a long history
 * the best trials and an even sample of the others are learnt.
 */
final class ForestSearch {
  private static final Forest.Growth GROWTH = new Forest.Growth(20, 64, 3, 0.8, true, false);

  /** So many trials begin for each parameter, within bounds. */
  private static final long DESIGNED_EACH = 2;

  private static final int LEAST_DESIGNED = 8;
  private static final int MOST_DESIGNED = 20;

  /** How often a draw of the space interrupts. */
  private static final double RANDOM = 0.04;

  /** The most trials that a forest learns from, and how many of them are the best. */
  private static final int MOST_LEARNT = 1_000;

  private static final int BEST_LEARNT = 250;

  private final Rows rows;
  private final UnitCube cube;
  private final Vicinity vicinity;
  private final Design design;

  ForestSearch(Axes axes, long seed) {
    rows = new Rows(axes);
    cube = new UnitCube(axes);
    vicinity = new Vicinity(axes);
    int designed = Math.clamp(DESIGNED_EACH * cube.size(), LEAST_DESIGNED, MOST_DESIGNED);
    design = new Design(cube, designed, Rng.keyed(seed, -1));
  }

  Stream<double[]> next(History known, long number, Rng rng) {
    Stream<double[]> anywhere = Stream.generate(() -> cube.point(vicinity.anywhere(rng)));
    if (number < design.size()) {
      return Stream.concat(Stream.of(cube.point(design.place((int) number))), anywhere);
    }
    List<Trial> ended =
        known.ended().stream()
            .filter(trial -> !Double.isNaN(trial.loss()))
            .sorted(Comparator.comparingDouble(Trial::loss))
            .toList();
    if (ended.size() < 2 || rng.nextDouble() < RANDOM) {
      return anywhere;
    }
    return promising(ended, known, rng).map(cube::point);
  }

  private Stream<double[]> promising(List<Trial> ended, History known, Rng rng) {
    List<double[]> places = new ArrayList<>();
    List<Double> scores = new ArrayList<>();
    for (int rank : learnt(ended.size())) {
      places.add(rows.of(ended.get(rank).point()));
      scores.add(score(ended, rank));
    }
    double best = scores.getFirst();
    known
        .running()
        .forEach(point -> {
          places.add(rows.of(point));
          scores.add(0.0);
        });
    double[][] table = places.toArray(double[][]::new);
    double[] values = scores.stream().mapToDouble(score -> score).toArray();
    Forest forest = Forest.grow(table, values, rows.options(), GROWTH, rng.split(1));
    return new Candidates(vicinity, forest, best, ended.size(), rng)
        .near(places.subList(0, table.length - known.running().size()))
        .bestFirst();
  }

  /** Which of so many trials are learnt, by rank. */
  private static int[] learnt(int count) {
    int[] ranks = new int[Math.min(count, MOST_LEARNT)];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] =
          i < BEST_LEARNT
              ? i
              : BEST_LEARNT
                  + (int)
                      ((long) (i - BEST_LEARNT)
                          * (count - BEST_LEARNT)
                          / (ranks.length - BEST_LEARNT));
    }
    return ranks;
  }

  /** The normal score of a rank; trials with the same loss have the same. */
  private static double score(List<Trial> ended, int rank) {
    double loss = ended.get(rank).loss();
    int first = rank;
    while (first > 0 && ended.get(first - 1).loss() == loss) {
      first--;
    }
    return Gaussian.quantile((first + 0.5) / ended.size());
  }
}
