package io.orrery.compute.remote.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Sends frames on a thread of its own, which waits for the network where others must not: those
 * that wait go together. Thread safe.
 */
final class FrameWriter {
  /** Stands for the end: a frame has a head. */
  private static final byte[] END = {};

  /** More than this waiting to be sent, and answers come without their bodies. */
  private static final long MUCH = 32L << 20;

  private static final int TOGETHER = 32 << 10;

  private final OutputStream to;
  private final Consumer<Exception> failed;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param failed told once, when nothing can be sent any more
   */
  FrameWriter(OutputStream to, Consumer<Exception> failed) {
    this.to = to;
    this.failed = failed;
  }

  /** Sends it later; what comes after the end is dropped. */
  void write(byte[] frame) {
    if (!closed) {
      bytes.addAndGet(frame.length);
      waiting.add(frame);
    }
  }

  /** Whether more is waiting than should be. */
  boolean isFull() {
    return bytes.get() > MUCH;
  }

  void close() {
    closed = true;
    waiting.add(END);
  }

  void run() {
    try (to) {
      while (true) {
        byte[] frame = waiting.take();
        if (frame.length == 0) {
          return;
        }
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        together.writeBytes(frame);
        while (together.size() < TOGETHER) {
          byte[] next = waiting.peek();
          if (next == null || next.length == 0) {
            break;
          }
          together.writeBytes(waiting.take());
        }
        to.write(together.toByteArray());
        to.flush();
        bytes.addAndGet(-together.size());
      }
    } catch (IOException | RuntimeException e) {
      failed.accept(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed.accept(e);
    }
  }
}
