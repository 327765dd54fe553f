package io.orrery.gateway.live;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newest events of a feed, bounded in number and in bytes. */
final class Ring {
  private static final int MOST_EVENTS = 2_000;
  private static final long MOST_BYTES = 4L << 20;

  private final TreeMap<Long, Buffer> events = new TreeMap<>();
  private long floor;
  private long bytes;

  /**
   * @param floor the number before the first event
   */
  Ring(long floor) {
    this.floor = floor;
  }

  /** Adds the newest. It is kept however large it is; older ones make room. */
  void add(long number, Buffer event) {
    events.put(number, event);
    bytes += event.length();
    while (events.size() > 1 && (events.size() > MOST_EVENTS || bytes > MOST_BYTES)) {
      Map.Entry<Long, Buffer> oldest = events.pollFirstEntry();
      floor = oldest.getKey();
      bytes -= oldest.getValue().length();
    }
  }

  /** Whether everything that came after this number is still here. */
  boolean reachesBackTo(long number) {
    return number >= floor && number <= newest();
  }

  /** The next one after a number, null when there is none yet. */
  Map.@Nullable Entry<Long, Buffer> after(long number) {
    return events.higherEntry(number);
  }

  /** The number of the newest. */
  long newest() {
    return events.isEmpty() ? floor : events.lastKey();
  }
}
