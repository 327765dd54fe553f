package io.orrery.router.route;

import java.util.function.IntUnaryOperator;

/** Keys to numbers that are spread evenly and stay the same over restarts and machines. */
final class Hashes {
  private Hashes() {}

  /** FNV-1a over the UTF-16 units, finished with the mixer of MurmurHash3. */
  static long of(String text, long seed) {
    long hash = 0xcbf29ce484222325L ^ seed;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /** A short text of many bytes, by FNV-1a. */
  static String text(IntUnaryOperator byteAt, int length) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (byteAt.applyAsInt(i) & 0xff)) * 0x100000001b3L;
    }
    return Long.toHexString(mix(hash ^ length));
  }

  static long mix(long value) {
    long h = value;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }

  /** In [0, 1). */
  static double fraction(long hash) {
    return (hash >>> 11) * 0x1.0p-53;
  }
}
