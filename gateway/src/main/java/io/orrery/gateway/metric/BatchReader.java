package io.orrery.gateway.metric;

import io.netty.buffer.ByteBuf;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a body that arrives in pieces into lines, and reads each as soon as it is whole: the work of
 * a large batch is spread over the turns of the event loop in which its pieces come. Empty lines
 * are counted and passed over.
 */
final class BatchReader {
  /** As NNI's own limit on a record: one line is read in one turn of the event loop. */
  private static final int MAX_LINE_BYTES = 1_000_000;

  private static final byte[] NONE = new byte[0];

  private final PlainReader plain;
  private final long now;
  private final List<MetricLine> lines = new ArrayList<>();

  /** A smaller piece is copied: that costs less than to look behind it. */
  private static final int LARGE_PIECE = 1_024;

  /** The line that is not whole yet: what came in pieces before the last, and in the last. */
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream(0);

  private byte[] last = NONE;
  private int lastFrom;
  private int lastTo;
  private int number;

  /**
   * @param plain reads most lines; may be shared by readers of one thread
   * @param now the time of lines that name none, milliseconds since the epoch
   * @param first the number of the first line
   */
  BatchReader(PlainReader plain, long now, int first) {
    this.plain = plain;
    this.now = now;
    this.number = first;
  }

  /** The number of the next line. */
  int number() {
    return number;
  }

  /** Takes the next piece; refuses a bad line as {@link LineReader#read} does. */
  void take(Buffer piece) {
    ByteBuf bytes =
        piece.length() >= LARGE_PIECE && piece instanceof BufferInternal inside
            ? inside.getByteBuf()
            : null;
    if (bytes != null && bytes.hasArray()) {
      int from = bytes.arrayOffset() + bytes.readerIndex();
      take(bytes.array(), from, from + bytes.readableBytes());
      // The bytes are the server's again when we return.
      begun.write(last, lastFrom, lastTo - lastFrom);
      last = NONE;
      lastFrom = 0;
      lastTo = 0;
    } else {
      take(piece.getBytes());
    }
  }

  /** The same of bytes that are not changed any more. */
  void take(byte[] piece) {
    take(piece, 0, piece.length);
  }

  private void take(byte[] piece, int from, int to) {
    begun.write(last, lastFrom, lastTo - lastFrom);
    last = piece;
    lastFrom = from;
    lastTo = to;
    while (begun.size() == 0 && takePlain(false)) {
      // As long as it goes well.
    }
    for (int at = lastFrom; at < lastTo; at++) {
      if (last[at] == '\n') {
        finishLine(at);
        lastFrom = at + 1;
        while (takePlain(false)) {
          at = lastFrom - 1;
        }
      }
    }
    checkLength(begun.size() + lastTo - lastFrom);
  }

  /** Takes a whole line in one pass, if it is a plain one. */
  private boolean takePlain(boolean complete) {
    if (lastFrom == lastTo) {
      return false;
    }
    MetricLine line = plain.read(last, lastFrom, lastTo, complete, number, now);
    if (line == null) {
      return false;
    }
    lines.add(line);
    lastFrom = plain.end();
    number++;
    return true;
  }

  /** Everything that was read; the last line needs no line feed. */
  List<MetricLine> lines() {
    boolean open = begun.size() > 0 || lastFrom < lastTo;
    if (open && !(begun.size() == 0 && takePlain(true))) {
      finishLine(lastTo);
      lastFrom = lastTo;
    }
    return lines;
  }

  private void finishLine(int to) {
    if (begun.size() == 0) {
      read(last, lastFrom, to - lastFrom);
    } else {
      begun.write(last, lastFrom, to - lastFrom);
      byte[] whole = begun.toByteArray();
      begun.reset();
      read(whole, 0, whole.length);
    }
    number++;
  }

  /** Said as soon as it is known: the rest of such a line may be long in coming. */
  private void checkLength(int length) {
    if (length > MAX_LINE_BYTES) {
      throw new Problem.Refused(
              new Finding("", "a line has at most " + MAX_LINE_BYTES + " bytes", number))
          .toException();
    }
  }

  private void read(byte[] bytes, int from, int length) {
    checkLength(length);
    if (!blank(bytes, from, length)) {
      lines.add(LineReader.read(bytes, from, length, number, now));
    }
  }

  private static boolean blank(byte[] bytes, int from, int length) {
    for (int at = from; at < from + length; at++) {
      if (bytes[at] != ' ' && bytes[at] != '\r' && bytes[at] != '\t') {
        return false;
      }
    }
    return true;
  }
}
