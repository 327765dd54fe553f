package io.orrery.gateway.metric;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Reads messages that come as one frame, which nearly all do, and of which most hold a single line:
 * without a reader for each, and into one array. Belongs to one event loop.
 */
final class FrameReader {
  /** A longer message gets a reader of its own. */
  private static final int LONGEST = 64 << 10;

  private final PlainReader plain;
  private final byte[] bytes = new byte[LONGEST];

  FrameReader(PlainReader plain) {
    this.plain = plain;
  }

  /**
   * Reads a whole message; refuses a bad line as {@link LineReader#read} does, and then takes none.
   *
   * @param now the time of lines that name none, milliseconds since the epoch
   * @param first the number of the first line
   * @param to takes the lines
   * @return the number of the line after the last
   */
  int read(Buffer message, long now, int first, List<MetricLine> to) {
    int length = message.length();
    if (length <= LONGEST) {
      message.getBytes(bytes);
      int before = to.size();
      int number = first;
      int at = 0;
      while (at < length) {
        MetricLine line = plain.read(bytes, at, length, true, number, now);
        if (line == null) {
          to.subList(before, to.size()).clear();
          return readAny(message, now, first, to);
        }
        to.add(line);
        number++;
        at = plain.end();
      }
      return number;
    }
    return readAny(message, now, first, to);
  }

  /** A reader of a message that comes in several frames. */
  BatchReader reader(long now, int first) {
    return new BatchReader(plain, now, first);
  }

  private int readAny(Buffer message, long now, int first, List<MetricLine> to) {
    BatchReader reader = reader(now, first);
    reader.take(message);
    to.addAll(reader.lines());
    return reader.number();
  }
}
