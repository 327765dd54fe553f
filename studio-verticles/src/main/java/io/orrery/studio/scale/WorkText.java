package io.orrery.studio.scale;

import io.orrery.studio.scale.ScalePolicy.Target;
import java.util.Locale;
import java.util.Objects;

/** Says in words how much work there is, and how much one replica is to have. */
final class WorkText {
  private static final double MEBIBYTE = 1 << 20;

  private WorkText() {}

  /** A sentence such as {@code 380.0 requests/s of 100 each}. */
  static String of(Target target, double work) {
    double each = target.each();
    return switch (target.measure()) {
      case RPS -> String.format(Locale.ROOT, "%.1f requests/s of %s each", work, number(each));
      case CONCURRENCY ->
          String.format(Locale.ROOT, "%.1f requests at once of %s each", work, number(each));
      case CPU -> String.format(Locale.ROOT, "%.2f cores of %.2f each", work, each);
      case MEMORY ->
          String.format(Locale.ROOT, "%.0f MiB of %.0f MiB each", work / MEBIBYTE, each / MEBIBYTE);
      case GPU -> String.format(Locale.ROOT, "%.2f GPUs of %.2f each", work, each);
      case METRIC ->
          String.format(
              Locale.ROOT,
              "%s %s of %s each",
              Objects.toString(target.metric()),
              number(work),
              number(each));
    };
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
