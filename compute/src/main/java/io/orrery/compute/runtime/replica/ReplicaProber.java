package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.Probe;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends probes to replicas, each on a connection of its own, all by one thread and without a client
 * of HTTP: thousands of replicas at rest are probed some hundred times a second. Closed with the
 * runtime.
 */
public final class ReplicaProber {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaProber.class);

  private static final int BUFFER = 16 << 10;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Queue<ProbeConnection> asked = new ConcurrentLinkedQueue<>();
  private final Promise<Void> ended = Promise.promise();
  private volatile @Nullable Selector selector;
  private volatile boolean closed;

  /**
   * Sends a probe.
   *
   * @param host an address, without brackets
   * @return fails with the sentence that says why the replica is not ready
   */
  public Future<Void> send(Probe probe, String host, int port) {
    ProbeConnection connection = new ProbeConnection(probe, host, port);
    asked.add(connection);
    Selector open = selector;
    if (open == null) {
      begin();
    } else {
      open.wakeup();
    }
    if (closed) {
      abandonAsked();
    }
    return connection.result().future();
  }

  /** Whether the program of a probe that failed answered, only not as it should. */
  public static boolean isAnswer(Throwable failure) {
    return failure instanceof ProbeConnection.Unready unready && unready.answered();
  }

  private synchronized void begin() {
    if (selector == null && !closed) {
      try {
        Selector opened = Selector.open();
        // What was asked before it was there.
        opened.wakeup();
        selector = opened;
        Thread.ofPlatform().daemon().name("replica-probes").start(() -> run(opened));
      } catch (IOException e) {
        LOG.warn("could not send probes: {}", e.toString());
        abandonAsked();
      }
    }
  }

  private void abandonAsked() {
    for (ProbeConnection each = asked.poll(); each != null; each = asked.poll()) {
      each.abandon();
    }
  }

  private void run(Selector open) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    long earliest = Long.MAX_VALUE;
    try (open) {
      while (!closed) {
        wait(open, earliest);
        for (SelectionKey key : open.selectedKeys()) {
          if (key.isValid()) {
            connection(key).goOn(key, buffer);
          }
        }
        open.selectedKeys().clear();
        long now = System.nanoTime();
        for (ProbeConnection each = asked.poll(); each != null; each = asked.poll()) {
          each.open(open, now);
        }
        earliest = expired(open, now);
      }
      new ArrayList<>(open.keys()).forEach(key -> connection(key).abandon());
    } catch (IOException | RuntimeException e) {
      LOG.warn("could not send probes: {}", e.toString());
      closed = true;
    } finally {
      abandonAsked();
      ended.tryComplete();
    }
  }

  private static void wait(Selector open, long earliest) throws IOException {
    if (earliest == Long.MAX_VALUE) {
      open.select();
    } else {
      open.select(Math.max(1, (earliest - System.nanoTime()) / NANOS_PER_MILLI));
    }
  }

  /** Gives up the connections whose time is over; the next instant at which one's is. */
  private static long expired(Selector open, long now) {
    long earliest = Long.MAX_VALUE;
    for (SelectionKey key : open.keys()) {
      ProbeConnection each = connection(key);
      if (key.isValid() && each.deadline() <= now) {
        each.expire();
      } else if (key.isValid()) {
        earliest = Math.min(earliest, each.deadline());
      }
    }
    return earliest;
  }

  private static ProbeConnection connection(SelectionKey key) {
    return (ProbeConnection) key.attachment();
  }

  /** Takes no more probes, and closes connections. */
  public Future<Void> close() {
    synchronized (this) {
      closed = true;
      if (selector == null) {
        ended.tryComplete();
      }
    }
    Selector open = selector;
    if (open != null) {
      open.wakeup();
    }
    return ended.future();
  }
}
