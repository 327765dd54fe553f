package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entry of metrics: turns lines of any source into durable points. It belongs to one event
 * loop.
 */
public final class Intake {
  private final PointBatcher sink;
  private final PresentAttempts attempts;
  private final Clock clock;
  private final PlainReader plain = new PlainReader();

  public Intake(Bus bus, MetricSink sink, Clock clock) {
    this.sink = new PointBatcher(sink);
    this.attempts = new PresentAttempts(bus, clock);
    this.clock = clock;
  }

  /**
   * Takes texts of one or more lines, from who may report for all; all or none.
   *
   * @return as {@link #append(List, AttemptRef)}; lines are counted in each text anew
   */
  public Future<MetricSink.Receipt> append(List<byte[]> texts) {
    long now = clock.millis();
    List<MetricLine> lines = new ArrayList<>();
    try {
      for (byte[] text : texts) {
        BatchReader reader = new BatchReader(plain, now, 1);
        reader.take(text);
        lines.addAll(reader.lines());
      }
      return append(lines, null);
    } catch (ProblemException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Takes a text of one or more lines of an attempt, which may report for itself alone; all or
   * none.
   *
   * @return as {@link #append(List, AttemptRef)}
   */
  public Future<MetricSink.Receipt> append(byte[] text, AttemptRef sender) {
    BatchReader reader = new BatchReader(plain, clock.millis(), 1);
    try {
      reader.take(text);
      return append(reader.lines(), sender);
    } catch (ProblemException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Completes when all are durable. Refused whole, with the line, when one is for a trial or an
   * attempt that is not there; Forbidden when the sender may not write it.
   *
   * @param sender the attempt whose token was shown, which may report for itself alone; null for
   *     who may report for all
   */
  Future<MetricSink.Receipt> append(List<MetricLine> lines, @Nullable AttemptRef sender) {
    if (lines.isEmpty()) {
      return Future.succeededFuture(new MetricSink.Receipt(0, 0));
    }
    if (sender != null) {
      for (MetricLine line : lines) {
        checkOwn(line, sender);
      }
    }
    MetricPoint one = lines.size() == 1 ? point(lines.getFirst(), sender) : null;
    if (one != null) {
      return sink.append(List.of(one));
    }
    Map<TrialRef, Integer> present = new HashMap<>();
    Map<TrialRef, Integer> strangers = sort(lines, sender, present);
    return strangers.isEmpty()
        ? sink.append(points(lines, sender, present))
        : attempts
            .learn(strangers, present::put)
            .compose(learnt -> sink.append(points(lines, sender, present)));
  }

  /** The point of a line by itself; null while it is unknown which attempt it is of. */
  private @Nullable MetricPoint point(MetricLine line, @Nullable AttemptRef sender) {
    int present = attempts.find(line.trial());
    int attempt = attempt(line, sender, present);
    return present == PresentAttempts.UNKNOWN || attempt > present
        ? null
        : line.point(new AttemptRef(line.trial(), attempt));
  }

  /** Hands what is appended meanwhile to the store as one. */
  void together(Runnable appends) {
    sink.together(appends);
  }

  private static void checkOwn(MetricLine line, AttemptRef sender) {
    boolean own =
        line.trial().equals(sender.trial())
            && (line.attempt() == null || line.attempt() == sender.number());
    if (!own) {
      throw new Problem.Forbidden(
              "line "
                  + line.number()
                  + ": the token of attempt "
                  + sender.number()
                  + " of trial "
                  + sender.trial()
                  + " reports for that attempt alone")
          .toException();
    }
  }

  /**
   * Finds the present attempt of each trial.
   *
   * @param present takes those that are known
   * @return the others, each with the first line that names it; and those that may have gone on to
   *     an attempt that we have not heard of
   */
  private Map<TrialRef, Integer> sort(
      List<MetricLine> lines, @Nullable AttemptRef sender, Map<TrialRef, Integer> present) {
    Map<TrialRef, Integer> strangers = Map.of();
    TrialRef previous = null;
    int known = PresentAttempts.UNKNOWN;
    for (MetricLine line : lines) {
      if (!line.trial().equals(previous)) {
        previous = line.trial();
        known = present.computeIfAbsent(previous, attempts::find);
      }
      if (known == PresentAttempts.UNKNOWN || attempt(line, sender, known) > known) {
        if (strangers.isEmpty()) {
          strangers = new LinkedHashMap<>();
        }
        strangers.putIfAbsent(line.trial(), line.number());
      }
    }
    return strangers;
  }

  /** The attempt that a line is of. */
  private static int attempt(MetricLine line, @Nullable AttemptRef sender, int present) {
    Integer named = line.attempt();
    return named != null ? named : sender != null ? sender.number() : present;
  }

  private static List<MetricPoint> points(
      List<MetricLine> lines, @Nullable AttemptRef sender, Map<TrialRef, Integer> presents) {
    List<MetricPoint> points = new ArrayList<>(lines.size());
    AttemptRef run = null;
    int present = PresentAttempts.UNKNOWN;
    for (MetricLine line : lines) {
      if (run == null || !line.trial().equals(run.trial())) {
        present = presents.getOrDefault(line.trial(), PresentAttempts.UNKNOWN);
      }
      int attempt = attempt(line, sender, present);
      if (attempt > present) {
        throw new Problem.Refused(
                new Finding(
                    "/attempt",
                    "trial " + line.trial() + " is at attempt " + present,
                    line.number()))
            .toException();
      }
      if (run == null || run.number() != attempt || !run.trial().equals(line.trial())) {
        run = new AttemptRef(line.trial(), attempt);
      }
      points.add(line.point(run));
    }
    return points;
  }
}
