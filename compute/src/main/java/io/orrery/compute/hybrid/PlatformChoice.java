package io.orrery.compute.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a platform for an attempt, with its reason. NNI draws a platform at random; here it
 * is the cheapest of those that have room, by {@link PlatformLoad#price}, and among equals the
 * first of the list.
 *
 * @param chosen null when none has room
 * @param why for people
 */
record PlatformChoice(@Nullable PlatformLoad chosen, String why) {
  static PlatformChoice among(List<PlatformLoad> standings) {
    PlatformLoad chosen =
        standings.stream()
            .filter(PlatformLoad::hasRoom)
            .min(Comparator.comparingDouble(PlatformLoad::price))
            .orElse(null);
    if (chosen == null) {
      return new PlatformChoice(null, words(standings));
    }
    List<PlatformLoad> others = new ArrayList<>(standings);
    others.remove(chosen);
    return new PlatformChoice(
        chosen, "runs on " + chosen.name() + ": " + chosen.words() + "; " + words(others));
  }

  private static String words(List<PlatformLoad> standings) {
    return standings.stream().map(PlatformLoad::words).collect(Collectors.joining("; "));
  }
}
