package io.orrery.core.quota;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * Amounts by resource.
 *
 * @param of more than 0 each; what is missing is 0
 */
public record Amounts(@JsonValue Map<QuotaResource, Long> of) {
  public static final Amounts NONE = new Amounts(Map.of());

  @JsonCreator
  public Amounts {
    EnumMap<QuotaResource, Long> kept = new EnumMap<>(QuotaResource.class);
    of.forEach((resource, amount) -> {
      if (amount < 0) {
        throw new IllegalArgumentException(resource + ": " + amount);
      }
      if (amount > 0) {
        kept.put(resource, amount);
      }
    });
    of = Collections.unmodifiableMap(kept);
  }

  public static Amounts of(QuotaResource resource, long amount) {
    return new Amounts(Map.of(resource, amount));
  }

  public long get(QuotaResource resource) {
    return of.getOrDefault(resource, 0L);
  }

  public boolean isNone() {
    return of.isEmpty();
  }

  public Amounts plus(Amounts other) {
    return each(other, Math::addExact);
  }

  /** The difference, and 0 where that would be less. */
  public Amounts minus(Amounts other) {
    return each(other, (mine, theirs) -> Math.max(0, mine - theirs));
  }

  public Amounts times(long number) {
    return each(this, (mine, same) -> Math.multiplyExact(mine, number));
  }

  private Amounts each(Amounts other, LongBinaryOperator operator) {
    EnumMap<QuotaResource, Long> sum = new EnumMap<>(QuotaResource.class);
    for (QuotaResource resource : QuotaResource.values()) {
      sum.put(resource, operator.applyAsLong(get(resource), other.get(resource)));
    }
    return new Amounts(sum);
  }
}
