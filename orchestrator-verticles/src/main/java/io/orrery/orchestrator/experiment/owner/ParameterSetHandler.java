package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles requests of running trials for their next parameter set: passes them to the model, and
 * answers when the model's answer is durable. A request that has waited for a while is answered
 * "ask again", so that a lost one costs that time only.
 */
final class ParameterSetHandler {
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final Duration AT_ONCE = Duration.ofMillis(20);

  private record Waiting(int index, Promise<Trials.Next> answer, Clock.Timer patience) {}

  private final Clock clock;
  private final ExperimentModel model;
  private final Consumer<Occurrence> happen;
  private final Map<AttemptRef, Waiting> waiting = new HashMap<>();

  /**
   * @param happen gives the model what happens
   */
  ParameterSetHandler(Clock clock, ExperimentModel model, Consumer<Occurrence> happen) {
    this.clock = clock;
    this.model = model;
    this.happen = happen;
  }

  /** See {@link Trials#NEXT}. */
  Future<Trials.Next> ask(Trials.NextOf question) {
    AttemptRef attempt = question.attempt();
    if (!model.spec().job().multiPhase()) {
      return refused(
          "trials of this experiment have one parameter set each: multiPhase is not set");
    }
    if (question.index() < 1) {
      return refused("the first parameter set comes with the attempt; ask for number 1 or more");
    }
    if (!model.isMoving(attempt)) {
      return Future.failedFuture(
          new Problem.NotFound("attempt " + attempt.number() + " of it is over").toException());
    }
    later(attempt);
    Promise<Trials.Next> answer = Promise.promise();
    Clock.Timer patience = clock.after(LONGEST, () -> later(attempt));
    waiting.put(attempt, new Waiting(question.index(), answer, patience));
    happen.accept(new Occurrence.SetAsked(attempt, question.index()));
    return answer.future();
  }

  private static Future<Trials.Next> refused(String why) {
    return Future.failedFuture(new Problem.Refused(new Finding("", why)).toException());
  }

  /** Answers a request, now that the answer of the model is durable. */
  void give(Decision.GiveSet given) {
    Waiting asked = waiting.get(given.attempt());
    if (asked != null && asked.index() == given.index()) {
      take(given.attempt());
      asked.answer().complete(new Trials.Next(given.set()));
    }
  }

  /** Refuses all that wait, for they are asked again at the next owner. */
  void close() {
    Map.copyOf(waiting).keySet().forEach(this::later);
  }

  private void later(AttemptRef attempt) {
    Waiting asked = take(attempt);
    if (asked != null) {
      asked.answer().fail(new Problem.Busy("there is none yet", AT_ONCE).toException());
    }
  }

  private @Nullable Waiting take(AttemptRef attempt) {
    Waiting asked = waiting.remove(attempt);
    if (asked != null) {
      asked.patience().cancel();
    }
    return asked;
  }
}
