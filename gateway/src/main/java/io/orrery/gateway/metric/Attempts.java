package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.TrialRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks up which attempt each trial of a batch is at. Each trial is asked for once, a few at a
 * time, and nothing is remembered: the next batch may meet a retry.
 */
final class Attempts {
  private static final int LANES = 16;

  private final Bus bus;
  private final Iterator<Map.Entry<TrialRef, Integer>> open;
  private final Map<TrialRef, Integer> known = new HashMap<>();
  private final Promise<Map<TrialRef, Integer>> done = Promise.promise();
  private int asked;

  private Attempts(Bus bus, Iterator<Map.Entry<TrialRef, Integer>> open) {
    this.bus = bus;
    this.open = open;
  }

  /** Fails with Refused, at the first line that names it, when there is no such trial. */
  static Future<Map<TrialRef, Integer>> of(Bus bus, List<MetricLine> lines) {
    Map<TrialRef, Integer> firstLines = new LinkedHashMap<>();
    lines.forEach(line -> firstLines.putIfAbsent(line.trial(), line.number()));
    Attempts attempts = new Attempts(bus, firstLines.entrySet().iterator());
    for (int lane = 0; lane < LANES; lane++) {
      attempts.next();
    }
    return attempts.done.future();
  }

  private void next() {
    if (done.future().isComplete()) {
      return;
    }
    if (!open.hasNext()) {
      if (asked == 0) {
        done.complete(known);
      }
      return;
    }
    Map.Entry<TrialRef, Integer> trial = open.next();
    asked++;
    bus.request(Trials.GET, new Trials.Get(trial.getKey()))
        .onSuccess(found -> {
          asked--;
          known.put(trial.getKey(), found.attempt());
          next();
        })
        .onFailure(failure -> done.tryFail(placed(failure, trial.getValue())));
  }

  private static Throwable placed(Throwable failure, int line) {
    if (failure instanceof ProblemException known
        && known.problem() instanceof Problem.NotFound(String detail)) {
      return new Problem.Refused(new Finding("/trial", detail, line)).toException();
    }
    return failure;
  }
}
