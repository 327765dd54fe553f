package io.orrery.metrics.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the segments of a log back and compares them with the mark of its durable end, which it
 * then carries on. Before the mark everything must be there: what is not is an error with file and
 * place. Behind it a torn frame was never acknowledged: it is cut off with a warning.
 *
 * <p>The writer thread's alone. Without a mark (a log of an earlier version, or one whose mark was
 * deleted in order to give up what is missing) gaps are warnings.
 */
final class DurableEnd {
  private static final Logger LOG = LoggerFactory.getLogger(DurableEnd.class);

  private final Segments segments;
  private final @Nullable LogMark mark;
  private long segment;
  private long durable;
  private int checksum;
  private List<LogMark.Closed> closed = List.of();

  DurableEnd(Segments segments) throws IOException {
    this.segments = segments;
    this.mark = segments.mark();
  }

  /** Bodies of a segment's frames, and the offset behind the last whole one. */
  record Content(List<byte[]> bodies, long end) {}

  /**
   * Compares what there is with what there must be.
   *
   * @param moved the offset before which all is in chunks
   * @param unmoved where the segments from there on begin
   */
  void begin(long moved, List<Long> unmoved) throws IOException {
    long first = unmoved.isEmpty() ? moved : unmoved.getFirst();
    if (first != moved) {
      gap(segments.name(moved) + " is missing");
    }
    if (mark == null) {
      return;
    }
    for (LogMark.Closed full : mark.closed()) {
      if (full.segment() >= moved && !unmoved.contains(full.segment())) {
        throw damage(segments.name(full.segment()) + " is missing");
      }
    }
    if (mark.durable() > Math.max(moved, mark.segment()) && !unmoved.contains(mark.segment())) {
      throw damage(segments.name(mark.segment()) + " is missing");
    }
  }

  /**
   * Reads a segment.
   *
   * @param next where the next one begins; null for the last
   */
  Content read(long from, @Nullable Long next) throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    boolean met = mark == null || mark.durable() <= from;
    int last = 0;
    try (Segments.Reader frames = segments.read(from, from)) {
      for (byte[] body = frames.next(); body != null; body = frames.next()) {
        bodies.add(body);
        last = frames.checksum();
        met |= mark != null && frames.offset() == mark.durable() && isLast(last);
      }
      long end = frames.offset();
      if (mark != null && next == null && end < mark.durable()) {
        throw damage(
            segments.name(from)
                + " at byte "
                + (end - from)
                + " does not hold what was acknowledged, which goes on to byte "
                + (mark.durable() - from));
      }
      long torn = frames.checkEnd(next == null);
      if (torn > 0) {
        LOG.warn(
            "{} ends at byte {} with {} bytes that were never acknowledged; they are cut off",
            segments.name(from),
            end - from,
            torn);
      }
      if (next != null && end != next) {
        gap(
            segments.name(from)
                + " ends at byte "
                + (end - from)
                + " and has to go on to byte "
                + (next - from));
      }
      if ((mark != null && !met && end >= mark.durable()) || isAnother(from, end, last)) {
        throw damage(segments.name(from) + " is not the file that was written there");
      }
      ended(from, next, end, last);
      return new Content(bodies, end);
    }
  }

  /**
   * Whether a frame may be the last durable one. When the segment after it is empty the mark need
   * not know: its checksum is among those of the full segments.
   */
  private boolean isLast(int frame) {
    return mark != null && (frame == mark.checksum() || mark.durable() == mark.segment());
  }

  private void ended(long from, @Nullable Long next, long end, int last) {
    if (next == null) {
      segment = from;
      durable = end;
      checksum = last;
    } else {
      closed(from, next, last);
    }
  }

  private boolean isAnother(long from, long end, int last) {
    return mark != null
        && mark.closed().stream()
            .anyMatch(
                full -> full.segment() == from && (full.end() != end || full.checksum() != last));
  }

  /** A segment is begun; the one before is full. */
  void begun(long from) {
    if (from > segment) {
      closed(segment, from, checksum);
    }
    segment = from;
    durable = from;
    tell();
  }

  /** A frame became durable. */
  void advance(byte[] frame, long end) {
    durable = end;
    checksum = ByteBuffer.wrap(frame).getInt(Frames.CHECKSUM);
    tell();
  }

  /** Everything before an offset is in chunks. */
  void moved(long before) {
    if (!closed.isEmpty() && closed.getFirst().segment() < before) {
      closed = closed.stream().filter(full -> full.segment() >= before).toList();
    }
  }

  private void closed(long full, long end, int last) {
    List<LogMark.Closed> more = new ArrayList<>(closed);
    more.add(new LogMark.Closed(full, end, last));
    closed = List.copyOf(more);
  }

  /** Tells the segments where the log ends. */
  void tell() {
    segments.advance(new LogMark(segment, durable, checksum, closed));
  }

  private void gap(String what) throws IOException {
    if (mark == null && segments.isMarked()) {
      LOG.warn("the metric log has a gap: {}; there is no mark, so it goes on", what);
    } else {
      throw damage(what);
    }
  }

  private IOException damage(String what) {
    return new IOException("the metric log is damaged: " + what + "; " + segments.remedy());
  }
}
