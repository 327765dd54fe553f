package io.orrery.compute.runtime.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the log that another program keeps, an engine or a cluster, in the file of a start, so
 * that it is read as that of a process is, and outlives its keeper's. A copy that begins anew reads
 * the log from its begin, and skips as many bytes as the file has. Thread safe.
 *
 * @param <R> a reading of the log
 */
public abstract class CopiedLog<R extends CopiedLog.Reading> {
  private static final Logger LOG = LoggerFactory.getLogger(CopiedLog.class);

  private final ReplicaLog file;
  private final Duration again;
  private final Runnable ended;
  private @Nullable R present;
  private Instant notBefore = Instant.EPOCH;
  private boolean finished;

  /**
   * A copy that has not begun.
   *
   * @param again the least time between two readings that follow the log
   * @param ended called from any thread when the keeper has ended a reading
   */
  protected CopiedLog(ReplicaLog file, Duration again, Runnable ended) {
    this.file = file;
    this.again = again;
    this.ended = ended;
  }

  /** A reading of the log from its begin. */
  public abstract static class Reading {
    private long skip;
    private boolean open = true;

    /**
     * A reading that has read nothing.
     *
     * @param skip the bytes that the file has already
     */
    protected Reading(long skip) {
      this.skip = skip;
    }
  }

  /** A reading that has not begun. */
  protected abstract R reading(long skip);

  /** Begins to read what is there and what comes; does not block. */
  protected abstract void follow(R reading);

  /** Reads the rest of a program that is over; blocks until it is appended. */
  protected abstract void readRest(R reading) throws IOException;

  /** Ends a reading; what it reads still is not appended. */
  protected abstract void cancel(R reading);

  /** Copies what is there and what comes; nothing happens when that is under way. */
  public final synchronized void follow(Instant now) throws IOException {
    if (present != null || finished || now.isBefore(notBefore)) {
      return;
    }
    notBefore = now.plus(again);
    R reading = reading(file.end());
    present = reading;
    follow(reading);
  }

  /** Copies the rest of what a program has written that is over, once. Blocks. */
  public final void finish() throws IOException {
    R reading;
    synchronized (this) {
      if (finished) {
        return;
      }
      stop();
      reading = reading(file.end());
      present = reading;
    }
    try {
      readRest(reading);
      synchronized (this) {
        finished = true;
      }
    } finally {
      leave(reading);
    }
  }

  /** Copies no more until it is asked to. */
  public final synchronized void stop() {
    R before = present;
    if (before != null) {
      leave(before);
      cancel(before);
    }
  }

  /**
   * Notes that the keeper has ended a reading.
   *
   * @param told whether the owner of the log is told
   */
  protected final void end(R reading, boolean told) {
    if (leave(reading) && told) {
      ended.run();
    }
  }

  private synchronized boolean leave(R reading) {
    Reading leaving = reading;
    boolean wasOpen = leaving.open;
    if (wasOpen) {
      leaving.open = false;
      present = null;
    }
    return wasOpen;
  }

  /** Appends what the file has not; false when the reading is not the present one any more. */
  protected final synchronized boolean append(R reading, byte[] content) throws IOException {
    Reading at = reading;
    if (!at.open) {
      return false;
    }
    int from = (int) Math.min(at.skip, content.length);
    at.skip -= from;
    if (from < content.length) {
      append(ByteBuffer.wrap(content, from, content.length - from));
    }
    return true;
  }

  private void append(ByteBuffer rest) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file.file(),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (NoSuchFileException deleted) {
      LOG.trace("dropping a piece of a log whose directory is gone: {}", file.file());
    }
  }

  /** Keeps the file within so many bytes; nothing is lost, because only this object appends. */
  public final synchronized void rotate(long largest) throws IOException {
    file.rotate(largest);
  }
}
