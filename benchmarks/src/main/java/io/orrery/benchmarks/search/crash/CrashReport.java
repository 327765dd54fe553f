package io.orrery.benchmarks.search.crash;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The regrets that {@link CrashBenchmark} measured. */
public record CrashReport(List<CrashPlay> all) implements PrintedReport {
  /** A regret below which there is nothing to be told apart. */
  private static final double EPSILON = 1e-4;

  private static final int[] MARKS = {25, 50, 100};

  public CrashReport {
    all = List.copyOf(all);
  }

  /**
   * A run.
   *
   * @param regrets after each trial
   * @param failed the share of the trials that failed
   */
  record CrashPlay(
      String tuner, String problem, Crashes crashes, long seed, double[] regrets, double failed) {}

  /** The tables, for people: geometric means over seeds and problems. */
  @Override
  public String text() {
    ResultTable byKind =
        new ResultTable("crashes", "tuner", "regret@25", "regret@50", "regret@100", "failed");
    ResultTable byProblem =
        new ResultTable(
            "problem", "crashes", "tuner", "regret@25", "regret@50", "regret@100", "failed");
    for (Crashes crashes : Crashes.values()) {
      for (String tuner : names(all.stream().map(CrashPlay::tuner).toList())) {
        Predicate<CrashPlay> kind = line -> line.crashes() == crashes && line.tuner().equals(tuner);
        byKind.row(cells(kind, crashes.text(), tuner));
        for (String problem : names(all.stream().map(CrashPlay::problem).toList())) {
          byProblem.row(
              cells(
                  kind.and(line -> line.problem().equals(problem)),
                  problem,
                  crashes.text(),
                  tuner));
        }
      }
    }
    return byProblem + "\n" + byKind;
  }

  private static List<String> names(List<String> all) {
    return all.stream().distinct().toList();
  }

  private String[] cells(Predicate<CrashPlay> which, String... first) {
    List<CrashPlay> lines = all.stream().filter(which).toList();
    String[] cells = new String[first.length + MARKS.length + 1];
    System.arraycopy(first, 0, cells, 0, first.length);
    for (int i = 0; i < MARKS.length; i++) {
      int mark = MARKS[i];
      double mean =
          lines.stream()
              .mapToDouble(line -> Math.log(line.regrets()[mark - 1] + EPSILON))
              .average()
              .orElse(Double.NaN);
      cells[first.length + i] = String.format(Locale.ROOT, "%.3g", Math.exp(mean));
    }
    double failed = lines.stream().mapToDouble(CrashPlay::failed).average().orElse(Double.NaN);
    cells[cells.length - 1] = String.format(Locale.ROOT, "%.2f", failed);
    return cells;
  }

  /** One object for each run. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    return all.stream()
        .map(line -> {
          Map<String, @Nullable Object> object = new LinkedHashMap<>();
          object.put("mode", "crash");
          object.put("tuner", line.tuner());
          object.put("problem", line.problem());
          object.put("crashes", line.crashes().text());
          object.put("seed", line.seed());
          for (int mark : MARKS) {
            object.put("regret" + mark, line.regrets()[mark - 1]);
          }
          object.put("failed", line.failed());
          return object;
        })
        .toList();
  }
}
