package io.orrery.router.policy;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What is kept of a body to tell whether another one is the same: its length, and a checksum of its
 * first {@value #MOST_BYTES} bytes. Two that differ by chance pass for the same once in four
 * thousand million times; two that were made to do so always can, so nothing but a number depends
 * on it.
 */
public final class BodyDigest {
  static final int MOST_BYTES = 1 << 20;

  private final CRC32C checksum = new CRC32C();
  private long length;

  /** Takes the next piece; moves its position. */
  public void add(ByteBuffer piece) {
    long room = MOST_BYTES - length;
    length += piece.remaining();
    if (room > 0) {
      checksum.update(room < piece.remaining() ? piece.slice(piece.position(), (int) room) : piece);
    }
  }

  boolean sameAs(BodyDigest other) {
    return length == other.length && checksum.getValue() == other.checksum.getValue();
  }
}
