package io.orrery.orchestrator.experiment;

import io.orrery.core.trial.TrialId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * When to look at which trial again. An alarm is only a hint to look: whoever set it need not take
 * it back.
 */
final class Alarms {
  private record Alarm(Instant at, TrialId trial) {}

  private final PriorityQueue<Alarm> queue = new PriorityQueue<>(Comparator.comparing(Alarm::at));

  void set(Instant at, TrialId trial) {
    queue.add(new Alarm(at, trial));
  }

  Optional<Instant> next() {
    return Optional.ofNullable(queue.peek()).map(Alarm::at);
  }

  /** Takes out the trials whose time has come. */
  List<TrialId> due(Instant now) {
    List<TrialId> due = new ArrayList<>();
    while (queue.peek() != null && !queue.peek().at().isAfter(now)) {
      due.add(queue.remove().trial());
    }
    return due;
  }
}
