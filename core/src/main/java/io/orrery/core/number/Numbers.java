package io.orrery.core.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Pointer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides whether JSON numbers are finite, whole, or equal, for every reader and comparison. */
public final class Numbers {
  /** Whole numbers from minus this to this are exact as doubles: 2^53. */
  public static final double MOST_EXACT = 0x1.0p53;

  private static final double LONGS_END = 0x1.0p63;

  private Numbers() {}

  /**
   * Finds a number that is not finite as a double: NaN, an infinity, or one such as 1e400.
   *
   * @param json a JSON value: null, text, boolean, number, or a list or map of them
   * @param pointer where it stands
   * @return the pointer of the first such number; null when all are finite
   */
  public static @Nullable String firstNotFinite(@Nullable Object json, String pointer) {
    return switch (json) {
      case Number number -> Double.isFinite(number.doubleValue()) ? null : pointer;
      case Map<?, ?> map -> firstNotFinite(map, pointer);
      case List<?> list -> firstNotFinite(list, pointer);
      case null, default -> null;
    };
  }

  private static @Nullable String firstNotFinite(Map<?, ?> map, String pointer) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String at = Pointer.child(pointer, String.valueOf(entry.getKey()));
      String found = firstNotFinite((Object) entry.getValue(), at);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String firstNotFinite(List<?> list, String pointer) {
    for (int i = 0; i < list.size(); i++) {
      String found = firstNotFinite((Object) list.get(i), Pointer.child(pointer, i));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * The whole number that a JSON number is, which may be written {@code 3}, {@code 3.0} or {@code
   * 3e0}.
   *
   * @return null when it is no number, has a fraction, or is no long; with a point or an exponent
   *     also when it is beyond 2^53, because there doubles have no fractions to tell by
   */
  public static @Nullable Long whole(JsonNode json) {
    if (json.isIntegralNumber()) {
      return json.canConvertToLong() ? json.longValue() : null;
    }
    return json.isNumber() ? whole(json.doubleValue()) : null;
  }

  /** The whole number that a double is; null when it has a fraction or is beyond 2^53. */
  public static @Nullable Long whole(double number) {
    return number == Math.rint(number) && Math.abs(number) <= MOST_EXACT ? (long) number : null;
  }

  /**
   * The representative of all numbers that are equal to one, for comparing and for texts that are
   * compared: a double where one has the value, so that 2, 2.0 and 0 with either sign are the same,
   * and otherwise the integer itself.
   */
  public static Number canonical(Number number) {
    return switch (number) {
      case BigInteger big when big.bitLength() < Long.SIZE -> canonical(big.longValue());
      case BigInteger big -> {
        double nearest = big.doubleValue();
        boolean exact =
            Double.isFinite(nearest) && new BigDecimal(nearest).toBigInteger().equals(big);
        yield exact ? (Number) nearest : big;
      }
      case Long l -> {
        double nearest = (double) (long) l;
        boolean exact = nearest < LONGS_END && (long) nearest == l;
        yield exact ? (Number) (nearest + 0.0) : l;
      }
      default -> number.doubleValue() + 0.0; // minus zero plus zero is zero
    };
  }

  /** Whether two numbers are equal, however they are written; NaN is equal to itself. */
  public static boolean same(Number one, Number other) {
    return canonical(one).equals(canonical(other));
  }
}
