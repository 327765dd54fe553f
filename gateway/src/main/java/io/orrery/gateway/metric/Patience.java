package io.orrery.gateway.metric;

/**
 * How long a stream may be left untold that its lines are durable. To tell it costs more than to
 * take a line, and most senders never wait for it: they are told of several lines at once. Whether
 * one waits is learnt from what it does: who has sent another line though it was not told of so
 * many waits for no fewer. Now and then a stream is tried with more; when it falls silent over
 * that, it is told, and not tried again before it has sent as many lines once more.
 *
 * <p>Someone {@linkplain #look looks} at each stream once a second.
 */
final class Patience {
  /** Lines of which everybody is told at once. */
  private static final int MOST = 500;

  /** Lines before a stream is tried. */
  private static final int FIRST_TRY = 8;

  /** Looks after which a stream is told that goes on all the same. */
  private static final int LOOKS = 5;

  /** Looks after which one is told that says nothing more: it may be waiting. */
  private static final int SILENT_LOOKS = 2;

  /** The most lines that were left untold when another one came. */
  private long shown;

  private long nextTry = FIRST_TRY;
  private int looks;
  private int silentLooks;

  /** Another line came while so many were left untold. */
  void cameWith(long untold) {
    shown = Math.max(shown, untold);
    silentLooks = 0;
  }

  /**
   * Whether telling can wait.
   *
   * @param untold lines that are durable, of which the sender does not know it
   * @param taken lines since the beginning
   */
  boolean allows(long untold, long taken) {
    return untold <= MOST && (untold <= shown || taken > nextTry);
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

  /** The stream has been told. */
  void told() {
    looks = 0;
    silentLooks = 0;
  }
}
