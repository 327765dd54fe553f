package io.orrery.gateway.channel;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers that trials have asked for and not fetched yet, and the polls that wait for them. A
 * mailbox exists only while it has an answer or a poll; answers that are never fetched expire.
 */
final class Mailboxes {
  private static final int MOST = 200_000;
  private static final int MOST_PENDING = 64;
  private static final Duration KEPT = Duration.ofMinutes(30);
  private static final Duration SWEEP = Duration.ofMinutes(5);

  private static final class Mailbox {
    int pending;
    long touched;
    @Nullable Runnable waiting;

    boolean empty() {
      return pending == 0 && waiting == null;
    }
  }

  private final Clock clock;
  private final Map<AttemptRef, Mailbox> boxes = new HashMap<>();
  private Clock.@Nullable Timer sweep;

  Mailboxes(Clock clock) {
    this.clock = clock;
  }

  /** One more request for parameters. Wakes the poll that waits for it, if there is one. */
  void ask(AttemptRef attempt) {
    Mailbox box = box(attempt);
    if (box.pending >= MOST_PENDING) {
      throw new Problem.Busy(
              "This trial asked " + MOST_PENDING + " times without fetching an answer.",
              Duration.ofSeconds(1))
          .toException();
    }
    box.pending++;
    Runnable waiting = box.waiting;
    box.waiting = null;
    if (waiting != null) {
      waiting.run();
    }
  }

  /** Takes one request to be answered; false when there is none. */
  boolean take(AttemptRef attempt) {
    Mailbox box = boxes.get(attempt);
    if (box == null || box.pending == 0) {
      return false;
    }
    box.pending--;
    tidy(attempt, box);
    return true;
  }

  /** Waits for the next request. A later poll takes the place of an earlier one, which is woken. */
  void await(AttemptRef attempt, Runnable wake) {
    Mailbox box = box(attempt);
    Runnable earlier = box.waiting;
    box.waiting = wake;
    if (earlier != null) {
      earlier.run();
    }
  }

  /** The poll does not wait any more. */
  void leave(AttemptRef attempt, Runnable wake) {
    Mailbox box = boxes.get(attempt);
    if (box != null && wake.equals(box.waiting)) {
      box.waiting = null;
      tidy(attempt, box);
    }
  }

  /** Nothing of this attempt is wanted any more. */
  void forget(AttemptRef attempt) {
    Mailbox box = boxes.get(attempt);
    if (box != null) {
      box.pending = 0;
      tidy(attempt, box);
    }
  }

  /** How many attempts have something here. */
  int size() {
    return boxes.size();
  }

  /** Wakes all that wait, and forgets everything. */
  void close() {
    if (sweep != null) {
      sweep.cancel();
    }
    Map<AttemptRef, Mailbox> open = Map.copyOf(boxes);
    boxes.clear();
    open.values().stream()
        .map(box -> box.waiting)
        .filter(waiting -> waiting != null)
        .forEach(Runnable::run);
  }

  private Mailbox box(AttemptRef attempt) {
    Mailbox box = boxes.get(attempt);
    if (box == null) {
      if (boxes.size() >= MOST) {
        throw new Problem.Busy("Too many trials wait at once.", Duration.ofSeconds(5))
            .toException();
      }
      box = new Mailbox();
      boxes.put(attempt, box);
      if (sweep == null) {
        sweep = clock.after(SWEEP, this::sweep);
      }
    }
    box.touched = clock.millis();
    return box;
  }

  private void tidy(AttemptRef attempt, Mailbox box) {
    if (box.empty()) {
      boxes.remove(attempt);
    }
  }

  private void sweep() {
    long limit = clock.millis() - KEPT.toMillis();
    for (Iterator<Mailbox> all = boxes.values().iterator(); all.hasNext(); ) {
      Mailbox box = all.next();
      if (box.waiting == null && box.touched < limit) {
        all.remove();
      }
    }
    sweep = boxes.isEmpty() ? null : clock.after(SWEEP, this::sweep);
  }
}
