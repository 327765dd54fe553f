package io.orrery.orchestrator.platform.kubernetes;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Cuts a stream of bytes into lines of text, however it comes in pieces. For one thread. */
final class Lines {
  /** Bytes; an object of an API server has a tenth of it. */
  private static final int LONGEST = 16 << 20;

  private final Consumer<String> line;
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream(0);

  /**
   * @param line told each line that is not empty, without its end
   */
  Lines(Consumer<String> line) {
    this.line = line;
  }

  /**
   * @throws IllegalStateException when a line does not end
   */
  void take(ByteBuffer piece) {
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end > 0) {
      tell(text(bytes, end));
    }
    if (rest.size() + bytes.length - end > LONGEST) {
      throw new IllegalStateException("a line of more than %,d bytes".formatted(LONGEST));
    }
    rest.write(bytes, end, bytes.length - end);
  }

  private String text(byte[] bytes, int end) {
    if (rest.size() == 0) {
      return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
    rest.write(bytes, 0, end);
    String text = rest.toString(StandardCharsets.UTF_8);
    rest.reset();
    return text;
  }

  private void tell(String text) {
    int begin = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
      if (end > begin) {
        line.accept(text.substring(begin, end));
      }
      begin = end + 1;
    }
  }
}
