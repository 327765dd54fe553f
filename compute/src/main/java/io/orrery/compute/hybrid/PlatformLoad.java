package io.orrery.compute.hybrid;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A summary of what is known of a platform when an attempt is to be placed.
 *
 * @param absence why it takes none now, as a clause about it; null when it takes some
 * @param free how many more it could start at once, 0 or more; null when that is unknown
 * @param here how many it has
 * @param delay how long those that were sent there lately waited for their start
 */
record PlatformLoad(
    String name,
    double weight,
    @Nullable String absence,
    @Nullable Integer free,
    int here,
    Duration delay) {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  boolean hasRoom() {
    return absence == null && (free == null || free > 0);
  }

  /**
   * How dear one more attempt is there: the wait of those that have come lately, for each that it
   * has already, by its weight. So equals fill up by their weights, and one whose trials start ten
   * times later gets a tenth of them. A wait below a second is as good as none.
   */
  double price() {
    double seconds = (delay.compareTo(MOMENT) < 0 ? MOMENT : delay).toMillis() / 1_000.0;
    return seconds * (here + 1) / weight;
  }

  /** How it is, for people. */
  String words() {
    if (absence != null) {
      return name + " " + absence;
    }
    if (!hasRoom()) {
      return name + " is full with " + here;
    }
    return "%s has %d%s%s%s"
        .formatted(
            name,
            here,
            free == null ? "" : " and room for " + free,
            delay.compareTo(MOMENT) < 0
                ? ""
                : String.format(Locale.ROOT, ", where they wait %d s", delay.toSeconds()),
            weight == 1 ? "" : ", weight " + plain(weight));
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
