package io.orrery.cli.server;

import io.orrery.cli.client.CommandFailure;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Ctrl-C, counted.
 *
 * <p>A shutdown hook would see the first one only: while hooks run the JVM ignores the rest, and
 * the second is the one that kills. So the signals are taken over, through the one class that Java
 * has for it, {@code sun.misc.Signal}. It is exported to everyone, but javac warns of its name, and
 * this build takes warnings for errors; hence by reflection. Where it is missing Ctrl-C ends the
 * program as it always does, and the server that it started notices that its parent is gone.
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
    try {
      interrupts.takeOver("INT");
      interrupts.takeOver("TERM");
    } catch (ReflectiveOperationException e) {
      // A Java without the class: see above.
    }
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

  private void takeOver(String name) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    InvocationHandler arrives =
        (proxy, method, arguments) -> {
          if (method.getName().equals("handle")) {
            arrived();
          }
          return null;
        };
    signal
        .getMethod("handle", signal, handler)
        .invoke(
            null,
            signal.getConstructor(String.class).newInstance(name),
            Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, arrives));
  }
}
