package io.orrery.kubernetes;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Finds whole lines of JSON in a stream of bytes, however it comes in pieces, and reads them where
 * they lie. For one thread.
 */
public final class JsonLines {
  /** Bytes; an object of an API server has a tenth of it. */
  private static final int LONGEST = 16 << 20;

  private final Consumer<JsonScanner> lines;
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream(0);

  /**
   * @param lines told what stands on one or more lines, each of them whole; to be read at once
   */
  JsonLines(Consumer<JsonScanner> lines) {
    this.lines = lines;
  }

  /**
   * @param piece with an array behind it
   * @throws IllegalStateException when a line does not end
   */
  void take(ByteBuffer piece) {
    byte[] bytes = piece.array();
    int begin = piece.arrayOffset() + piece.position();
    int limit = piece.arrayOffset() + piece.limit();
    int end = limit;
    while (end > begin && bytes[end - 1] != '\n') {
      end--;
    }
    if (end > begin) {
      tell(bytes, begin, end);
    }
    if (rest.size() + limit - end > LONGEST) {
      throw new IllegalStateException("a line of more than %,d bytes".formatted(LONGEST));
    }
    rest.write(bytes, end, limit - end);
  }

  private void tell(byte[] bytes, int begin, int end) {
    if (rest.size() == 0) {
      lines.accept(new JsonScanner(bytes, begin, end));
    } else {
      rest.write(bytes, begin, end - begin);
      byte[] whole = rest.toByteArray();
      rest.reset();
      lines.accept(new JsonScanner(whole));
    }
  }
}
