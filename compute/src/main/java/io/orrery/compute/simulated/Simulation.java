package io.orrery.compute.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that all attempts of an experiment share: how late news are, and when the platform
 * is away.
 */
final class Simulation {
  /** Keys of chances that belong to no trial. */
  private static final long OUTAGES = -1;

  private static final long NEWS = -2;

  /** A hundred years and more: what the slowest speed makes of the longest span. */
  private static final double MOST_NANOS = 4e18;

  private final Scenario scenario;
  private final Instant began;
  private final SplittableRandom news;
  private final @Nullable Outages outages;

  Simulation(Scenario scenario, Instant began) {
    this.scenario = scenario;
    this.began = began;
    this.news = scenario.chance(NEWS);
    Scenario.Spells spells = scenario.outages();
    this.outages =
        spells == null
            ? null
            : new Outages(spells.every(), spells.lasting(), scenario.chance(OUTAGES));
  }

  Scenario scenario() {
    return scenario;
  }

  /** Simulated seconds as they pass on the clock. */
  Duration onTheClock(double seconds) {
    return Duration.ofNanos((long) Math.min(seconds / scenario.speed() * 1e9, MOST_NANOS));
  }

  /** Simulated seconds until the platform can be reached; 0 when it can. */
  double outage(Instant now) {
    if (outages == null) {
      return 0;
    }
    double passed = Duration.between(began, now).toNanos() / 1e9 * scenario.speed();
    return outages.remaining(Math.max(0, passed));
  }

  /** Simulated seconds before news that begin now arrive. */
  double delay(Instant now) {
    return scenario.delay().draw(news) + outage(now);
  }

  /** Whether the next news arrive twice. */
  boolean repeats() {
    return scenario.duplicates() > 0 && news.nextDouble() < scenario.duplicates();
  }
}
