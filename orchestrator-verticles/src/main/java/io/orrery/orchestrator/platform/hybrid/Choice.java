package io.orrery.orchestrator.platform.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where an attempt goes, and why. NNI draws a platform at random; here it is the cheapest of those
 * that have room, by {@link Standing#price}, and among equals the first of the list.
 *
 * @param chosen null when none has room
 * @param why for people
 */
record Choice(@Nullable Standing chosen, String why) {
  static Choice among(List<Standing> standings) {
    Standing chosen =
        standings.stream()
            .filter(Standing::hasRoom)
            .min(Comparator.comparingDouble(Standing::price))
            .orElse(null);
    if (chosen == null) {
      return new Choice(null, words(standings));
    }
    List<Standing> others = new ArrayList<>(standings);
    others.remove(chosen);
    return new Choice(
        chosen, "runs on " + chosen.name() + ": " + chosen.words() + "; " + words(others));
  }

  private static String words(List<Standing> standings) {
    return standings.stream().map(Standing::words).collect(Collectors.joining("; "));
  }
}
