package io.orrery.studio.document;

import io.orrery.core.workload.Amount;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads amounts of cpu, memory and GPUs as documents have them: {@code 0.5~2}, {@code 512M~2G},
 * {@code 1(V100)}. One value is the limit, and what is set aside as well; {@code -} and {@code _}
 * may stand for {@code ~}.
 */
public final class AmountText {
  private static final Pattern RANGE = Pattern.compile("([^~_-]+)(?:[~_-]([^~_-]+))?");
  private static final Pattern CPU = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,3})?|\\.[0-9]{1,3}");
  private static final Pattern MEMORY = Pattern.compile("([0-9]{1,9})([GM])i?");
  private static final Pattern GPU = Pattern.compile("([0-9]{1,4})(?:[(（][^()（），,]{1,40}[)）])?");
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1_000);

  private AmountText() {}

  /** Cores as thousandths; empty when the text is none. */
  public static Optional<Amount> cpu(String text) {
    return range(
        text,
        one ->
            CPU.matcher(one).matches()
                ? Optional.of(new BigDecimal(one).multiply(THOUSAND).longValue())
                : Optional.empty());
  }

  /** Memory in bytes; empty when the text is none. */
  public static Optional<Amount> memory(String text) {
    return range(text, AmountText::bytes);
  }

  /** Whole GPUs; empty when the text is no number of them. */
  public static Optional<Integer> gpus(String text) {
    Matcher parts = GPU.matcher(text.strip());
    return parts.matches() ? Optional.of(Integer.valueOf(parts.group(1))) : Optional.empty();
  }

  private static Optional<Long> bytes(String text) {
    Matcher parts = MEMORY.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long unit = parts.group(2).equals("G") ? 1L << 30 : 1L << 20;
    return Optional.of(Long.parseLong(parts.group(1)) * unit);
  }

  @FunctionalInterface
  private interface One {
    Optional<Long> read(String text);
  }

  private static Optional<Amount> range(String text, One one) {
    Matcher parts = RANGE.matcher(text.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    Optional<Long> least = one.read(parts.group(1).strip());
    Optional<Long> most = parts.group(2) == null ? least : one.read(parts.group(2).strip());
    return least.isEmpty() || most.isEmpty() || most.get() < least.get()
        ? Optional.empty()
        : Optional.of(new Amount(least.get(), most.get()));
  }
}
