package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.quota.QuotaObject;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.quota.TrialCharge;
import io.orrery.orchestrator.quota.UnitCredit;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The quota of one experiment: attempts go on to their platform as long as it holds units for them,
 * and wait here, with the reason, when it does not.
 */
final class TrialQuota {
  private final ExperimentModel model;
  private final Consumer<Submission> next;
  private final Consumer<Occurrence> happen;
  private final UnitCredit credit;
  private final Map<AttemptRef, Submission> queue = new LinkedHashMap<>();
  private @Nullable String reason;

  /**
   * @param epoch of the lease of the experiment
   * @param next takes attempts that may start
   */
  TrialQuota(
      ExperimentServices services,
      ExperimentRecord record,
      ExperimentModel model,
      long epoch,
      Consumer<Submission> next,
      Consumer<Occurrence> happen) {
    this.model = model;
    this.next = next;
    this.happen = happen;
    this.credit =
        new UnitCredit(
            services.bus(),
            services.clock(),
            new Hold(
                new QuotaObject("experiment", record.id().value()),
                record.ownership().project(),
                record.ownership().owner(),
                epoch,
                TrialCharge.of(record.spec().job()),
                0),
            new UnitCredit.Use(
                model::inFlight,
                this::started,
                record.spec().limits().retry().always(1)
                    ? number -> happen.accept(new Occurrence.Preempted(number))
                    : null,
                record.spec().limits().share().priority()),
            this::changed);
  }

  Future<?> open() {
    return credit.open().onSuccess(served -> credit.takeOver());
  }

  void submit(Submission submission) {
    queue.put(submission.attempt(), submission);
    settle();
    if (reason != null && queue.containsKey(submission.attempt())) {
      tell(submission.attempt(), reason);
    }
  }

  /** Takes back an attempt that waits here; whether it did. */
  boolean leave(AttemptRef attempt) {
    return queue.remove(attempt) != null;
  }

  /** Has it look again after the number of attempts in flight has changed. */
  void settle() {
    while (!queue.isEmpty() && started() < credit.units()) {
      next.accept(queue.remove(queue.keySet().iterator().next()));
    }
    credit.settle();
  }

  private int started() {
    return model.inFlight() - queue.size();
  }

  private void changed(@Nullable String why) {
    reason = why;
    while (!queue.isEmpty() && started() < credit.units()) {
      next.accept(queue.remove(queue.keySet().iterator().next()));
    }
    if (why != null) {
      List.copyOf(queue.keySet()).forEach(attempt -> tell(attempt, why));
    }
  }

  private void tell(AttemptRef attempt, String why) {
    happen.accept(new Occurrence.Platform(new PlatformEvent.Waiting(attempt, why)));
  }

  /** Gives back what is not in use, when this owner still has the experiment. */
  void close(boolean held) {
    credit.close(held, started());
  }
}
