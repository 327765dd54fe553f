package io.orrery.compute.local;

import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes.Found;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Ends processes that left the session of an attempt which has ended since. They are only found by
 * reading the environment of every process of the machine, so this is done for many attempts at
 * once and never while one of them waits: a first sweep asks them to end, the next one kills.
 */
final class OrphanReaper {
  private final ProcessTable census;
  private final Predicate<String> over;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();
  private Set<Found> asked = Set.of();
  private boolean first = true;

  /**
   * @param over whether the attempt of a mark has ended, as its files say; asked once, in the first
   *     sweep, about everything that an earlier server may have left
   */
  OrphanReaper(ProcessTable census, Predicate<String> over) {
    this.census = census;
    this.over = over;
  }

  /** An attempt has ended; something of it may live elsewhere. */
  void suspect(String mark) {
    suspects.add(mark);
  }

  synchronized void sweep() throws IOException {
    if (!first && suspects.isEmpty()) {
      return;
    }
    Set<String> looked = new HashSet<>(suspects);
    Set<Found> found = new HashSet<>();
    for (Found process : census.take().all()) {
      String mark = process.mark();
      if (mark != null && (looked.contains(mark) || (first && over.test(mark)))) {
        process.signal(asked.contains(process) ? ProcessSignals.KILL : ProcessSignals.TERM);
        found.add(process);
        suspects.add(mark);
      }
    }
    first = false;
    asked = found;
    looked.removeAll(found.stream().map(Found::mark).collect(Collectors.toSet()));
    suspects.removeAll(looked);
  }
}
