package io.orrery.core.check;

import java.time.Duration;

/** The rule of how far two clocks may be apart. */
public final class ClockSkew {
  private static final Duration MOST = Duration.ofSeconds(2);

  private ClockSkew() {}

  /** Whether clocks are further apart than that. */
  public static boolean isTooFar(Duration apart) {
    return apart.abs().compareTo(MOST) > 0;
  }

  /**
   * The outcome for one pair.
   *
   * @param whose clock this machine's was compared with: {@code the database's}
   * @param good what to say when they agree
   */
  public static CheckResult check(String name, Duration apart, String whose, String good) {
    return isTooFar(apart)
        ? CheckResult.warning(
            name,
            "%d s apart from %s".formatted(apart.abs().toSeconds(), whose),
            "let both follow one time server (chrony, systemd-timesyncd)")
        : CheckResult.ok(name, good);
  }
}
