package io.orrery.gateway.metric;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache from bytes to what they stand for, because senders repeat the same few names. It is a
 * table of fixed size, in which a new entry replaces the one in its slot.
 */
final class Memo<T> {
  private static final int SLOTS = 1 << 14;

  private record Entry<T>(byte[] bytes, T value) {
    boolean stands(byte[] in, int from, int to) {
      return Arrays.equals(bytes, 0, bytes.length, in, from, to);
    }
  }

  private final Function<String, T> reading;
  private final @Nullable Entry<T>[] slots = slots();

  /** The one that was named last, which is usually the next one as well. */
  private @Nullable Entry<T> last;

  /**
   * @param reading makes the value of a text, when it is not remembered
   */
  Memo(Function<String, T> reading) {
    this.reading = reading;
  }

  @SuppressWarnings("unchecked")
  private static <T> @Nullable Entry<T>[] slots() {
    return (Entry<T>[]) new Entry<?>[SLOTS];
  }

  /** The value of some ASCII bytes; throws what the reading throws. */
  T of(byte[] bytes, int from, int to) {
    Entry<T> known = last;
    if (known == null || !known.stands(bytes, from, to)) {
      known = find(bytes, from, to);
      last = known;
    }
    return known.value;
  }

  private Entry<T> find(byte[] bytes, int from, int to) {
    int hash = 0;
    for (int at = from; at < to; at++) {
      hash = 31 * hash + bytes[at];
    }
    int slot = (hash ^ hash >>> 15) & SLOTS - 1;
    Entry<T> known = slots[slot];
    if (known == null || !known.stands(bytes, from, to)) {
      T value = reading.apply(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
      known = new Entry<>(Arrays.copyOfRange(bytes, from, to), value);
      slots[slot] = known;
    }
    return known;
  }
}
