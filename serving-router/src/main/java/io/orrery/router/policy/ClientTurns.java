package io.orrery.router.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue that serves clients in turn, each by its own order: a client with a thousand requests
 * keeps no other from the next place. When it is full, the newest of the longest line leaves it (P.
 * McKenney, Stochastic Fairness Queueing, INFOCOM 1990). Used by one event loop alone.
 *
 * @param <T> what waits
 */
public final class ClientTurns<T extends ClientTurns.Waiter> {
  /** Waits for a place. */
  public interface Waiter {
    /** As many as may wait do. */
    void crowdedOut();

    /** Whether it still waits. */
    boolean waits();
  }

  /** The lines of clients, the one whose turn is next first. None is empty. */
  private final Map<String, ArrayDeque<T>> lines = new LinkedHashMap<>(1);

  private int size;

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Adds at the end of the line of a client. */
  public void add(String client, T waiter) {
    lines.computeIfAbsent(client, added -> new ArrayDeque<>(1)).addLast(waiter);
    size++;
  }

  /**
   * Adds one where as many wait as may: in the place of another whose client has more that wait.
   * Where there is none, it is crowded out itself.
   */
  public void crowd(String client, T waiter) {
    T out = evictFor(client);
    if (out == null) {
      waiter.crowdedOut();
      return;
    }
    add(client, waiter);
    if (out.waits()) {
      out.crowdedOut();
    }
  }

  /** The next one that still waits, whose client comes last from now on; null when none does. */
  public @Nullable T poll() {
    return poll(any -> true);
  }

  /**
   * The same of those that fulfil a condition. A client whose first one does not keeps its turn.
   */
  public @Nullable T poll(Predicate<? super T> condition) {
    T next = remove(waiter -> !waiter.waits() || condition.test(waiter));
    while (next != null && !next.waits()) {
      next = remove(waiter -> !waiter.waits() || condition.test(waiter));
    }
    return next;
  }

  private @Nullable T remove(Predicate<? super T> condition) {
    for (Iterator<Map.Entry<String, ArrayDeque<T>>> all = lines.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<String, ArrayDeque<T>> turn = all.next();
      ArrayDeque<T> line = turn.getValue();
      if (condition.test(line.getFirst())) {
        all.remove();
        T next = line.removeFirst();
        if (!line.isEmpty()) {
          lines.put(turn.getKey(), line);
        }
        size--;
        return next;
      }
    }
    return null;
  }

  /**
   * Makes room for one of a client, out of the longest line.
   *
   * @return what left the queue; null when the client's own line would be the longest
   */
  private @Nullable T evictFor(String client) {
    ArrayDeque<T> own = lines.get(client);
    String longest = client;
    int most = own == null ? 1 : own.size() + 1;
    for (Map.Entry<String, ArrayDeque<T>> line : lines.entrySet()) {
      if (line.getValue().size() > most) {
        most = line.getValue().size();
        longest = line.getKey();
      }
    }
    if (longest.equals(client)) {
      return null;
    }
    ArrayDeque<T> line = Objects.requireNonNull(lines.get(longest));
    T evicted = line.removeLast();
    if (line.isEmpty()) {
      lines.remove(longest);
    }
    size--;
    return evicted;
  }

  /** Whether more than so many still wait. */
  public boolean hasMoreThan(int number) {
    int found = 0;
    for (ArrayDeque<T> line : lines.values()) {
      for (T waiter : line) {
        if (waiter.waits() && ++found > number) {
          return true;
        }
      }
    }
    return false;
  }

  /** Removes those that do not wait any more. */
  public void sweep() {
    lines.values().forEach(line -> line.removeIf(waiter -> !waiter.waits()));
    lines.values().removeIf(ArrayDeque::isEmpty);
    size = lines.values().stream().mapToInt(ArrayDeque::size).sum();
  }

  /** Takes out all that still wait, in the order of {@link #poll}. */
  public List<T> drain() {
    List<T> all = new ArrayList<>(size);
    for (T next = poll(); next != null; next = poll()) {
      all.add(next);
    }
    return all;
  }
}
