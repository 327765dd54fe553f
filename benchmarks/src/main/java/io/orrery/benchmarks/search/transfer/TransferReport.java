package io.orrery.benchmarks.search.transfer;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.report.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The regrets that {@link TransferBenchmark} measured. */
public record TransferReport(List<Family> all) implements PrintedReport {
  /** A regret below which there is nothing to be told apart. */
  private static final double EPSILON = 1e-6;

  /** The number of evaluations after which the search without earlier ones is looked at. */
  private static final int MARK = 50;

  public TransferReport {
    all = List.copyOf(all);
  }

  /**
   * A family.
   *
   * @param plain for each seed the regret after each evaluation, without earlier searches
   * @param transfer the same with them
   */
  record Family(String problem, Relation relation, List<double[]> plain, List<double[]> transfer) {
    /**
     * After how many evaluations the search is where the other is at the mark; one more than all.
     */
    int reached() {
      double goal = mean(plain, MARK);
      int length = transfer.getFirst().length;
      return IntStream.rangeClosed(1, length)
          .filter(n -> mean(transfer, n) <= goal)
          .findFirst()
          .orElse(length + 1);
    }

    double regret(boolean with, int evaluations) {
      return mean(with ? transfer : plain, evaluations);
    }
  }

  /** The geometric mean over the seeds. */
  private static double mean(List<double[]> regrets, int evaluations) {
    return Math.exp(
        regrets.stream()
            .mapToDouble(curve -> Math.log(curve[evaluations - 1] + EPSILON))
            .average()
            .orElse(Double.NaN));
  }

  /** The tables, for people. */
  @Override
  public String text() {
    ResultTable table =
        new ResultTable(
            "problem",
            "earlier",
            "reached",
            "plain@10",
            "transfer@10",
            "plain@25",
            "transfer@25",
            "plain@50",
            "transfer@50");
    for (Family line : all) {
      List<String> cells = new ArrayList<>(List.of(line.problem(), line.relation().text()));
      cells.add(Integer.toString(line.reached()));
      for (int n : new int[] {10, 25, 50}) {
        cells.add(number(line.regret(false, n)));
        cells.add(number(line.regret(true, n)));
      }
      table.row(cells.toArray(String[]::new));
    }
    ResultTable sums = new ResultTable("earlier", "problems", "median", "mean", "worst", "pooled");
    for (Relation relation : Relation.values()) {
      List<Family> lines = all.stream().filter(line -> line.relation() == relation).toList();
      if (!lines.isEmpty()) {
        int[] reached = lines.stream().mapToInt(Family::reached).sorted().toArray();
        sums.row(
            relation.text(),
            Integer.toString(lines.size()),
            Integer.toString(reached[reached.length / 2]),
            number(IntStream.of(reached).average().orElse(0)),
            Integer.toString(reached[reached.length - 1]),
            Integer.toString(pooled(lines)));
      }
    }
    return table + "\n" + sums;
  }

  /** The same for all problems together: the geometric mean of their regrets. */
  private static int pooled(List<Family> lines) {
    List<double[]> plain = lines.stream().flatMap(line -> line.plain().stream()).toList();
    List<double[]> transfer = lines.stream().flatMap(line -> line.transfer().stream()).toList();
    return new Family("all", lines.getFirst().relation(), plain, transfer).reached();
  }

  /** One object for each family. */
  @Override
  public List<Map<String, @Nullable Object>> lines() {
    return all.stream()
        .map(line -> {
          Map<String, @Nullable Object> object = new LinkedHashMap<>();
          object.put("mode", "transfer");
          object.put("problem", line.problem());
          object.put("earlier", line.relation().text());
          object.put("seeds", line.plain().size());
          object.put("reached", line.reached());
          object.put("plain50", line.regret(false, MARK));
          object.put("transfer50", line.regret(true, MARK));
          return object;
        })
        .toList();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
