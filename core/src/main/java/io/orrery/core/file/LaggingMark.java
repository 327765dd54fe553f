package io.orrery.core.file;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link MarkFile} up with what becomes durable, at most 50 times a second and on a thread
 * of its own: a commit costs one look at a flag.
 */
public final class LaggingMark {
  private static final Logger LOG = LoggerFactory.getLogger(LaggingMark.class);
  private static final long LAG_MILLIS = 20;

  private static final ScheduledExecutorService WRITER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("durable-marks").factory());

  private final MarkFile file;
  private final Supplier<@Nullable JsonNode> state;
  private final AtomicBoolean due = new AtomicBoolean();
  private boolean stopped;
  private boolean complained;

  /**
   * @param state what is durable now, asked on the thread of the marks; null for no news
   */
  public LaggingMark(MarkFile file, Supplier<@Nullable JsonNode> state) {
    this.file = file;
    this.state = state;
  }

  /** Something became durable. */
  public void advance() {
    if (!due.get() && due.compareAndSet(false, true)) {
      Future<?> _ = WRITER.schedule(this::write, LAG_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Writes nothing more from now on; the file stays its owner's. */
  public synchronized void stop() {
    stopped = true;
  }

  private synchronized void write() {
    due.set(false);
    if (stopped) {
      return;
    }
    try {
      JsonNode now = state.get();
      if (now != null) {
        file.write(now);
      }
      complained = false;
    } catch (IOException | RuntimeException e) {
      if (!complained) {
        LOG.warn("could not write the mark of what is durable, it stays behind: {}", e.toString());
      }
      complained = true;
    }
  }
}
