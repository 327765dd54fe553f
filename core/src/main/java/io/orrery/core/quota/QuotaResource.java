package io.orrery.core.quota;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A resource that a quota limits. */
public enum QuotaResource {
  /** In thousandths of a core. */
  CPU("core", "cores"),
  /** In bytes. */
  MEMORY("", ""),
  GPU("GPU", "GPUs"),
  /** Trials that run at once. */
  TRIALS("trial", "trials"),
  /** Services that have replicas; each of its stages is one. */
  SERVICES("service", "services"),
  /** Notebooks that run. */
  NOTEBOOKS("notebook", "notebooks"),
  /** Runs of pipelines that are not over. */
  RUNS("run", "runs"),
  /** In bytes. */
  STORAGE("", "");

  /** An example of each way to write an amount. */
  static final String EXAMPLES = "such as 8, \"500m\" (cores), \"64G\" or \"512M\" (bytes)";

  private static final Pattern CORES = Pattern.compile("([0-9]{1,7}(?:\\.[0-9]{1,3})?)(m?)");
  private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})([KMGT])i?B?");
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1_000);

  private final String one;
  private final String many;

  QuotaResource(String one, String many) {
    this.one = one;
    this.many = many;
  }

  /** The resource as a key of documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads a word; empty when there is no such resource. */
  public static Optional<QuotaResource> of(String word) {
    for (QuotaResource each : values()) {
      if (each.word().equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Reads an amount as documents have it; empty when the text is none. */
  public Optional<Long> read(String text) {
    String amount = text.strip();
    return switch (this) {
      case CPU -> cores(amount);
      case MEMORY, STORAGE -> bytes(amount);
      case GPU, TRIALS, SERVICES, NOTEBOOKS, RUNS ->
          COUNT.matcher(amount).matches() ? Optional.of(Long.valueOf(amount)) : Optional.empty();
    };
  }

  private static Optional<Long> cores(String text) {
    Matcher parts = CORES.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    BigDecimal thousandths = parts.group(2).isEmpty() ? number.multiply(THOUSAND) : number;
    return Optional.of(thousandths.setScale(0, RoundingMode.CEILING).longValue());
  }

  private static Optional<Long> bytes(String text) {
    Matcher parts = BYTES.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int shift = 10 * (1 + "KMGT".indexOf(parts.group(2)));
    long number = Long.parseLong(parts.group(1));
    return number > Long.MAX_VALUE >> shift ? Optional.empty() : Optional.of(number << shift);
  }

  /** The amount without its unit, such as {@code 1.5} for 1,500 thousandths of a core. */
  public String number(long amount) {
    return switch (this) {
      case CPU -> BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString();
      case MEMORY, STORAGE -> bytes(amount);
      case GPU, TRIALS, SERVICES, NOTEBOOKS, RUNS -> Long.toString(amount);
    };
  }

  private static String bytes(long amount) {
    for (int i = 4; i >= 1; i--) {
      long unit = 1L << (10 * i);
      if (amount >= unit) {
        String number =
            BigDecimal.valueOf(amount)
                .divide(BigDecimal.valueOf(unit), 1, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
        return number + "KMGT".charAt(i - 1);
      }
    }
    return Long.toString(amount);
  }

  /** The amount for people, such as {@code 8 GPUs} or {@code 64G of memory}. */
  public String words(long amount) {
    return switch (this) {
      case MEMORY, STORAGE -> number(amount) + " of " + word();
      case CPU -> number(amount) + " " + (amount == 1_000 ? one : many);
      case GPU, TRIALS, SERVICES, NOTEBOOKS, RUNS ->
          number(amount) + " " + (amount == 1 ? one : many);
    };
  }
}
