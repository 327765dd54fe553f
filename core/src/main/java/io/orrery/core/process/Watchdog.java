package io.orrery.core.process;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watchdog for a process that is alive and no longer serves: an event loop that does not turn or
 * gets no memory for buffers, or a port at which connections are accepted no more. It runs on a
 * thread of its own, asks once a second, and reports once. Time in which the process did not run at
 * all (it was stopped, or its machine was) counts for nothing.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  /** What an event loop needs to read from a connection. */
  private static final int BUFFER = 256 * 1024;

  private static final int CONNECT_MILLIS = 1_000;
  private static final Duration BEFORE_A_KNOCK = Duration.ofSeconds(5);

  /** Between two looks: a longer pause says that this process did not run. */
  private static final long MOST_PAUSE_NANOS = Duration.ofSeconds(4).toNanos();

  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final Duration patience;
  private final Consumer<String> deaf;
  private final Thread thread;
  private @Nullable Port port;
  private volatile boolean closed;

  /**
   * @param name of what is watched, for the thread
   * @param patience how long something may fail before it is reported
   * @param deaf hears what has failed, on the watchdog's thread
   */
  public Watchdog(String name, Duration patience, Consumer<String> deaf) {
    this.patience = patience;
    this.deaf = deaf;
    thread = new Thread(this::watch, "orrery-watchdog-" + name);
    thread.setDaemon(true);
  }

  /** Watches an event loop. */
  public void loop(int number, Context context) {
    loops.add(new Loop(number, context));
  }

  /**
   * Watches a port: where nothing was accepted since it was asked last, it is connected to. A
   * connection that the server ends is as good an answer as one that it counts: behind TLS, one
   * counts after its handshake only.
   *
   * @param bound where the port listens
   * @param accepted how many connections were
   */
  public void port(InetSocketAddress bound, LongSupplier accepted) {
    port =
        new Port(
            bound.isUnresolved() || !bound.getAddress().isAnyLocalAddress()
                ? bound
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort()),
            accepted,
            Math.min(BEFORE_A_KNOCK.toNanos(), patience.toNanos() / 3));
  }

  public void start() {
    load();
    thread.start();
  }

  /** Loads what a look needs: when it is needed, the process may have no file left to load it. */
  private static void load() {
    try (Socket socket = new Socket()) {
      socket.setReuseAddress(true);
    } catch (IOException e) {
      LOG.warn("could not open a socket for the watchdog: {}", e.getMessage());
    }
  }

  private void watch() {
    try {
      while (!closed) {
        long before = System.nanoTime();
        Thread.sleep(Math.min(1_000, patience.toMillis() / 2));
        if (System.nanoTime() - before > MOST_PAUSE_NANOS) {
          begin();
        }
        String fault = fault();
        if (fault != null && !closed) {
          deaf.accept(fault);
          return;
        }
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  /** Gives everything its whole time again. */
  private void begin() {
    long now = System.nanoTime();
    loops.forEach(loop -> loop.answeredAt = now);
    Port watched = port;
    if (watched != null) {
      watched.answeredAt = now;
    }
  }

  private @Nullable String fault() {
    long now = System.nanoTime();
    for (Loop loop : loops) {
      if (loop.silent(now) > patience.toNanos()) {
        return "event loop %d has not answered for %d s%s"
            .formatted(loop.number, patience.toSeconds(), loop.cause());
      }
      loop.ask();
    }
    Port watched = port;
    if (watched != null && watched.silent(now) > patience.toNanos()) {
      return "no connection was accepted at %s:%d for %d s, although one was tried"
          .formatted(
              watched.address.getHostString(), watched.address.getPort(), patience.toSeconds());
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  /** An event loop: it has answered when it had its turn and a buffer. */
  private static final class Loop {
    private final int number;
    private final Context context;
    private volatile long answeredAt = System.nanoTime();
    private volatile @Nullable Throwable failed;
    private volatile boolean asked;

    Loop(int number, Context context) {
      this.number = number;
      this.context = context;
    }

    long silent(long now) {
      return now - answeredAt;
    }

    void ask() {
      if (!asked) {
        asked = true;
        context.runOnContext(turn -> answer());
      }
    }

    private void answer() {
      asked = false;
      try {
        ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(BUFFER);
        buffer.release();
        failed = null;
        answeredAt = System.nanoTime();
      } catch (OutOfMemoryError e) {
        failed = e;
      }
    }

    String cause() {
      Throwable cause = failed;
      return cause == null ? "" : ": " + cause.getMessage();
    }
  }

  /** A port: it has answered when a connection was accepted. */
  private static final class Port {
    private final InetSocketAddress address;
    private final LongSupplier accepted;
    private final long quiet;
    private long seen = -1;
    private long answeredAt;

    /**
     * @param quiet nanoseconds without a connection after which one is tried
     */
    Port(InetSocketAddress address, LongSupplier accepted, long quiet) {
      this.address = address;
      this.accepted = accepted;
      this.quiet = quiet;
    }

    long silent(long now) {
      long present = accepted.getAsLong();
      if (present != seen) {
        seen = present;
        answeredAt = now;
        return 0;
      }
      if (now - answeredAt > quiet && isEndedByServer()) {
        answeredAt = now;
      }
      return now - answeredAt;
    }

    /** Whether a connection that sends nothing, and says so, is closed by who accepted it. */
    private boolean isEndedByServer() {
      try (Socket socket = new Socket()) {
        socket.connect(address, CONNECT_MILLIS);
        socket.setSoTimeout(CONNECT_MILLIS);
        socket.shutdownOutput();
        while (socket.getInputStream().read() >= 0) {
          // An alert of TLS comes before the end.
        }
        return true;
      } catch (IOException | LinkageError refused) {
        // Silence, or a reset, which the kernel sends as well: then the counter alone decides.
        return false;
      }
    }
  }
}
