package io.orrery.metrics.store;

import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Segments in a database that others keep durable: a frame is a row, so a group of points costs one
 * insert and one commit however many it has. The commit is the acknowledgement. Frames are stored
 * whole, with the checksums that a file has, and read back as critically.
 */
public final class TableSegments implements Segments {
  public static final Migrations MIGRATIONS =
      new Migrations("metric-frames", TableSegments.class, List.of("0001-frames.sql"));

  /** Longer than a store waits for its database before it gives it up. */
  private static final long PATIENCE_SECONDS = 120;

  /** Rows in one read. */
  private static final int PAGE = 100;

  private record Row(long offset, byte[] frame) {}

  private final Store store;
  private long present;

  TableSegments(Store store) {
    this.store = store;
  }

  /** Makes the table; to be done before anything else. */
  Future<Void> migrate() {
    return MIGRATIONS.apply(store);
  }

  /** False always: the database keeps what is committed, and has marks of its own. */
  @Override
  public boolean isMarked() {
    return false;
  }

  @Override
  public @Nullable LogMark mark() {
    return null;
  }

  @Override
  public void advance(LogMark now) {}

  @Override
  public String name(long segment) {
    return "segment " + segment + " of metric_frame";
  }

  @Override
  public String remedy() {
    return "restore the database from a backup";
  }

  @Override
  public List<Long> all() throws IOException {
    return await(
        store.read(
            Statement.of("select distinct segment from metric_frame order by segment"),
            row -> row.integer("segment")));
  }

  /** A segment is there with its first frame. */
  @Override
  public void begin(long segment) {
    present = segment;
  }

  @Override
  public void reopen(long segment, long length) throws IOException {
    await(
        store.write(
            List.of(
                Statement.of(
                    "delete from metric_frame where segment = ? and place >= ?",
                    segment,
                    segment + length))));
    present = segment;
  }

  @Override
  public void append(byte[] frame, int length, long offset) throws IOException {
    byte[] whole = new byte[length];
    System.arraycopy(frame, 0, whole, 0, length);
    await(
        store.write(
            List.of(
                Statement.of(
                    "insert into metric_frame (segment, place, frame) values (?, ?, ?)",
                    present,
                    offset,
                    whole))));
  }

  @Override
  public Reader read(long segment, long from) throws IOException {
    List<Row> page = page(segment, from);
    if (page.isEmpty() && !all().contains(segment)) {
      throw new NoSuchFileException("segment " + segment);
    }
    return new Rows(segment, from, page);
  }

  @Override
  public void deleteBefore(long moved, int kept) throws IOException {
    List<Long> done = all().stream().filter(segment -> segment < moved).toList();
    for (long segment : done.subList(0, Math.max(0, done.size() - kept))) {
      await(
          store.write(
              List.of(Statement.of("delete from metric_frame where segment = ?", segment))));
    }
  }

  /** The store is its owner's. */
  @Override
  public void close() {}

  private List<Row> page(long segment, long from) throws IOException {
    return await(
        store.read(
            Statement.of(
                "select place, frame from metric_frame where segment = ? and place >= ?"
                    + " order by place limit "
                    + PAGE,
                segment,
                from),
            row -> new Row(row.integer("place"), row.blob("frame"))));
  }

  private static <T> T await(Future<T> answer) throws IOException {
    try {
      return answer
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException("the database has not answered for " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the database");
    }
  }

  private final class Rows implements Reader {
    private final long segment;
    private final Queue<Row> page;
    private long offset;
    private int checksum;

    Rows(long segment, long from, List<Row> first) {
      this.segment = segment;
      this.page = new ArrayDeque<>(first);
      this.offset = from;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      if (page.isEmpty()) {
        page.addAll(page(segment, offset));
      }
      Row row = page.poll();
      if (row == null) {
        return null;
      }
      byte[] body = row.offset() == offset ? Frames.body(row.frame(), offset) : null;
      if (body == null) {
        throw new IOException(
            "the metric log is damaged: metric_frame does not hold at "
                + offset
                + " of segment "
                + segment
                + " what was acknowledged; restore the database from a backup");
      }
      offset += row.frame().length;
      checksum = ByteBuffer.wrap(row.frame()).getInt(Frames.CHECKSUM);
      return body;
    }

    @Override
    public long offset() {
      return offset;
    }

    @Override
    public int checksum() {
      return checksum;
    }

    /** A row is there as a whole or not at all. */
    @Override
    public long checkEnd(boolean last) {
      return 0;
    }

    @Override
    public void close() {}
  }
}
