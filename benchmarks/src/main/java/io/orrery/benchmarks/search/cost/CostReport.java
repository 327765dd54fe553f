package io.orrery.benchmarks.search.cost;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The regrets that {@link CostBenchmark} measured. */
public record CostReport(List<CostPlay> all) implements PrintedReport {
  /** A regret below which there is nothing to be told apart. */
  private static final double EPSILON = 1e-4;

  public CostReport {
    all = List.copyOf(all);
  }

  /**
   * A run.
   *
   * @param regrets at the marks of {@link CostBenchmark#MARKS}
   * @param trials how many the budget was enough for
   */
  record CostPlay(
      String tuner, String problem, Prices prices, long seed, double[] regrets, int trials) {}

  /** The tables, for people: geometric means over seeds and problems. */
  @Override
  public String text() {
    ResultTable byKind =
        new ResultTable("prices", "tuner", "regret@25%", "regret@50%", "regret@100%", "trials");
    ResultTable byProblem =
        new ResultTable(
            "problem", "prices", "tuner", "regret@25%", "regret@50%", "regret@100%", "trials");
    for (Prices prices : Prices.values()) {
      for (String tuner : names(all.stream().map(CostPlay::tuner).toList())) {
        Predicate<CostPlay> kind = play -> play.prices() == prices && play.tuner().equals(tuner);
        byKind.row(cells(kind, prices.text(), tuner));
        for (String problem : names(all.stream().map(CostPlay::problem).toList())) {
          byProblem.row(
              cells(
                  kind.and(play -> play.problem().equals(problem)), problem, prices.text(), tuner));
        }
      }
    }
    return byProblem + "\n" + byKind;
  }

  private static List<String> names(List<String> all) {
    return all.stream().distinct().toList();
  }

  private String[] cells(Predicate<CostPlay> which, String... first) {
    List<CostPlay> plays = all.stream().filter(which).toList();
    String[] cells = new String[first.length + CostBenchmark.MARKS.length + 1];
    System.arraycopy(first, 0, cells, 0, first.length);
    for (int i = 0; i < CostBenchmark.MARKS.length; i++) {
      int mark = i;
      double mean =
          plays.stream()
              .mapToDouble(play -> Math.log(play.regrets()[mark] + EPSILON))
              .average()
              .orElse(Double.NaN);
      cells[first.length + i] = String.format(Locale.ROOT, "%.3g", Math.exp(mean));
    }
    double trials = plays.stream().mapToInt(CostPlay::trials).average().orElse(Double.NaN);
    cells[cells.length - 1] = String.format(Locale.ROOT, "%.0f", trials);
    return cells;
  }

  /** One object for each run. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    return all.stream()
        .map(play -> {
          Map<String, @Nullable Object> object = new LinkedHashMap<>();
          object.put("mode", "cost");
          object.put("tuner", play.tuner());
          object.put("problem", play.problem());
          object.put("prices", play.prices().text());
          object.put("seed", play.seed());
          for (int i = 0; i < CostBenchmark.MARKS.length; i++) {
            object.put("regret" + Math.round(100 * CostBenchmark.MARKS[i]), play.regrets()[i]);
          }
          object.put("trials", play.trials());
          return object;
        })
        .toList();
  }
}
