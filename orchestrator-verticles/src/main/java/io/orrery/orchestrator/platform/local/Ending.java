package io.orrery.orchestrator.platform.local;

import io.orrery.core.time.Clock;
import io.orrery.orchestrator.platform.local.Claims.Held;
import io.orrery.orchestrator.platform.local.Processes.Found;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends all processes of one attempt: those of its session, and those that carry its mark wherever
 * they went. SIGTERM first; SIGKILL after the grace, but not to the wrapper, which then still tells
 * the exit code; a second later to the wrapper too. Looks again until none is left, so that what is
 * forked meanwhile is found.
 */
final class Ending {
  private static final Duration WRAPPER_GRACE = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(5);
  private static final Duration LATER = Duration.ofMillis(200);

  private final String mark;
  private final Held wrapper;
  private final Duration grace;
  private final Clock clock;
  private final Runnable nudge;
  private @Nullable Instant asked;
  private boolean killed;
  private Duration pause = SOON;

  Ending(String mark, Held wrapper, Duration grace, Clock clock, Runnable nudge) {
    this.mark = mark;
    this.wrapper = wrapper;
    this.grace = grace;
    this.clock = clock;
    this.nudge = nudge;
  }

  /** Whether a process had to be killed. */
  boolean killed() {
    return killed;
  }

  /** Does what is due; whether nothing is left. When something is, a nudge comes. */
  boolean done() throws IOException {
    List<Found> members = members();
    if (members.isEmpty()) {
      return true;
    }
    Instant now = clock.now();
    if (asked == null) {
      asked = now;
      ask(members);
    } else if (!now.isBefore(asked.plus(grace))) {
      boolean wrapperToo = !now.isBefore(asked.plus(grace).plus(WRAPPER_GRACE));
      for (Found member : members) {
        if (wrapperToo || !isWrapper(member)) {
          member.signal(Signals.KILL);
          killed = true;
        }
      }
    }
    clock.after(pause, nudge);
    pause = pause.compareTo(LATER) < 0 ? pause.multipliedBy(2) : LATER;
    return false;
  }

  private void ask(List<Found> members) {
    // The group at once, so that no shell sees its child die and starts the next.
    boolean group = members.stream().anyMatch(this::isWrapper);
    if (group) {
      Signals.toGroup(wrapper.pid(), Signals.TERM);
    }
    for (Found member : members) {
      if (!group || member.group() != wrapper.pid()) {
        member.signal(Signals.TERM);
      }
    }
  }

  /**
   * The session's number may have been used again for a stranger, but only once all of ours had
   * left it, and then there is a process of that number with another start time.
   */
  private List<Found> members() throws IOException {
    List<Found> all = Processes.all();
    boolean strangers =
        all.stream().anyMatch(found -> found.pid() == wrapper.pid() && !isWrapper(found));
    return all.stream()
        .filter(
            found -> mark.equals(found.mark()) || (!strangers && found.session() == wrapper.pid()))
        .toList();
  }

  private boolean isWrapper(Found found) {
    return found.pid() == wrapper.pid() && found.startTime() == wrapper.startTime();
  }
}
