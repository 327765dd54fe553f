package io.orrery.router.telemetry;

import io.orrery.core.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sample of the requests, one JSON object a line. Written by a thread of its own; when that falls
 * behind, entries are dropped and counted rather than waited for.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
  private static final int MOST_WAITING = 8192;
  private static final long FAREWELL_MILLIS = 2_000;

  /**
   * A request that is over.
   *
   * @param time when it began, RFC 3339
   * @param version that answered; null when none was asked
   */
  public record Entry(
      String time,
      String client,
      String method,
      String host,
      String path,
      int status,
      double seconds,
      @Nullable String service,
      @Nullable String version,
      @Nullable String endpoint,
      int attempts) {}

  private final double part;
  private final Writer out;
  private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final LongAdder dropped = new LongAdder();
  private final Thread thread;
  private volatile boolean open = true;

  private AccessLog(double part, Writer out) {
    this.part = part;
    this.out = out;
    this.thread = Thread.ofPlatform().daemon().name("orrery-access-log").start(this::write);
  }

  /**
   * Opens it.
   *
   * @param percent of the requests that are written down
   * @param file appended to; null for the standard output
   */
  public static AccessLog open(double percent, @Nullable Path file) throws IOException {
    Writer out =
        file == null
            ? new OutputStreamWriter(System.out, StandardCharsets.UTF_8)
            : Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return new AccessLog(percent / 100, new BufferedWriter(out));
  }

  /** Whether the request that is over now is in the sample. */
  public boolean samples(RandomGenerator random) {
    return part >= 1 || random.nextDouble() < part;
  }

  /** Writes an entry, later. */
  public void add(Entry entry) {
    if (!waiting.offer(entry)) {
      dropped.increment();
    }
  }

  /** Entries that the writer was too slow for. */
  public long dropped() {
    return dropped.sum();
  }

  private void write() {
    try {
      while (open || !waiting.isEmpty()) {
        Entry entry = waiting.poll(200, TimeUnit.MILLISECONDS);
        if (entry != null) {
          out.write(Json.write(entry));
          out.write('\n');
        }
        if (waiting.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException e) {
      LOG.error("could not write the access log, it ends here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    open = false;
    try {
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    out.flush();
  }
}
