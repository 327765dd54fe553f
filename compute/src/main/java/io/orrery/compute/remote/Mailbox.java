package io.orrery.compute.remote;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.State;
import io.orrery.core.id.AttemptRef;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox for what reaches an attempt from outside: what its keeper says, that it is to end, that
 * something may have changed. Apart, because any thread puts it in, and only the one that lives the
 * attempt takes it out and acts on it.
 */
final class Mailbox implements Keepers.Listener {
  private static final long ANSWER_SECONDS = 600;

  private enum Signal {
    STARTED,
    ENDED,
    CANCELED,
    STIRRED
  }

  private final AttemptRef ref;
  private final Keepers keepers;
  private final AttemptEvents events;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private volatile @Nullable Instant startedAt;
  private volatile State.@Nullable Ended ended;
  private volatile boolean canceled;

  Mailbox(AttemptRef ref, Keepers keepers, AttemptEvents events) {
    this.ref = ref;
    this.keepers = keepers;
    this.events = events;
  }

  // ---- what others say -----------------------------------------------------------------------

  @Override
  public void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
    startedAt = startedAt == null ? at : startedAt;
    signals.add(Signal.STARTED);
  }

  @Override
  public void ended(AttemptRef attempt, String keeper, State.Ended end) {
    ended = end;
    signals.add(Signal.ENDED);
  }

  @Override
  public void noted(AttemptRef attempt, String note) {
    events.noted(note);
  }

  @Override
  public void silent(AttemptRef attempt, String keeper, Duration since) {
    // The machine is asked how it is, once a tick.
    stir();
  }

  /** It is to end. Its machine is asked at once: its keeper may be gone, and never answer. */
  void cancel() {
    canceled = true;
    stir();
    signals.add(Signal.CANCELED);
  }

  /** Something may have changed about its machine. */
  void stir() {
    signals.add(Signal.STIRRED);
  }

  // ---- what is known by that -----------------------------------------------------------------

  /** When its keeper started the command; null while that has not said so. */
  @Nullable Instant startedAt() {
    return startedAt;
  }

  boolean isStarted() {
    return startedAt != null;
  }

  /**
   * The facts of now. Others write while this reads, so each is read before what is told before it:
   * the cancellation is told when the keeper can start no command any more, and an end after the
   * start. A start that was told before either of them is then never missed.
   *
   * @param startable whether there is an order to start it
   * @param tried whether it may have been started in its place
   * @param givenUp a clause that says why its machine is waited for no longer; null while it is
   */
  RemoteFacts facts(boolean startable, boolean tried, @Nullable String givenUp) {
    boolean canceledBefore = canceled;
    return new RemoteFacts(keeper(), canceledBefore, startable, tried, givenUp);
  }

  private RemoteFacts.Keeper keeper() {
    State.Ended endedBefore = ended;
    return new RemoteFacts.Keeper(startedAt, endedBefore);
  }

  /**
   * Waits for a signal.
   *
   * @return whether the machine should be asked: nothing was heard, or nothing that says more
   */
  boolean await(Duration tick) throws InterruptedException {
    Signal heard = signals.poll(tick.toMillis(), TimeUnit.MILLISECONDS);
    return heard == null || heard == Signal.STIRRED;
  }

  /**
   * Hears its end as its keeper has told it; null when it has not. Asks where nothing was heard: it
   * is stored before the keeper ends, and may still be on its way to here.
   */
  State.@Nullable Ended hearLastWord() throws InterruptedException {
    State.Ended heard = ended;
    if (heard != null) {
      return heard;
    }
    State.Ended stored = State.end(answer(keepers.states(ref))).orElse(null);
    if (stored != null) {
      ended = stored;
    }
    return stored;
  }

  /** Its keeper starts no command any more, and ends the one that runs. Returns when that holds. */
  void cancelKeeper() throws InterruptedException {
    answer(keepers.cancel(ref));
  }

  private static <T> T answer(Future<T> asked) throws InterruptedException {
    try {
      return asked.await(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the keepers did not answer", e);
    }
  }
}
