package io.orrery.compute.keeper;

import io.orrery.compute.service.Keepers.Listener;
import io.orrery.compute.service.Keepers.State;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The followers of attempts, with what they were told, and when each keeper was last heard: so that
 * everything is told once, and silence as well. Confined to one event loop.
 */
final class Followers {
  private static final class Place {
    @Nullable State told;
    long heard;
    long complained;
  }

  private static final class Following {
    final Listener listener;
    final Map<String, Place> places = new HashMap<>();

    Following(Listener listener) {
      this.listener = listener;
    }

    Place place(String keeper) {
      return places.computeIfAbsent(keeper, first -> new Place());
    }
  }

  private final Clock clock;
  private final Duration patience;
  private final Map<AttemptRef, Following> all = new HashMap<>();

  /**
   * @param patience how long a keeper may be silent before that is told
   */
  Followers(Clock clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  void add(AttemptRef attempt, Listener listener) {
    all.put(attempt, new Following(listener));
  }

  void remove(AttemptRef attempt) {
    all.remove(attempt);
  }

  /** A keeper has been heard. */
  void heard(AttemptRef attempt, String keeper) {
    Following following = all.get(attempt);
    if (following != null) {
      Place place = following.place(keeper);
      place.heard = clock.millis();
      boolean back = place.complained > 0;
      place.complained = 0;
      if (back && place.told instanceof State.Running running) {
        following.listener.started(attempt, keeper, running.primary(), running.since());
      }
    }
  }

  /** Tells what is to be known of an attempt. */
  void note(AttemptRef attempt, String text) {
    Following following = all.get(attempt);
    if (following != null) {
      following.listener.noted(attempt, text);
    }
  }

  /** Tells how far a keeper is, unless that was told. */
  void tell(AttemptRef attempt, String keeper, State state) {
    Following following = all.get(attempt);
    if (following == null) {
      return;
    }
    Place place = following.place(keeper);
    State before = place.told;
    if (before instanceof State.Ended || (before != null && state instanceof State.Running)) {
      return;
    }
    place.told = state;
    place.heard = clock.millis();
    switch (state) {
      case State.Running running ->
          following.listener.started(attempt, keeper, running.primary(), running.since());
      case State.Ended ended -> following.listener.ended(attempt, keeper, ended);
    }
  }

  /** Tells of those that run and have not been heard for long. */
  void complain() {
    long now = clock.millis();
    // A copy: a listener may forget the attempt.
    Map.copyOf(all)
        .forEach((attempt, following) ->
            Map.copyOf(following.places)
                .forEach((keeper, place) -> {
                  long since = now - place.heard;
                  if (place.told instanceof State.Running
                      && since - place.complained >= patience.toMillis()) {
                    place.complained = since;
                    following.listener.silent(attempt, keeper, Duration.ofMillis(since));
                  }
                }));
  }
}
