package io.orrery.benchmarks.tunerspeed;

import com.sun.management.ThreadMXBean;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the processor time and memory of one suggestion and its result, with a history of so
 * many trials, over ten uniform parameters; and of making a tuner anew from a stored history, first
 * suggestion included.
 */
public final class TunerSpeedBenchmark {
  private static final int STORED = 10_000;

  /** Suggestions that are timed after the warm-up, unless they take longer than the limit. */
  private static final int TIMED = 50;

  private static final int WARM_UPS = 4_000;
  private static final double LIMIT_MS = 8_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<TunerFactory> tuners;
  private final int[] sizes;

  /**
   * @param names of tuners; all that take the space when it is empty
   * @param sizes numbers of trials in the history
   * @throws IllegalArgumentException when there is no tuner of a name
   */
  public TunerSpeedBenchmark(List<String> names, int[] sizes) {
    this.sizes = sizes.clone();
    this.tuners =
        names.isEmpty() ? Workload.tuners() : names.stream().map(Workload::tuner).toList();
  }

  /** Runs it and prints the table; the keys of the JSON lines. */
  public List<Map<String, Object>> run() {
    List<Map<String, Object>> lines = new ArrayList<>();
    String[] head = new String[sizes.length + 2];
    head[0] = "processor time in ms, memory";
    for (int i = 0; i < sizes.length; i++) {
      head[i + 1] = "after " + sizes[i];
    }
    head[sizes.length + 1] = "rebuild from " + STORED;
    ResultTable table = new ResultTable(head);
    for (TunerFactory factory : tuners) {
      String name = factory.description().name();
      String[] cells = new String[head.length];
      cells[0] = name;
      for (int i = 0; i < sizes.length; i++) {
        Cost cost = perSuggestion(factory, sizes[i]);
        cells[i + 1] = "%s, %s KB".formatted(text(cost.ms()), text(cost.bytes() / 1e3));
        lines.add(
            Map.of(
                "tuner",
                name,
                "observations",
                sizes[i],
                "cpuMsPerSuggestion",
                cost.ms(),
                "allocatedBytesPerSuggestion",
                cost.bytes()));
      }
      double rebuild = rebuild(factory);
      cells[sizes.length + 1] = text(rebuild);
      lines.add(Map.of("tuner", name, "observations", STORED, "rebuildCpuMs", rebuild));
      table.row(cells);
    }
    System.out.println(table);
    return lines;
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }

  /**
   * The cost of one suggestion.
   *
   * @param ms of processor time, in the fastest pass
   * @param bytes that were allocated, in the most frugal pass
   */
  private record Cost(double ms, double bytes) {
    private static final Cost UNKNOWN =
        new Cost(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    private Cost least(double otherMs, double otherBytes) {
      return new Cost(Math.min(ms, otherMs), Math.min(bytes, otherBytes));
    }
  }

  private static Cost perSuggestion(TunerFactory factory, int observations) {
    Cost best = Cost.UNKNOWN;
    double spent = 0;
    for (int pass = 0; pass <= WARM_UPS && spent < LIMIT_MS; pass++) {
      Tuner tuner = Workload.rebuilt(factory, observations);
      int number = observations;
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      double start = now();
      while (number < observations + TIMED && now() - start < LIMIT_MS) {
        Workload.step(tuner, number);
        number++;
      }
      double took = now() - start;
      spent += took;
      double bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      int suggestions = number - observations;
      best = best.least(took / suggestions, bytes / suggestions);
    }
    return best;
  }

  private static double rebuild(TunerFactory factory) {
    double best = Double.POSITIVE_INFINITY;
    for (int pass = 0; pass < 3; pass++) {
      double start = now();
      Workload.rebuilt(factory, STORED).suggest(1, STORED);
      best = Math.min(best, now() - start);
    }
    return best;
  }

  private static double now() {
    return THREADS.getCurrentThreadCpuTime() / 1e6;
  }
}
