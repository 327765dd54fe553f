package io.orrery.router.route;

import io.orrery.router.route.Hedge.Delay;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code hedge} of a service. */
final class HedgeKeys {
  static final String HEDGE = "hedge";

  private static final Pattern QUANTILE = Pattern.compile("p([5-9][0-9](?:\\.[0-9])?)");
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
  private static final int MOST_METHODS = 16;
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private HedgeKeys() {}

  /** Reads {@code {after: 50ms, budget: 5%, methods: [GET]}}; null when it is not there. */
  static @Nullable Hedge read(Section service) {
    if (!service.has(HEDGE)) {
      return null;
    }
    Section hedge = service.section(HEDGE, "after", "budget", "methods");
    Delay after =
        hedge.measure(
            "after",
            Hedge.STANDARD_DELAY,
            HedgeKeys::delay,
            found -> true,
            "is a time from 1ms to 1h, or a percentile from p50 to p99.9");
    double percent =
        hedge.measure(
            "budget",
            Hedge.STANDARD_BUDGET * 100,
            Measures::percent,
            found -> found > 0 && found <= 100,
            "is a percentage above 0%, up to 100%");
    return new Hedge(after, percent / 100, methods(hedge));
  }

  private static Delay delay(String text) {
    Matcher quantile = QUANTILE.matcher(text);
    if (quantile.matches()) {
      return new Delay.Quantile(Double.parseDouble(quantile.group(1)) / 100);
    }
    Duration time = Measures.duration(text);
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(text);
    }
    return new Delay.Fixed(time);
  }

  private static Set<String> methods(Section hedge) {
    if (!hedge.has("methods")) {
      return Hedge.STANDARD_METHODS;
    }
    List<String> written = hedge.texts("methods");
    if (hedge.raw("methods").isArray() && (written.isEmpty() || written.size() > MOST_METHODS)) {
      hedge.refuse(
          "methods", "methods has 1 to " + MOST_METHODS + " methods, not " + written.size());
    }
    for (String method : written) {
      if (!METHOD.matcher(method).matches() || method.equals("CONNECT")) {
        hedge.refuse(
            "methods",
            "a method is up to 20 capital letters, such as GET, and not CONNECT; not '"
                + method
                + "'");
      }
    }
    return new HashSet<>(written);
  }
}
