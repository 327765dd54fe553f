package io.orrery.core.tensorboard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The framing of a TFRecord file, little-endian: the length of the data in eight bytes, its masked
 * CRC32C, the data, their masked CRC32C.
 */
final class TfRecord {
  /** Before the data. */
  static final int HEAD = 12;

  /** After them. */
  static final int FOOT = 4;

  private static final int MASK_DELTA = 0xa282ead8;

  private TfRecord() {}

  /** Puts a record behind what a buffer has; its data are what is left in another. */
  static void put(ByteBuffer to, ByteBuffer data) {
    to.order(ByteOrder.LITTLE_ENDIAN);
    int start = to.position();
    to.putLong(data.remaining());
    to.putInt(checksum(to.slice(start, Long.BYTES)));
    int dataChecksum = checksum(data.duplicate());
    to.put(data).putInt(dataChecksum);
  }

  /**
   * CRC32C, rotated and shifted by a constant: a checksum of data that hold checksums would be weak
   * otherwise.
   */
  static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
  }
}
