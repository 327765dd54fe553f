package io.orrery.compute.remote;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks a machine how an attempt is there, and says what that account is worth: one that is older
 * than the attempt's launch is none, and one that has not begun is given some time. What follows
 * from it is for the attempt, which also hears its keeper. For one thread.
 */
final class LivenessProbe {
  private static final int MOST_YOUNG_LOOKS = 12;

  /** A result of a probe. */
  sealed interface Sight {
    /** A machine that is not there, with the reason, as a clause about it. */
    record Away(String why) implements Sight {}

    /** A process that runs, or may begin yet. */
    record Alive() implements Sight {}

    /** A wrapper that did not begin in the time it had. */
    record Stuck(String why) implements Sight {}

    /** A wrapper that has ended as it should. */
    record Over() implements Sight {}

    /** A process that is gone, and has left no word of how it ended. */
    record Lost(String why) implements Sight {}
  }

  private final AttemptRef ref;
  private final Clock clock;
  private Instant launchedAt;
  private int youngLooks;

  LivenessProbe(AttemptRef ref, Clock clock) {
    this.ref = ref;
    this.clock = clock;
    this.launchedAt = clock.now();
  }

  /** It has just been launched: what its machine said before is not about it. */
  void launched() {
    launchedAt = clock.now();
  }

  Sight look(Machine machine) throws InterruptedException {
    ConnectedMachine site = machine.site();
    if (site == null) {
      return new Sight.Away(String.valueOf(machine.trouble()));
    }
    try {
      return seen(machine.name(), machine.word(ref, site, launchedAt));
    } catch (MachineAway e) {
      return new Sight.Away(e.why());
    }
  }

  private Sight seen(String machine, @Nullable String word) {
    return switch (word) {
      case null -> new Sight.Lost("its directory on " + machine + " is gone");
      case "over" -> new Sight.Over();
      case "dead" ->
          new Sight.Lost(
              "its keeper was lost: " + machine + " was restarted, or a user has killed it");
      case "young" ->
          ++youngLooks < MOST_YOUNG_LOOKS
              ? new Sight.Alive()
              : new Sight.Stuck("its wrapper did not begin on " + machine);
      default -> new Sight.Alive();
    };
  }
}
