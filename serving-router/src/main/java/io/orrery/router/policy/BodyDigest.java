package io.orrery.router.policy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A digest of a body that tells whether another one is the same: its length, and a checksum of its
 * first {@value #MOST_BYTES} bytes. Two that differ by chance pass for the same once in four
 * thousand million times; two that were made to do so always can, so nothing but a number depends
 * on it. The first {@value #MOST_KEPT} bytes are kept as well, to show where two differ.
 */
public final class BodyDigest {
  static final int MOST_BYTES = 1 << 20;

  /** The bytes that are kept for those who want to see where two bodies differ. */
  public static final int MOST_KEPT = 2_048;

  private static final byte[] NOTHING = {};

  private final CRC32C checksum = new CRC32C();
  private long length;
  private byte[] beginning = NOTHING;

  /** Takes the next piece; moves its position. */
  public void add(ByteBuffer piece) {
    keep(piece);
    long room = MOST_BYTES - length;
    length += piece.remaining();
    if (room > 0) {
      checksum.update(room < piece.remaining() ? piece.slice(piece.position(), (int) room) : piece);
    }
  }

  private void keep(ByteBuffer piece) {
    int more = (int) Math.min(MOST_KEPT - Math.min(length, MOST_KEPT), piece.remaining());
    if (more > 0) {
      int before = beginning.length;
      beginning = Arrays.copyOf(beginning, before + more);
      piece.get(piece.position(), beginning, before, more);
    }
  }

  long length() {
    return length;
  }

  /** The first bytes. */
  byte[] beginning() {
    return beginning;
  }

  boolean sameAs(BodyDigest other) {
    return length == other.length && checksum.getValue() == other.checksum.getValue();
  }
}
