package io.orrery.benchmarks.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import java.util.List;
import java.util.Optional;

/** A protocol with one evaluation after the other. */
record Sequential(String name, List<Integer> checkpoints) implements Protocol {
  /** As the peers played. */
  static Sequential standard() {
    return new Sequential("sequential", List.of(25, 50, 100));
  }

  /** As long as a run in parallel, to be held against it. */
  static Sequential asLongAs(Protocol parallel) {
    return new Sequential("sequential200", parallel.checkpoints());
  }

  @Override
  public void play(SearchSession session) {
    while (session.results() < checkpoints().getLast()) {
      Optional<Suggestion> next = session.ask();
      if (next.isEmpty() && !session.exhausted()) {
        throw new IllegalStateException("it waits for results and none is to come");
      }
      if (next.isEmpty()) {
        return;
      }
      session.tell(next.get());
    }
  }
}
