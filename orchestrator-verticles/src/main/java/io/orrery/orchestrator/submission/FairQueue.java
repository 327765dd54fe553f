package io.orrery.orchestrator.submission;

import io.orrery.core.experiment.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue with a lane for each owner. Lanes of a higher priority are served first. Lanes of
 * one priority are served in proportion to their weights by stride scheduling (Waldspurger and
 * Weihl, 1995): serving a lane adds the inverse of its weight to its pass, and the lane with the
 * least pass is next. A lane is first in, first out.
 */
final class FairQueue<K, T> {
  /** A lane that is new, or was empty, gets the present pass: an empty lane saves up no turns. */
  private final Map<K, OwnerQueue<T>> lanes = new HashMap<>();

  private final int limit;
  private int size;
  private double now;

  private static final class OwnerQueue<T> {
    final SequencedSet<T> waiting = new LinkedHashSet<>();
    Share share;
    double pass;

    OwnerQueue(Share share, double pass) {
      this.share = share;
      this.pass = pass;
    }
  }

  /**
   * @param limit most elements over all lanes
   */
  FairQueue(int limit) {
    this.limit = limit;
  }

  /** Adds at the end of the owner's lane; false when the queue is full. */
  boolean offer(K owner, Share share, T element) {
    if (size >= limit) {
      return false;
    }
    if (lane(owner, share).waiting.add(element)) {
      size++;
    }
    return true;
  }

  /** Puts back at the head of its lane what was taken and found no room. Never refused. */
  void putBack(K owner, Share share, T element) {
    lane(owner, share).waiting.addFirst(element);
    size++;
  }

  private OwnerQueue<T> lane(K owner, Share share) {
    OwnerQueue<T> lane = lanes.computeIfAbsent(owner, o -> new OwnerQueue<>(share, now));
    // A change of the experiment counts from its next submission on.
    lane.share = share;
    lane.pass = lane.waiting.isEmpty() ? Math.max(lane.pass, now) : lane.pass;
    return lane;
  }

  /** Takes an element out of the owner's lane; false when it is not there. */
  boolean remove(K owner, T element) {
    OwnerQueue<T> lane = lanes.get(owner);
    boolean removed = lane != null && lane.waiting.remove(element);
    size -= removed ? 1 : 0;
    return removed;
  }

  /** Takes the first of the lane whose turn it is, among those that are open. */
  Optional<T> poll(Predicate<K> open) {
    OwnerQueue<T> next = null;
    List<K> idle = new ArrayList<>();
    for (Map.Entry<K, OwnerQueue<T>> entry : lanes.entrySet()) {
      OwnerQueue<T> lane = entry.getValue();
      if (lane.waiting.isEmpty()) {
        if (lane.pass <= now) {
          idle.add(entry.getKey());
        }
      } else if (open.test(entry.getKey()) && (next == null || goesBefore(lane, next))) {
        next = lane;
      }
    }
    idle.forEach(lanes::remove);
    return Optional.ofNullable(next).map(this::serve);
  }

  private static boolean goesBefore(OwnerQueue<?> one, OwnerQueue<?> other) {
    return one.share.priority() != other.share.priority()
        ? one.share.priority() > other.share.priority()
        : one.pass < other.pass;
  }

  private T serve(OwnerQueue<T> lane) {
    now = Math.max(now, lane.pass);
    lane.pass += 1 / lane.share.weight();
    size--;
    return lane.waiting.removeFirst();
  }

  /** What waits in a lane. */
  List<T> waiting(K owner) {
    @Nullable OwnerQueue<T> lane = lanes.get(owner);
    return lane == null ? List.of() : List.copyOf(lane.waiting);
  }

  /** Whether an element waits in the owner's lane. */
  boolean contains(K owner, T element) {
    @Nullable OwnerQueue<T> lane = lanes.get(owner);
    return lane != null && lane.waiting.contains(element);
  }

  int size() {
    return size;
  }
}
