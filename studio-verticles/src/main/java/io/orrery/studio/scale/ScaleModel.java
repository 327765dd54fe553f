package io.orrery.studio.scale;

import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about the number of replicas of one service, from samples of its traffic and from
 * what its replicas use and tell: pure besides the numbers of the last minute that it remembers.
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

  /**
   * The share by which what replicas use, or tell, may differ from the target without a change, as
   * the autoscaler of Kubernetes has it: such numbers are never quite the same.
   */
  private static final double TOLERANCE = 0.1;

  private static final Decision REST =
      new Decision(0, "no request for " + STABLE.toSeconds() + " s");

  private final ScalePolicy policy;
  private final ZoneId zone;
  private final WorkAverages work = new WorkAverages(STABLE);
  private Instant panicUntil = Instant.MIN;
  private @Nullable Integer ofCluster;

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
    work.add(sample);
  }

  /** Takes in what was read at the replicas; it comes in the order of time, between samples. */
  public void read(Instant at, Map<String, Double> values) {
    work.add(at, values);
  }

  /**
   * Takes in the number that the autoscaler of the service's cluster wants, which counts in place
   * of what replicas use; null where none decides.
   */
  public void cluster(@Nullable Integer wanted) {
    ofCluster = wanted;
  }

  /**
   * Decides by the last sample.
   *
   * @param wanted the present number
   * @param ready how many of them are ready
   * @return empty when the number is right
   */
  public Optional<Decision> decide(int wanted, int ready) {
    if (work.isEmpty()) {
      return Optional.empty();
    }
    Sample last = work.last();
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
    Decision stable = wanted(STABLE, wanted);
    Decision panic = wanted(PANIC, wanted);
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
    if (decision.replicas() < 1 && (policy.least() > 0 || !work.hasRested())) {
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

  /** The number that the targets want, by the average of a window. */
  private Decision wanted(Duration window, int present) {
    if (policy.targets().isEmpty()) {
      // Only whether it rests is decided.
      return work.hasRested() ? REST : new Decision(present, "it has requests");
    }
    Decision most = window.equals(PANIC) ? REST : ofCluster();
    for (Target target : policy.targets()) {
      if (target.measure().isUse() && (window.equals(PANIC) || ofCluster != null)) {
        // Programs use much for a moment, such as when they begin.
        continue;
      }
      OptionalDouble known = work.work(target, window);
      // Nothing is taken away for want of a number.
      Decision decision =
          known.isPresent()
              ? wanted(target, known.getAsDouble(), present)
              : new Decision(window.equals(PANIC) ? 0 : present, "what it has to do is not known");
      if (decision.replicas() > most.replicas()) {
        most = decision;
      }
    }
    return most;
  }

  /** An autoscaler of a cluster never wants less than one, with which a service may rest here. */
  private Decision ofCluster() {
    Integer wanted = ofCluster;
    return wanted == null || (policy.least() == 0 && wanted <= 1)
        ? REST
        : new Decision(wanted, "the autoscaler of its cluster wants %d".formatted(wanted));
  }

  private static Decision wanted(Target target, double work, int present) {
    double each = target.each();
    if (!target.measure().isOfRouters()
        && present > 0
        && Math.abs(work / (each * present) - 1) <= TOLERANCE) {
      return new Decision(present, WorkText.of(target, work));
    }
    int wanted = (int) Math.min(Integer.MAX_VALUE, Math.ceil(work / each - 1e-9));
    return new Decision(wanted, WorkText.of(target, work));
  }
}
