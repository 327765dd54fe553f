package io.orrery.compute.process;

import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessTable.Listing;
import io.orrery.compute.process.Processes.Found;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends all processes of one program: those of its session, and those that carry its mark wherever
 * they went. SIGTERM first; SIGKILL after the grace, but not to the wrapper, which then still tells
 * the exit code; a second later to the wrapper too. Looks again until none is left, so that what is
 * forked meanwhile is found.
 *
 * <p>Listing all processes of the machine is dear. The wrapper's own group is asked to end without
 * a look, strays are looked for afterwards, and while the wrapper lives there is nothing to find
 * out.
 */
public final class Termination {
  private static final Duration WRAPPER_GRACE = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(5);
  private static final Duration LATER = Duration.ofMillis(200);

  private final String mark;
  private final Taken wrapper;
  private final boolean known;
  private final ProcessTable census;
  private final Duration grace;
  private final Clock clock;
  private final Runnable nudge;
  private @Nullable Instant asked;
  private boolean groupAsked;
  private boolean straysAsked;
  private boolean killed;
  private Duration pause = SOON;

  /**
   * @param known whether this server has seen the wrapper alive. If not, the session's number may
   *     belong to a stranger by now, and only the mark counts
   */
  public Termination(
      String mark,
      Taken wrapper,
      boolean known,
      ProcessTable census,
      Duration grace,
      Clock clock,
      Runnable nudge) {
    this.mark = mark;
    this.wrapper = wrapper;
    this.known = known;
    this.census = census;
    this.grace = grace;
    this.clock = clock;
    this.nudge = nudge;
  }

  /** A sentence about processes that had to be killed; null when none had to. */
  public @Nullable String killed() {
    return killed
        ? "a process did not end within %.1f s of SIGTERM and was killed"
            .formatted(grace.toMillis() / 1000.0)
        : null;
  }

  /** Does what is due; whether nothing is left. When something is, a nudge comes. */
  public boolean done() throws IOException {
    Instant now = clock.now();
    boolean wrapperLives = wrapper.isAlive();
    if (asked == null) {
      asked = now;
      // The group at once, so that no shell sees its child die and starts the next.
      groupAsked = wrapperLives && ProcessSignals.toGroup(wrapper.pid(), ProcessSignals.TERM);
      if (groupAsked) {
        return notYet();
      }
    }
    boolean patient = now.isBefore(asked.plus(grace));
    if (patient && straysAsked && wrapperLives) {
      return notYet();
    }
    List<Found> members = members();
    if (members.isEmpty()) {
      return true;
    }
    if (!straysAsked) {
      straysAsked = true;
      for (Found member : members) {
        if (!groupAsked || member.group() != wrapper.pid()) {
          member.signal(ProcessSignals.TERM);
        }
      }
    } else if (!patient) {
      boolean wrapperToo = !now.isBefore(asked.plus(grace).plus(WRAPPER_GRACE));
      for (Found member : members) {
        if (wrapperToo || !isWrapper(member)) {
          member.signal(ProcessSignals.KILL);
          killed = true;
        }
      }
    }
    return notYet();
  }

  private boolean notYet() {
    clock.after(pause, nudge);
    pause = pause.compareTo(LATER) < 0 ? pause.multipliedBy(2) : LATER;
    return false;
  }

  /**
   * The session's number may have been used again for a stranger, but only once all of ours had
   * left it, and then there is, at first, a process of that number with another start time.
   */
  private List<Found> members() throws IOException {
    Listing listing = census.take();
    List<Found> session = listing.session(wrapper.pid());
    boolean ours =
        known && session.stream().noneMatch(m -> m.pid() == wrapper.pid() && !isWrapper(m));
    return ours
        ? Stream.concat(listing.marked(mark).stream(), session.stream()).distinct().toList()
        : listing.marked(mark);
  }

  private boolean isWrapper(Found found) {
    return found.pid() == wrapper.pid() && found.startTime() == wrapper.startTime();
  }
}
