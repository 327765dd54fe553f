package io.orrery.benchmarks.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A protocol with eight evaluations in flight, on a simulated clock: each takes exp(0.6 z) with a
 * standard normal z, so results come out of order, and a new suggestion is asked for whenever one
 * is in.
 */
record Parallel() implements Protocol {
  private static final int IN_FLIGHT = 8;
  private static final double SPREAD = 0.6;

  private record Flight(double lands, long number, Suggestion suggestion) {}

  @Override
  public String name() {
    return "parallel";
  }

  @Override
  public List<Integer> checkpoints() {
    return List.of(50, 100, 200);
  }

  @Override
  public void play(SearchSession session) {
    Rng durations = Rng.keyed(session.seed(), 0).split(1);
    PriorityQueue<Flight> flights =
        new PriorityQueue<>(
            Comparator.comparingDouble(Flight::lands).thenComparingLong(Flight::number));
    double now = 0;
    long started = 0;
    while (true) {
      while (flights.size() < IN_FLIGHT && started < checkpoints().getLast()) {
        Optional<Suggestion> next = session.ask();
        if (next.isEmpty()) {
          break;
        }
        double duration = Math.exp(SPREAD * Gaussian.quantile(durations.nextOpen()));
        flights.add(new Flight(now + duration, started++, next.get()));
      }
      Flight first = flights.poll();
      if (first == null) {
        return;
      }
      now = first.lands();
      session.tell(first.suggestion());
    }
  }
}
