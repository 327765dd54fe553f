package io.orrery.compute.simulated;

import io.orrery.compute.service.Submission;
import io.orrery.core.metric.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The fate of one attempt.
 *
 * @param queued seconds that it waits
 * @param runs seconds that it runs
 * @param reports its intermediate results, told at even distances while it runs
 * @param result null when it has none, because it fails, or is that of a step
 * @param exitCode null when the platform loses it
 */
record Fate(
    double queued,
    double runs,
    List<Double> reports,
    @Nullable Double result,
    @Nullable Integer exitCode) {
  /** How fast the intermediate results come near the final one: e to the minus this is left. */
  private static final double DECAY = 4;

  static Fate of(Scenario scenario, Submission submission) {
    // Steps of all runs have the same seed, and experiments one each.
    int run =
        submission.step() == null
            ? 0
            : submission.attempt().trial().experiment().value().hashCode();
    SplittableRandom chance =
        scenario.chance(
            submission.sequenceId(), submission.attempt().number() + ((long) run << 32));
    double queued = scenario.queueing().draw(chance);
    double runs = scenario.duration().draw(chance);
    double luck = chance.nextDouble();
    double noise = scenario.noise() * chance.nextGaussian();
    double value =
        scenario.objective().of(submission.parameters().values().values()).orElse(Double.NaN)
            + noise;
    boolean lost = luck < scenario.losses();
    boolean failed = !lost && luck < scenario.losses() + scenario.failures();
    // What goes wrong does so somewhere on the way.
    double share = lost || failed ? chance.nextDouble() : 1;
    Integer code = lost ? null : Integer.valueOf(failed ? 1 : 0);
    if (submission.step() != null) {
      // A step: what it makes are its outputs, and it has no result to report.
      return new Fate(queued, runs * share, List.of(), null, code);
    }
    List<Double> curve = curve(value, scenario.reports(), scenario.direction());
    List<Double> told = curve.subList(0, (int) (curve.size() * share));
    return new Fate(queued, runs * share, told, lost || failed ? null : value, code);
  }

  /** From a good deal worse than the final result towards it. */
  private static List<Double> curve(double value, int reports, Direction direction) {
    double worse = (direction == Direction.MINIMIZE ? 1 : -1) * Math.max(1e-3, Math.abs(value));
    List<Double> curve = new ArrayList<>(reports);
    for (int i = 1; i <= reports; i++) {
      curve.add(value + worse * Math.exp(-DECAY * i / reports));
    }
    return curve;
  }
}
