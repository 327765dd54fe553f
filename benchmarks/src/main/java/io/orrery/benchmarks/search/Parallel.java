package io.orrery.benchmarks.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A protocol with many evaluations in flight, on a simulated clock: each takes exp(0.6 z) with a
 * standard normal z, so results come out of order, and a new suggestion is asked for whenever one
 * is in.
 *
 * @param checkpoints after how many results the incumbent is scored
 */
record Parallel(String name, int inFlight, List<Integer> checkpoints) implements Protocol {
  private static final double SPREAD = 0.6;

  private record Flight(double lands, long number, Suggestion suggestion) {}

  /** Eight in flight, as the peers played. */
  static Parallel standard() {
    return new Parallel("parallel", 8, List.of(50, 100, 200));
  }

  /** A hundred in flight. */
  static Parallel crowd() {
    return new Parallel("parallel100", 100, List.of(100, 200, 400));
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
      while (flights.size() < inFlight && started < checkpoints().getLast()) {
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
