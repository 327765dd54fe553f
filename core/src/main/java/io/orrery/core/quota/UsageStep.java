package io.orrery.core.quota;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** A span of time by which use is added up. Spans begin at whole multiples of their length, UTC. */
public enum UsageStep {
  FIVE_MINUTES("5m", Duration.ofMinutes(5), Duration.ofDays(2)),
  HOUR("1h", Duration.ofHours(1), Duration.ofDays(62)),
  DAY("1d", Duration.ofDays(1), Duration.ofDays(800));

  private final String word;
  private final Duration length;
  private final Duration kept;

  UsageStep(String word, Duration length, Duration kept) {
    this.word = word;
    this.length = length;
    this.kept = kept;
  }

  /** The step as a query parameter. */
  public String word() {
    return word;
  }

  public Duration length() {
    return length;
  }

  /** How long sums of this step are kept. */
  public Duration kept() {
    return kept;
  }

  /** The beginning of the span that an instant is in. */
  public Instant floor(Instant at) {
    long seconds = length.toSeconds();
    return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(UsageStep::word).toList();
  }

  /**
   * Reads a word of {@link #words}.
   *
   * @throws IllegalArgumentException for another one
   */
  public static UsageStep of(String word) {
    return Arrays.stream(values())
        .filter(step -> step.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }
}
