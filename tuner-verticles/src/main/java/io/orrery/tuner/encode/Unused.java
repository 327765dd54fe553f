package io.orrery.tuner.encode;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A set of the integers below a size that are still free, when only a few of very many are taken or
 * nearly all.
 *
 * <p>Each taken number points towards the next that may be free, and every search shortens the ways
 * that it walked: the "union find" of Tarjan, over a map. So finding a free number costs almost
 * nothing however full the range is, and memory is used for taken numbers only.
 */
final class Unused {
  private final BigInteger size;
  private final Map<BigInteger, BigInteger> next = new HashMap<>();

  Unused(BigInteger size) {
    this.size = size;
  }

  /** How many there are, taken or not. */
  BigInteger size() {
    return size;
  }

  /** Takes a number; nothing happens when it is taken already. */
  void take(BigInteger number) {
    next.putIfAbsent(number, number.add(BigInteger.ONE));
  }

  boolean isFree(BigInteger number) {
    return !next.containsKey(number);
  }

  /** Whether all are taken. */
  boolean isEmpty() {
    return BigInteger.valueOf(next.size()).equals(size);
  }

  /** The first free number from a start on, going round at the end; null when all are taken. */
  @Nullable BigInteger from(BigInteger start) {
    if (isEmpty()) {
      return null;
    }
    BigInteger found = follow(start);
    return found.equals(size) ? follow(BigInteger.ZERO) : found;
  }

  private BigInteger follow(BigInteger start) {
    BigInteger end = start;
    for (BigInteger to = next.get(end); to != null; to = next.get(end)) {
      end = to;
    }
    BigInteger at = start;
    for (BigInteger to = next.get(at); to != null; to = next.get(at)) {
      next.put(at, end);
      at = to;
    }
    return end;
  }
}
