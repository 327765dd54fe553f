package io.orrery.core.tensorboard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * Finds the scalars in an event file that may still be written: bytes are handed in as they come,
 * and what is not a whole record is left for the next time. A record whose checksum is wrong costs
 * itself; one whose length cannot be trusted ends the file, since nothing says where the next one
 * begins. Not safe for several threads.
 */
public final class EventFileReader {
  /** No scalar is longer; a graph or an image is, and is passed over unread. */
  private static final int LONGEST = 1 << 20;

  private final Consumer<ScalarEvent> taker;

  /** Bytes to be passed over before the next record. */
  private long toSkip;

  private long damaged;
  private boolean over;

  public EventFileReader(Consumer<ScalarEvent> taker) {
    this.taker = taker;
  }

  /** How many records were no records, the one included that ended the file. */
  public long damaged() {
    return damaged;
  }

  /**
   * Takes whole records.
   *
   * @param length how many of the bytes count
   * @return how many bytes were taken; the others are to come again, with more behind them
   */
  public int read(byte[] bytes, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    while (!over && step(in)) {
      // As long as there are whole records.
    }
    return over ? length : in.position();
  }

  /** Nothing follows: what was left was no record. */
  public void end(int left) {
    if (!over && (left > 0 || toSkip > 0)) {
      damaged++;
    }
  }

  private boolean step(ByteBuffer in) {
    if (toSkip > 0) {
      int skipped = (int) Math.min(toSkip, in.remaining());
      in.position(in.position() + skipped);
      toSkip -= skipped;
      return in.hasRemaining();
    }
    int start = in.position();
    if (in.remaining() < TfRecord.HEAD) {
      return false;
    }
    long size = in.getLong(start);
    int checksum = in.getInt(start + Long.BYTES);
    if (size < 0 || checksum != TfRecord.checksum(in.slice(start, Long.BYTES))) {
      damaged++;
      over = true;
      return false;
    }
    if (size > LONGEST) {
      toSkip = TfRecord.HEAD + size + TfRecord.FOOT;
      return true;
    }
    int whole = TfRecord.HEAD + (int) size + TfRecord.FOOT;
    if (in.remaining() < whole) {
      return false;
    }
    take(
        in.slice(start + TfRecord.HEAD, (int) size), in.getInt(start + TfRecord.HEAD + (int) size));
    in.position(start + whole);
    return true;
  }

  private void take(ByteBuffer data, int checksum) {
    if (checksum != TfRecord.checksum(data.duplicate())) {
      damaged++;
      return;
    }
    ScalarEvent event;
    try {
      event = ScalarEvent.of(data);
    } catch (RuntimeException notAnEvent) {
      damaged++;
      return;
    }
    if (event != null) {
      taker.accept(event);
    }
  }
}
