package io.orrery.cli.server;

import io.orrery.cli.client.CommandFailure;
import io.orrery.core.process.Signals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Counts presses of Ctrl-C.
 *
 * <p>A shutdown hook would see the first one only: while hooks run the JVM ignores the rest, and
 * the second is the one that kills. So the signals are taken over. Where Java cannot do that,
 * Ctrl-C ends the program as it always does, and the server that it started notices that its parent
 * is gone.
 */
public final class Interrupts {
  private final IntConsumer halt;
  private Runnable last = () -> {};
  private int count;

  /**
   * @param halt ends the process at once with an exit code
   */
  public Interrupts(IntConsumer halt) {
    this.halt = halt;
  }

  /** Takes over SIGINT and SIGTERM of this process. */
  public static Interrupts ofThisProcess() {
    Interrupts interrupts = new Interrupts(Runtime.getRuntime()::halt);
    Signals.on("INT", interrupts::arrived);
    Signals.on("TERM", interrupts::arrived);
    return interrupts;
  }

  /** One more; the second ends the process. */
  public void arrived() {
    Runnable then;
    synchronized (this) {
      count++;
      notifyAll();
      if (count != 2) {
        return;
      }
      then = last;
    }
    then.run();
    halt.accept(CommandFailure.INTERRUPTED);
  }

  /** What still to do, quickly, before the second one ends the process. */
  public synchronized void beforeHalt(Runnable action) {
    last = action;
  }

  /** How many there have been. */
  public synchronized int count() {
    return count;
  }

  /**
   * Waits, but no longer than until the next one.
   *
   * @return how many there have been in all
   */
  public synchronized int pause(Duration duration) {
    int before = count;
    long left = duration.toNanos();
    long end = System.nanoTime() + left;
    while (count == before && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return ++count;
      }
      left = end - System.nanoTime();
    }
    return count;
  }
}
