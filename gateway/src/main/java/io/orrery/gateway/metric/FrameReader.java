package io.orrery.gateway.metric;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads messages that come as one frame, which nearly all do, and of which most hold a single line:
 * without a reader for each, and into one array. Belongs to one event loop.
 */
final class FrameReader {
  /** A longer message gets a reader of its own. */
  private static final int LONGEST = 64 << 10;

  private final PlainReader plain;
  private final byte[] bytes;

  FrameReader(PlainReader plain) {
    this(plain, new byte[LONGEST]);
  }

  private FrameReader(PlainReader plain, byte[] bytes) {
    this.plain = plain;
    this.bytes = bytes;
  }

  /** One for the messages of a single sender, of the same event loop. */
  FrameReader ofOneSender() {
    return new FrameReader(plain.ofOneSender(), bytes);
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
      return read(bytes, 0, length, now, first, to);
    }
    return readAny(message.getBytes(), now, first, to);
  }

  /** The same of bytes between two places, which belong to the caller again when this returns. */
  int read(byte[] message, int from, int end, long now, int first, List<MetricLine> to) {
    int before = to.size();
    int number = first;
    int at = from;
    while (at < end) {
      MetricLine line = plain.read(message, at, end, true, number, now);
      if (line == null) {
        to.subList(before, to.size()).clear();
        return readAny(Arrays.copyOfRange(message, from, end), now, first, to);
      }
      to.add(line);
      number++;
      at = plain.end();
    }
    return number;
  }

  /** A reader of a message that comes in several frames. */
  BatchReader reader(long now, int first) {
    return new BatchReader(plain, now, first);
  }

  private int readAny(byte[] message, long now, int first, List<MetricLine> to) {
    BatchReader reader = reader(now, first);
    reader.take(message);
    to.addAll(reader.lines());
    return reader.number();
  }
}
