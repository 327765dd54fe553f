package io.orrery.gateway.metric;

/**
 * Decides how long the acknowledgements of a stream may be delayed. Sending one costs more than
 * accepting a line, and most senders never wait for it, so several lines are acknowledged together.
 * Whether a sender waits is learnt from its behaviour: one that sent another line with n lines
 * unacknowledged does not wait for n or fewer. Now and then a stream is tried with more; when it
 * falls silent, it gets its acknowledgement, and is not tried again before it has sent as many
 * lines once more. A sender whose lines follow immediately on an acknowledgement is not tried.
 *
 * <p>{@link OpenStreams} calls {@link #look} once a second for each stream.
 */
final class AcknowledgementDelay {
  /** Lines after which an acknowledgement is sent at once. */
  private static final int MOST = 500;

  /** Lines before a stream is tried. */
  private static final int FIRST_TRY = 8;

  /** Rounds until a stream that goes on is acknowledged all the same. */
  private static final int LOOKS = 15;

  /** Rounds until a stream that says nothing more is acknowledged: it may be waiting. */
  private static final int SILENT_LOOKS = 2;

  /** Within so many milliseconds a line is the answer to an acknowledgement. */
  private static final long PROMPT = 100;

  /** The most lines that were left untold when another one came. */
  private long shown;

  private long nextTry = FIRST_TRY;
  private int looks;
  private int silentLooks;
  private long toldAt;
  private boolean prompt;

  /**
   * Another line came while so many were left untold.
   *
   * @param now in milliseconds since the epoch
   */
  void cameWith(long untold, long now) {
    shown = Math.max(shown, untold);
    silentLooks = 0;
    prompt = untold == 0 && now - toldAt < PROMPT;
  }

  /**
   * Whether telling can wait.
   *
   * @param untold lines that are durable, of which the sender does not know it
   * @param taken lines since the beginning
   */
  boolean allows(long untold, long taken) {
    return untold <= MOST && (untold <= shown || (taken > nextTry && !prompt));
  }

  /** Whether it has sent another line without being told of the one before. */
  boolean sendsOn() {
    return shown > 0;
  }

  /**
   * A second has passed in which something was left untold.
   *
   * @return whether to tell it now
   */
  boolean look(long untold, long taken) {
    looks++;
    silentLooks++;
    boolean silent = silentLooks >= SILENT_LOOKS;
    if (silent && untold > shown) {
      nextTry = 2 * taken;
    }
    return silent || looks >= LOOKS;
  }

  /**
   * The stream has been told.
   *
   * @param now in milliseconds since the epoch
   */
  void told(long now) {
    toldAt = now;
    looks = 0;
    silentLooks = 0;
  }
}
