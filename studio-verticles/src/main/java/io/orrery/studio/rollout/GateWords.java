package io.orrery.studio.rollout;

import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Puts into words what a step of a rollout asks for. */
public final class GateWords {
  private GateWords() {}

  /** A few words for each gate, the time of a step first. */
  public static List<String> of(RolloutPolicy policy) {
    List<String> words = new ArrayList<>();
    if (!policy.every().isZero()) {
      words.add("at least " + time(policy.every()));
    }
    if (policy.requests() > 0) {
      words.add("%d answers".formatted(policy.requests()));
    }
    Double errors = policy.errors();
    if (errors != null) {
      words.add("errors < %s %%".formatted(number(errors * 100)));
    }
    add(words, "p50", policy.p50());
    add(words, "p99", policy.p99());
    return words;
  }

  private static String time(Duration duration) {
    long seconds = duration.toSeconds();
    if (duration.toNanosPart() != 0) {
      return number(duration.toMillis() / 1e3) + " s";
    }
    return seconds % 3_600 == 0
        ? seconds / 3_600 + " h"
        : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }

  private static void add(List<String> words, String name, @Nullable LatencyGate gate) {
    if (gate != null) {
      words.add(
          gate.relative()
              ? "%s < %s × that of before".formatted(name, number(gate.bound()))
              : "%s < %s ms".formatted(name, number(gate.bound())));
    }
  }

  static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.2f", value).replaceFirst("0+$", "");
  }
}
