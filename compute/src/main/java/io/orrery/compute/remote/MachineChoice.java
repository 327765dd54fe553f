package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.core.id.AttemptRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the machine for the next attempt. Without GPUs: to the machine with the fewest
 * attempts, and among equals to the one whose turn it is. With GPUs: it stands in the queue of
 * every machine that is there, and goes where it is served first. Thread safe; blocks.
 */
final class MachineChoice {
  private static final int MOST_REASONS = 4;

  private final AtomicInteger turn = new AtomicInteger();

  /** A machine that an experiment has in its list, and what a trial needs there. */
  record Candidate(Machine machine, @Nullable GpuRequest gpus) {}

  /** A search for a place. */
  final class Search implements AutoCloseable {
    private final AttemptRef attempt;
    private final List<Candidate> candidates;
    private final Consumer<String> waits;
    private final Map<String, String> reasons = new TreeMap<>();
    private final Set<Machine> asked = new HashSet<>();
    private @Nullable MachineSeat found;
    private @Nullable String told;
    private boolean over;

    private Search(AttemptRef attempt, List<Candidate> candidates, Consumer<String> waits) {
      this.attempt = attempt;
      this.candidates = candidates;
      this.waits = waits;
    }

    /**
     * A place, which is the attempt's until it leaves the machine; null when {@link #close} came
     * first.
     *
     * @param look how often is looked without being told that anything changed
     */
    @Nullable MachineSeat await(Duration look) throws InterruptedException {
      try {
        while (true) {
          synchronized (this) {
            if (over) {
              return found;
            }
          }
          MachineSeat seat = look();
          if (seat != null) {
            return seat;
          }
          tell();
          synchronized (this) {
            if (found == null && !over) {
              wait(look.toMillis());
            }
          }
        }
      } finally {
        leaveQueues();
      }
    }

    private @Nullable MachineSeat look() {
      List<Candidate> there = new ArrayList<>();
      for (Candidate candidate : candidates) {
        Machine machine = candidate.machine();
        String why = machine.absence();
        if (why == null) {
          there.add(candidate);
        } else {
          note(machine, why);
        }
      }
      if (there.isEmpty() || there.getFirst().gpus() == null) {
        return there.isEmpty() ? null : sit(there);
      }
      for (Candidate candidate : there) {
        boolean fresh;
        synchronized (this) {
          fresh = found == null && asked.add(candidate.machine());
        }
        if (fresh && candidate.gpus() != null) {
          candidate
              .machine()
              .gpus()
              .request(GpuUser.of(attempt), candidate.gpus(), new InLine(candidate));
        }
      }
      synchronized (this) {
        return found;
      }
    }

    private synchronized void note(Machine machine, String why) {
      reasons.put(machine.name(), why);
    }

    private MachineSeat sit(List<Candidate> there) {
      synchronized (MachineChoice.this) {
        int start = Math.floorMod(turn.getAndIncrement(), there.size());
        Machine least =
            IntStream.range(0, there.size())
                .mapToObj(i -> there.get((start + i) % there.size()).machine())
                .min(Comparator.comparingInt(machine -> machine.seats().size()))
                .orElseThrow();
        MachineSeat seat = new MachineSeat(least, null);
        least.seats().put(attempt, seat);
        return seat;
      }
    }

    private void tell() {
      String why;
      synchronized (this) {
        why =
            reasons.entrySet().stream()
                .limit(MOST_REASONS)
                .map(reason -> reason.getKey() + " " + reason.getValue())
                .collect(Collectors.joining("; "));
        int more = reasons.size() - MOST_REASONS;
        why = why + (more > 0 ? "; and " + more + " more" : "");
        if (why.isEmpty() || why.equals(told)) {
          return;
        }
        told = why;
      }
      waits.accept(why);
    }

    private void leaveQueues() {
      Set<Machine> queues;
      MachineSeat seat;
      synchronized (this) {
        over = true;
        queues = Set.copyOf(asked);
        seat = found;
      }
      for (Machine machine : queues) {
        machine.gpus().withdraw(GpuUser.of(attempt));
        if (seat == null || seat.machine() != machine) {
          machine.gpus().release(GpuUser.of(attempt));
        }
      }
    }

    /** Something may have changed. */
    synchronized void stir() {
      notifyAll();
    }

    /** Ends the search; a caller that waits gets nothing, unless a place has been found already. */
    @Override
    public synchronized void close() {
      over = true;
      notifyAll();
    }

    private final class InLine implements GpuQueue.Waiter {
      private final Candidate candidate;

      private InLine(Candidate candidate) {
        this.candidate = candidate;
      }

      @Override
      public void waits(String reason) {
        note(candidate.machine(), reason);
        stir();
      }

      @Override
      public void granted(GpuGrant grant) {
        synchronized (Search.this) {
          if (found == null && !over) {
            MachineSeat seat = new MachineSeat(candidate.machine(), grant);
            candidate.machine().seats().put(attempt, seat);
            found = seat;
            Search.this.notifyAll();
            return;
          }
        }
        candidate.machine().gpus().release(GpuUser.of(attempt));
      }
    }
  }

  /**
   * @param waits told why there is no place yet, whenever that changes
   */
  Search search(AttemptRef attempt, List<Candidate> candidates, Consumer<String> waits) {
    return new Search(attempt, candidates, waits);
  }
}
