package io.orrery.metrics.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one file of the log. All that became durable with one sync is one frame, so a frame
 * is begun only when the one before it is on disk, and a crash can damage the last one alone. That
 * distinguishes a torn tail, which was never acknowledged and may be cut off, from damage to
 * acknowledged points: behind the latter there is something that was written later.
 *
 * <p>A frame has a header of 24 bytes, big-endian, and a body: magic (4), length of the body (4),
 * offset in the log (8), CRC32C of the body (4), CRC32C of the 20 bytes before (4). The offset
 * keeps old content of a recycled disk block from looking like a frame.
 */
final class Frames implements Segments.Reader {
  static final int HEADER = 24;

  /** The offset of the body's checksum in a header. */
  static final int CHECKSUM = 16;

  private static final int MAGIC = 0x4f524d31; // ORM1

  private final Path file;
  private final long segment;
  private final FileChannel channel;
  private final long size;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER);
  private long position;
  private int checksum;

  Frames(Path file, long segment, long from) throws IOException {
    this.file = file;
    this.segment = segment;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.size = channel.size();
    this.position = from - segment;
  }

  /** Fills in the header of a frame whose body stands behind {@link #HEADER} free bytes. */
  static void seal(byte[] frame, int length, long offset) {
    CRC32C crc = new CRC32C();
    crc.update(frame, HEADER, length - HEADER);
    ByteBuffer header = ByteBuffer.wrap(frame, 0, HEADER);
    header.putInt(MAGIC).putInt(length - HEADER).putLong(offset).putInt((int) crc.getValue());
    header.putInt(checksum(frame, 0));
  }

  @Override
  public byte @Nullable [] next() throws IOException {
    int length = bodyLength();
    if (length < 0 || position + HEADER + length > size) {
      return null;
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    read(body, position + HEADER);
    CRC32C crc = new CRC32C();
    crc.update(body.array());
    if ((int) crc.getValue() != header.getInt(CHECKSUM)) {
      return null;
    }
    checksum = (int) crc.getValue();
    position += HEADER + length;
    return body.array();
  }

  @Override
  public long offset() {
    return segment + position;
  }

  @Override
  public int checksum() {
    return checksum;
  }

  @Override
  public long checkEnd(boolean last) throws IOException {
    if (position < size && (!last || writtenLater())) {
      throw new IOException(
          "the metric log is damaged: "
              + file
              + " at byte "
              + position
              + " does not hold what was acknowledged; restore the file from a backup, or move it"
              + " and the file 'mark' beside it away to give up the points in it");
    }
    return size - position;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * The body of a frame that was kept whole.
   *
   * @return null when it is not the frame that began at this offset, or is damaged
   */
  static byte @Nullable [] body(byte[] frame, long offset) {
    if (frame.length < HEADER || !isHeader(frame, 0, offset)) {
      return null;
    }
    ByteBuffer header = ByteBuffer.wrap(frame);
    CRC32C crc = new CRC32C();
    crc.update(frame, HEADER, frame.length - HEADER);
    return header.getInt(4) == frame.length - HEADER
            && header.getInt(CHECKSUM) == (int) crc.getValue()
        ? Arrays.copyOfRange(frame, HEADER, frame.length)
        : null;
  }

  /** The length that an intact header at the position tells, or -1. */
  private int bodyLength() throws IOException {
    if (position + HEADER > size) {
      return -1;
    }
    read(header.clear(), position);
    return isHeader(header.array(), 0, offset()) ? header.getInt(4) : -1;
  }

  private boolean writtenLater() throws IOException {
    int length = bodyLength();
    if (length >= 0 && position + HEADER + length < size) {
      return true;
    }
    ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(size - position));
    read(rest, position);
    for (int at = 1; at + HEADER <= rest.capacity(); at++) {
      if (rest.getInt(at) == MAGIC && isHeader(rest.array(), at, offset() + at)) {
        return true;
      }
    }
    return false;
  }

  private void read(ByteBuffer into, long from) throws IOException {
    long at = from;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      if (read < 0) {
        throw new IOException(file + " became shorter while it was read");
      }
      at += read;
    }
  }

  private static boolean isHeader(byte[] bytes, int at, long offset) {
    ByteBuffer header = ByteBuffer.wrap(bytes);
    return header.getInt(at) == MAGIC
        && header.getInt(at + 4) >= 0
        && header.getLong(at + 8) == offset
        && header.getInt(at + 20) == checksum(bytes, at);
  }

  private static int checksum(byte[] bytes, int at) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at, HEADER - 4);
    return (int) crc.getValue();
  }
}
