package io.orrery.orchestrator.submission;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * A bounded queue with a lane for each owner; owners take turns, and within a lane the first comes
 * first.
 */
final class FairQueue<K, T> {
  private final Map<K, Queue<T>> lanes = new LinkedHashMap<>();
  private final int limit;
  private int size;

  /**
   * @param limit most elements over all lanes
   */
  FairQueue(int limit) {
    this.limit = limit;
  }

  /** Adds at the end of the owner's lane; false when the queue is full. */
  boolean offer(K owner, T element) {
    if (size == limit) {
      return false;
    }
    lanes.computeIfAbsent(owner, o -> new ArrayDeque<>()).add(element);
    size++;
    return true;
  }

  /** Takes the first of the lane whose turn it is. */
  Optional<T> poll() {
    if (lanes.isEmpty()) {
      return Optional.empty();
    }
    Map.Entry<K, Queue<T>> lane = lanes.entrySet().iterator().next();
    T element = lane.getValue().remove();
    lanes.remove(lane.getKey());
    if (!lane.getValue().isEmpty()) {
      lanes.put(lane.getKey(), lane.getValue());
    }
    size--;
    return Optional.of(element);
  }

  int size() {
    return size;
  }
}
