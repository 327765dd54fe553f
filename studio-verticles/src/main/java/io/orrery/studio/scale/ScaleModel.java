package io.orrery.studio.scale;

import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/**
 * The decisions about the number of replicas of one service, from samples of its traffic: pure
 * besides the samples of the last minute that it remembers.
 *
 * <p>It averages as the autoscaler of Knative is documented to do (stable and panic mode): the
 * number follows the average of the last {@link #STABLE}; when the average of the last {@link
 * #PANIC} wants twice as many as there are, that counts, and nothing is scaled down for as long as
 * a whole stable window passes without it. The number is at most halved at a time. A service that
 * may rest has no replica after a window without a request, and one at once when a request waits.
 */
public final class ScaleModel {
  /** The window of the usual average. */
  static final Duration STABLE = Duration.ofSeconds(60);

  /** The window of the average that tells a burst. */
  static final Duration PANIC = Duration.ofSeconds(6);

  /** The replicas that a burst has to want, as a multiple of those that are ready. */
  private static final double BURST = 2;

  /** The share of the replicas that remains at least, when there are to be fewer. */
  private static final double SLOWEST_DOWN = 0.5;

  private static final Decision REST =
      new Decision(0, "no request for " + STABLE.toSeconds() + " s");

  private final ScalePolicy policy;
  private final ZoneId zone;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private Instant panicUntil = Instant.MIN;

  /**
   * @param zone of the timetable
   */
  public ScaleModel(ScalePolicy policy, ZoneId zone) {
    this.policy = policy;
    this.zone = zone;
  }

  public ScalePolicy policy() {
    return policy;
  }

  /**
   * A sample of the traffic.
   *
   * @param concurrency requests under way, waiting ones included
   * @param held the waiting ones among them
   * @param answers since the routers started
   */
  public record Sample(Instant at, int concurrency, int held, long answers) {}

  /**
   * A decision.
   *
   * @param reason a sentence, such as {@code 380.0 requests/s of 100 each}
   */
  public record Decision(int replicas, String reason) {}

  /** Takes in a sample; they come in the order of time. */
  public void add(Sample sample) {
    samples.addLast(sample);
    // One more than the window, so that rates have a beginning.
    while (samples.size() > 2 && !secondOldest().at().isAfter(sample.at().minus(STABLE))) {
      samples.removeFirst();
    }
  }

  private Sample secondOldest() {
    var all = samples.iterator();
    all.next();
    return all.next();
  }

  /**
   * Decides by the last sample.
   *
   * @param wanted the present number
   * @param ready how many of them are ready
   * @return empty when the number is right
   */
  public Optional<Decision> decide(int wanted, int ready) {
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    Sample last = samples.getLast();
    Decision decision =
        policy.timetable().isEmpty() ? byTraffic(last, wanted, ready) : byHour(last, wanted);
    return decision.replicas() == wanted ? Optional.empty() : Optional.of(decision);
  }

  // ---- by the hour ---------------------------------------------------------------------------

  private Decision byHour(Sample last, int wanted) {
    LocalTime time = last.at().atZone(zone).toLocalTime();
    for (Hours hours : policy.timetable()) {
      if (hours.has(time)) {
        return new Decision(
            hours.replicas(),
            "from %s until %s by its timetable".formatted(hours.from(), hours.until()));
      }
    }
    return new Decision(Math.clamp(wanted, policy.least(), policy.most()), "within its bounds");
  }

  // ---- by traffic ----------------------------------------------------------------------------

  private Decision byTraffic(Sample last, int wanted, int ready) {
    boolean waiting = last.held() > 0 || (wanted == 0 && last.concurrency() > 0);
    Decision stable = wanted(last, STABLE, wanted);
    Decision panic = wanted(last, PANIC, wanted);
    if (panic.replicas() >= BURST * Math.max(1, ready) && panic.replicas() > wanted) {
      panicUntil = last.at().plus(STABLE);
    }
    Decision decision = stable;
    if (last.at().isBefore(panicUntil)) {
      decision = panic.replicas() > stable.replicas() ? panic : stable;
      if (decision.replicas() < wanted) {
        decision = new Decision(wanted, "a burst was less than a minute ago");
      }
    }
    if (decision.replicas() < 1 && waiting) {
      decision = new Decision(1, "a request waits for it");
    }
    if (decision.replicas() < 1 && (policy.least() > 0 || !hasRested(last))) {
      decision = new Decision(Math.min(1, Math.max(wanted, policy.least())), "no request");
    }
    int number = Math.clamp(decision.replicas(), policy.least(), policy.most());
    if (number < wanted) {
      if (ready < wanted) {
        // What is starting may be needed in a moment.
        return new Decision(wanted, "some are starting");
      }
      number = Math.max(number, (int) Math.floor(wanted * SLOWEST_DOWN));
    }
    return new Decision(number, decision.reason());
  }

  /** Whether a whole window has passed without a request. */
  private boolean hasRested(Sample last) {
    Sample first = samples.getFirst();
    return !first.at().isAfter(last.at().minus(STABLE))
        && samples.stream().allMatch(sample -> sample.concurrency() == 0)
        && last.answers() == first.answers();
  }

  /** The number that the targets want, by the average of a window. */
  private Decision wanted(Sample last, Duration window, int present) {
    if (policy.targets().isEmpty()) {
      // Only whether it rests is decided.
      return hasRested(last) ? REST : new Decision(present, "it has requests");
    }
    Decision most = REST;
    for (Target target : policy.targets()) {
      double work =
          target.measure() == Measure.RPS ? rate(last, window) : concurrency(last, window);
      int wanted = (int) Math.min(Integer.MAX_VALUE, Math.ceil(work / target.each() - 1e-9));
      if (wanted > most.replicas()) {
        most =
            new Decision(
                wanted,
                String.format(
                    Locale.ROOT,
                    target.measure() == Measure.RPS
                        ? "%.1f requests/s of %s each"
                        : "%.1f requests at once of %s each",
                    work,
                    number(target.each())));
      }
    }
    return most;
  }

  private double concurrency(Sample last, Duration window) {
    return samples.stream()
        .filter(sample -> sample.at().isAfter(last.at().minus(window)))
        .mapToInt(Sample::concurrency)
        .average()
        .orElse(0);
  }

  /** Answers each second; a counter that fell was begun anew by a router. */
  private double rate(Sample last, Duration window) {
    Instant begin = last.at().minus(window);
    Sample base = samples.getFirst();
    long answers = 0;
    Sample before = base;
    for (Sample sample : samples) {
      if (!sample.at().isAfter(begin)) {
        base = sample;
      } else {
        answers += Math.max(0, sample.answers() - before.answers());
      }
      before = sample;
    }
    double seconds = Duration.between(base.at(), last.at()).toMillis() / 1_000.0;
    return seconds <= 0 ? 0 : answers / seconds;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
