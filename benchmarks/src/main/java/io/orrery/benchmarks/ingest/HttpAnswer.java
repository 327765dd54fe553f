package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer.
 *
 * @param text head and body
 */
record HttpAnswer(String text) {
  private static final String END = "\r\n\r\n";
  private static final String LENGTH = "\r\nContent-Length:";
  private static final String GOOD = "HTTP/1.1 2";
  private static final String EMPTY = "HTTP/1.1 204";

  /** Takes the first answer from the front of what was read; null while it is not all there. */
  static @Nullable HttpAnswer take(ByteBuffer read) throws IOException {
    byte[] bytes = new byte[read.remaining()];
    read.get(read.position(), bytes);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf(END);
    if (end < 0) {
      return null;
    }
    int length = end + END.length() + body(text, end);
    if (length > bytes.length) {
      return null;
    }
    read.position(read.position() + length);
    return new HttpAnswer(text.substring(0, length));
  }

  private static int body(String text, int end) throws IOException {
    for (int line = text.indexOf("\r\n"); line < end; line = text.indexOf("\r\n", line + 2)) {
      if (text.regionMatches(true, line, LENGTH, 0, LENGTH.length())) {
        int stop = text.indexOf("\r\n", line + 2);
        return Integer.parseInt(text.substring(line + LENGTH.length(), stop).strip());
      }
    }
    if (text.startsWith(EMPTY)) {
      return 0;
    }
    throw new IOException("an answer of unknown length: " + text);
  }

  /** Whether the request succeeded. */
  boolean good() {
    return text.startsWith(GOOD);
  }
}
