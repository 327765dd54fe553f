package io.orrery.orchestrator.submission;

import io.orrery.compute.service.Submission;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue before one platform: attempts wait here until it accepts them. At most {@value #WINDOW}
 * calls are under way; experiments take turns by their {@link Share}.
 *
 * <p><b>No room.</b> When the platform is busy for an experiment (a quota is used up, the machines
 * are out), this experiment pauses, longer each time, up to a minute, and then <em>one</em> attempt
 * tries: a circuit breaker for each experiment, since what holds one up need not hold up another.
 * All attempts that wait for it are told why. That fails nothing.
 *
 * <p><b>A pace.</b> A platform that is given trials at a limited rate gets them at that rate,
 * whatever experiment they belong to; those that wait for it say so.
 *
 * <p>All on one context.
 */
final class Gate {
  /** A platform call may take long; this many may be under way. */
  static final int WINDOW = 32;

  /** Bounds memory: more than this are sent back to their experiment. */
  static final int MOST_WAITING = 100_000;

  /** A submission whose outcome is unknown is repeated this many times. */
  private static final int TRIES = 5;

  /** The pointer to the section of a configuration that names its platform. */
  private static final String SECTION = "/trainingService";

  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 10;

  /** A listener for the outcome of waiting attempts. */
  interface Listener {
    /** It goes on waiting, for a reason that is new. */
    void waits(AttemptRef attempt, String reason);

    /** It never started, and never will. */
    void refused(AttemptRef attempt, String reason);

    /** The same, and it will be so for all trials of its experiment. */
    default void refusedToAll(AttemptRef attempt, String reason) {
      refused(attempt, reason);
    }
  }

  private static final class Waiting {
    final Submission submission;
    final Share share;
    final BooleanSupplier allowed;
    int tries;
    @Nullable String told;

    Waiting(Submission submission, Share share, BooleanSupplier allowed) {
      this.submission = submission;
      this.share = share;
      this.allowed = allowed;
    }

    AttemptRef attempt() {
      return submission.attempt();
    }

    ExperimentId owner() {
      return submission.attempt().trial().experiment();
    }
  }

  /** An experiment for which there was no room. */
  private static final class Closed {
    String reason = "";
    int times;
    Instant until = Instant.MIN;
    boolean trying;
  }

  private final String platform;
  private final Function<Submission, Future<Void>> submit;
  private final Clock clock;
  private final Listener listener;
  private final @Nullable Pace pace;
  private final FairQueue<ExperimentId, Waiting> queue = new FairQueue<>(MOST_WAITING);

  /** All that wait or are being handed over, by name: a submission that is repeated is the same. */
  private final Map<AttemptRef, Waiting> known = new HashMap<>();

  private final Map<ExperimentId, Closed> closed = new HashMap<>();
  private int underWay;
  private boolean handing;

  /** Whether another look is due when the pace allows the next. */
  private boolean paced;

  /**
   * @param limit how many trials the platform is given; null for as many as it takes
   */
  Gate(
      String platform,
      Function<Submission, Future<Void>> submit,
      Clock clock,
      Listener listener,
      @Nullable RateLimit limit) {
    this.platform = platform;
    this.submit = submit;
    this.clock = clock;
    this.listener = listener;
    this.pace = limit == null ? null : new Pace(limit, clock);
  }

  /**
   * Takes an attempt in; false when too many wait.
   *
   * @param share what its owner gets where several want more than there is
   * @param allowed whether it may still be handed over when its turn has come
   */
  boolean enter(Submission submission, Share share, BooleanSupplier allowed) {
    Waiting before = known.get(submission.attempt());
    if (before != null && before.allowed.getAsBoolean()) {
      return true;
    }
    remove(submission.attempt());
    Waiting waiting = new Waiting(submission, share, allowed);
    if (!queue.offer(waiting.owner(), share, waiting)) {
      return false;
    }
    known.put(waiting.attempt(), waiting);
    Closed pause = closed.get(waiting.owner());
    if (pause == null) {
      handOver();
      if (paced && queue.contains(waiting.owner(), waiting)) {
        tell(waiting, slowly());
      }
    } else {
      tell(waiting, pause.reason);
    }
    return true;
  }

  /**
   * Takes back an attempt that has not been handed over; whether it was here. One that the platform
   * was asked to take and did not answer for stays: it may be there, so it is to be ended there,
   * and its next submission is answered with its end.
   */
  boolean leave(AttemptRef attempt) {
    return !mayBeThere(attempt) && remove(attempt);
  }

  /** Whether the platform may have an attempt that is still waiting here to be handed over. */
  boolean mayBeThere(AttemptRef attempt) {
    Waiting waiting = known.get(attempt);
    return waiting != null && waiting.tries > 0;
  }

  private boolean remove(AttemptRef attempt) {
    Waiting waiting = known.get(attempt);
    if (waiting == null || !queue.remove(waiting.owner(), waiting)) {
      return false;
    }
    known.remove(attempt);
    return true;
  }

  /** Not nested: a platform may answer while it is being asked. */
  private void handOver() {
    if (handing) {
      return;
    }
    handing = true;
    Optional<Waiting> next = next();
    while (next.isPresent()) {
      if (next.get().allowed.getAsBoolean()) {
        hand(next.get());
      } else {
        known.remove(next.get().attempt(), next.get());
      }
      next = next();
    }
    handing = false;
  }

  private Optional<Waiting> next() {
    if (underWay >= WINDOW || queue.size() == 0 || !mayGoOn()) {
      return Optional.empty();
    }
    Optional<Waiting> next = queue.poll(this::open);
    if (pace != null && next.filter(waiting -> waiting.allowed.getAsBoolean()).isPresent()) {
      pace.take();
    }
    return next;
  }

  /** Whether the pace allows another one now; if not, it is looked again when it does. */
  private boolean mayGoOn() {
    if (pace == null || pace.untilNext().isZero()) {
      return true;
    }
    if (!paced) {
      paced = true;
      clock.after(
          pace.untilNext(),
          () -> {
            paced = false;
            handOver();
          });
    }
    return false;
  }

  private String slowly() {
    return pace == null
        ? ""
        : "its turn has not come: " + platform + " is given " + pace.limit().words();
  }

  private boolean open(ExperimentId owner) {
    Closed pause = closed.get(owner);
    return pause == null || (!pause.trying && !pause.until.isAfter(clock.now()));
  }

  private void hand(Waiting waiting) {
    underWay++;
    Closed pause = closed.get(waiting.owner());
    if (pause != null) {
      pause.trying = true;
    }
    submit
        .apply(waiting.submission)
        .onComplete((taken, failure) -> {
          underWay--;
          if (failure == null) {
            taken(waiting);
          } else {
            declined(waiting, Problem.of(failure));
          }
          handOver();
        });
  }

  private void taken(Waiting waiting) {
    known.remove(waiting.attempt(), waiting);
    if (closed.remove(waiting.owner()) != null) {
      LOG.info("experiment {}: {} takes its trials again", waiting.owner(), platform);
    }
  }

  private void declined(Waiting waiting, Problem problem) {
    switch (problem) {
      case Problem.Busy(String detail, Duration retryAfter) -> {
        queue.putBack(waiting.owner(), waiting.share, waiting);
        close(waiting.owner(), detail, retryAfter);
      }
      case Problem.Unavailable(String detail, Duration retryAfter) -> {
        queue.putBack(waiting.owner(), waiting.share, waiting);
        close(waiting.owner(), detail, retryAfter);
      }
      case Problem.Broken broken when waiting.tries < TRIES - 1 -> {
        // Perhaps it was taken: who repeats a submission finds the first.
        waiting.tries++;
        LOG.warn(
            "could not submit attempt {}, trying again: {}", waiting.attempt(), broken.detail());
        tryAgain(waiting.owner());
        clock.after(
            PAUSE,
            () -> {
              queue.putBack(waiting.owner(), waiting.share, waiting);
              handOver();
            });
      }
      case Problem.Refused refused when holdsForAll(refused) -> {
        known.remove(waiting.attempt(), waiting);
        tryAgain(waiting.owner());
        listener.refusedToAll(waiting.attempt(), refused.detail());
      }
      case Problem.Broken _,
          Problem.Refused _,
          Problem.NotFound _,
          Problem.Conflict _,
          Problem.Unauthorized _,
          Problem.Forbidden _,
          Problem.TooLarge _ -> {
        known.remove(waiting.attempt(), waiting);
        tryAgain(waiting.owner());
        listener.refused(waiting.attempt(), problem.detail());
      }
    }
  }

  /** The reasons of a platform against the section that all trials of an experiment share. */
  private static boolean holdsForAll(Problem.Refused refused) {
    return !refused.findings().isEmpty()
        && refused.findings().stream().allMatch(finding -> finding.pointer().startsWith(SECTION));
  }

  /** Lets another attempt try: the outcome of the last one did not tell whether there is room. */
  private void tryAgain(ExperimentId owner) {
    Closed pause = closed.get(owner);
    if (pause != null) {
      pause.trying = false;
    }
  }

  private void close(ExperimentId owner, String reason, Duration retryAfter) {
    Closed pause = closed.computeIfAbsent(owner, o -> new Closed());
    Instant now = clock.now();
    if (pause.trying || pause.times == 0) {
      pause.trying = false;
      Duration length = pause(owner, pause.times++, retryAfter);
      if (pause.times == 1) {
        LOG.warn("experiment {}: {} takes no trial now: {}", owner, platform, reason);
      }
      pause.until = now.plus(length);
      clock.after(length, () -> open(pause, owner));
    }
    pause.reason = reason;
    queue.waiting(owner).forEach(waiting -> tell(waiting, reason));
  }

  private void tell(Waiting waiting, String reason) {
    if (!reason.equals(waiting.told)) {
      waiting.told = reason;
      listener.waits(waiting.attempt(), reason);
    }
  }

  private void open(Closed pause, ExperimentId owner) {
    if (queue.waiting(owner).isEmpty() && !pause.trying) {
      closed.remove(owner, pause);
    }
    handOver();
  }

  /**
   * Doubles each time, is never shorter than the platform asked for, and lies up to a quarter
   * higher, by experiment: those that were held up together do not come back together.
   */
  private static Duration pause(ExperimentId owner, int times, Duration retryAfter) {
    Duration doubled = PAUSE.multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
    Duration capped = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    Duration least = capped.compareTo(retryAfter) > 0 ? capped : retryAfter;
    long spread = Math.floorMod(31L * owner.hashCode() + times, 64);
    return least.plus(least.multipliedBy(spread).dividedBy(256));
  }
}
