package io.orrery.benchmarks.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import java.util.List;
import java.util.Optional;

/** One evaluation after the other. */
record Sequential() implements Protocol {
  @Override
  public String name() {
    return "sequential";
  }

  @Override
  public List<Integer> checkpoints() {
    return List.of(25, 50, 100);
  }

  @Override
  public void play(Session session) {
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
