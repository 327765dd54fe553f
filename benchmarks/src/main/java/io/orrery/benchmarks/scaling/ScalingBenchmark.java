package io.orrery.benchmarks.scaling;

import java.util.Locale;

/** Prints how much both scalers have beyond what a load needs, and how much they lack. */
public final class ScalingBenchmark {
  /** The concurrency of each replica: 70 % of 10, the utilisation that Knative aims at. */
  static final double EACH = 7;

  private ScalingBenchmark() {}

  /**
   * Runs every load.
   *
   * @param start the seconds until a replica is ready
   */
  public static void run(int start) {
    System.out.println("| load | scaler | too many | too few | changes | most |");
    System.out.println("|---|---|---|---|---|---|");
    for (LoadShape load : LoadShape.values()) {
      print(load, "Orrery", ScalingRun.of(ScalingRun.ours(EACH), load, EACH, start));
      print(load, "Knative", ScalingRun.of(new KnativeAutoscaler(EACH), load, EACH, start));
    }
  }

  private static void print(LoadShape load, String name, ScalingRun run) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.1f %% | %.1f %% | %d | %d |%n",
        load.name().toLowerCase(Locale.ROOT),
        name,
        100 * run.over(),
        100 * run.under(),
        run.changes(),
        run.most());
  }
}
