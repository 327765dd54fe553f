package io.orrery.benchmarks.search.noise;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The regrets that {@link NoiseBenchmark} measured. */
public record NoiseReport(List<NoisePlay> all) implements PrintedReport {
  static final int[] MARKS = {25, 50, 100};

  /** A regret below which there is nothing to be told apart. */
  private static final double EPSILON = 1e-4;

  public NoiseReport {
    all = List.copyOf(all);
  }

  /**
   * A run.
   *
   * @param noise its standard deviation, in distances of a random configuration from the optimum
   * @param luckiest the regret, without noise, of the configuration with the best single result, at
   *     each mark
   * @param expected the same of the one that a model expects to be the best
   * @param repeated how many trials repeated another
   */
  record NoisePlay(
      String tuner,
      String problem,
      double noise,
      boolean repeats,
      long seed,
      double[] luckiest,
      double[] expected,
      int repeated) {
    String search() {
      return tuner + (repeats ? " with repeats" : "");
    }
  }

  /** The tables, for people: geometric means over seeds and problems. */
  @Override
  public String text() {
    ResultTable byNoise = table("noise");
    ResultTable byProblem = table("problem", "noise");
    for (double noise : all.stream().mapToDouble(NoisePlay::noise).distinct().toArray()) {
      for (String search : names(NoisePlay::search)) {
        Predicate<NoisePlay> kind = one -> one.noise() == noise && one.search().equals(search);
        String shown = String.format(Locale.ROOT, "%.2g", noise);
        byNoise.row(cells(kind, shown, search));
        for (String problem : names(NoisePlay::problem)) {
          Predicate<NoisePlay> there = kind.and(one -> one.problem().equals(problem));
          if (all.stream().anyMatch(there)) {
            byProblem.row(cells(there, problem, shown, search));
          }
        }
      }
    }
    return byProblem + "\n" + byNoise;
  }

  private static ResultTable table(String... first) {
    String[] columns = Arrays.copyOf(first, first.length + 2 + 2 * MARKS.length);
    columns[first.length] = "search";
    for (int i = 0; i < MARKS.length; i++) {
      columns[first.length + 1 + i] = "luckiest@" + MARKS[i];
      columns[first.length + 1 + MARKS.length + i] = "expected@" + MARKS[i];
    }
    columns[columns.length - 1] = "repeats";
    return new ResultTable(columns);
  }

  private List<String> names(Function<NoisePlay, String> name) {
    return all.stream().map(name).distinct().toList();
  }

  private String[] cells(Predicate<NoisePlay> which, String... first) {
    List<NoisePlay> plays = all.stream().filter(which).toList();
    String[] cells = Arrays.copyOf(first, first.length + 1 + 2 * MARKS.length);
    for (int i = 0; i < MARKS.length; i++) {
      int mark = i;
      cells[first.length + i] = mean(plays, play -> play.luckiest()[mark]);
      cells[first.length + MARKS.length + i] = mean(plays, play -> play.expected()[mark]);
    }
    double repeated = plays.stream().mapToInt(NoisePlay::repeated).average().orElse(Double.NaN);
    cells[cells.length - 1] = String.format(Locale.ROOT, "%.1f", repeated);
    return cells;
  }

  private static String mean(List<NoisePlay> plays, Function<NoisePlay, Double> regret) {
    double mean =
        plays.stream()
            .mapToDouble(play -> Math.log(regret.apply(play) + EPSILON))
            .average()
            .orElse(Double.NaN);
    return String.format(Locale.ROOT, "%.3g", Math.exp(mean));
  }

  /** One object for each run. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    return all.stream()
        .map(play -> {
          Map<String, @Nullable Object> object = new LinkedHashMap<>();
          object.put("mode", "noise");
          object.put("tuner", play.tuner());
          object.put("problem", play.problem());
          object.put("noise", play.noise());
          object.put("repeats", play.repeats());
          object.put("seed", play.seed());
          for (int i = 0; i < MARKS.length; i++) {
            object.put("luckiest" + MARKS[i], play.luckiest()[i]);
            object.put("expected" + MARKS[i], play.expected()[i]);
          }
          object.put("repeated", play.repeated());
          return object;
        })
        .toList();
  }
}
