package io.orrery.compute.runtime.container;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;

/**
 * Decodes the frames in which an engine sends stdout and stderr of a container without a terminal:
 * eight bytes, of which the last four are the length of the content, then the content. Both streams
 * become one, in the order of the frames.
 */
final class LogFrames {
  private static final int HEADER = 8;
  private static final int LENGTH_AT = 4;
  private static final int BYTE = 0xff;

  private final byte[] header = new byte[HEADER];
  private int headerBytes;
  private long left;

  /** The content of the next bytes. */
  byte[] content(Buffer bytes) {
    ByteArrayOutputStream content = new ByteArrayOutputStream(bytes.length());
    int at = 0;
    while (at < bytes.length()) {
      if (left > 0) {
        int part = (int) Math.min(left, bytes.length() - at);
        content.writeBytes(bytes.getBytes(at, at + part));
        at += part;
        left -= part;
      } else {
        header[headerBytes++] = bytes.getByte(at++);
        if (headerBytes == HEADER) {
          headerBytes = 0;
          for (int i = LENGTH_AT; i < HEADER; i++) {
            left = (left << Byte.SIZE) | (header[i] & BYTE);
          }
        }
      }
    }
    return content.toByteArray();
  }
}
