package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/** Asks which attempt each of some trials is at: each once, a few at a time. */
final class AttemptQuestions {
  private static final int LANES = 16;

  private final Bus bus;
  private final Iterator<Map.Entry<TrialRef, Integer>> open;
  private final ObjIntConsumer<TrialRef> taker;
  private final Promise<Void> done = Promise.promise();
  private int asked;

  private AttemptQuestions(
      Bus bus, Map<TrialRef, Integer> firstLines, ObjIntConsumer<TrialRef> taker) {
    this.bus = bus;
    this.open = firstLines.entrySet().iterator();
    this.taker = taker;
  }

  /**
   * Asks.
   *
   * @param firstLines the first line of the batch that names each trial
   * @param taker told of each answer
   * @return completes when all are answered; Refused, at its line, when there is no such trial
   */
  static Future<Void> ask(
      Bus bus, Map<TrialRef, Integer> firstLines, ObjIntConsumer<TrialRef> taker) {
    AttemptQuestions questions = new AttemptQuestions(bus, firstLines, taker);
    for (int lane = 0; lane < LANES; lane++) {
      questions.next();
    }
    return questions.done.future();
  }

  private void next() {
    if (done.future().isComplete()) {
      return;
    }
    if (!open.hasNext()) {
      if (asked == 0) {
        done.complete();
      }
      return;
    }
    Map.Entry<TrialRef, Integer> trial = open.next();
    asked++;
    bus.request(Trials.GET, new Trials.Get(trial.getKey()))
        .onSuccess(found -> {
          asked--;
          taker.accept(trial.getKey(), found.attempt());
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
