package io.orrery.core.check;

import java.time.Duration;
import java.time.Instant;

/** The rule of how long before its end a certificate should be renewed. */
public final class CertificateEnd {
  private static final Duration SOON = Duration.ofDays(30);

  private CertificateEnd() {}

  /**
   * The outcome for a certificate.
   *
   * @param found whose it is and when it ends
   * @param file to be renewed
   */
  public static CheckResult check(
      String name, String found, Instant begin, Instant end, Instant now, String file) {
    if (end.isBefore(now) || begin.isAfter(now)) {
      return CheckResult.failed(name, found + ", not valid now", "renew " + file);
    }
    return end.isBefore(now.plus(SOON))
        ? CheckResult.warning(name, found, "renew " + file + " soon")
        : CheckResult.ok(name, found);
  }
}
