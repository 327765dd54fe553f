package io.orrery.core.text;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** A decoder of UTF-8 (RFC 3629) that refuses what is none, where Java would put U+FFFD. */
public final class Utf8 {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private Utf8() {}

  /**
   * Decodes a text, without the byte order mark that it may begin with.
   *
   * @throws io.orrery.core.problem.ProblemException Refused with the first byte that is no UTF-8,
   *     and its line
   */
  public static String decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      int line = 1;
      for (int i = 0; i < in.position(); i++) {
        if (bytes[i] == '\n') {
          line++;
        }
      }
      throw new Problem.Refused(
              new Finding(
                  "", "the text is not UTF-8: byte 0x%02X".formatted(bytes[in.position()]), line))
          .toException();
    }
    out.flip();
    return out.length() > 0 && out.charAt(0) == BYTE_ORDER_MARK
        ? out.subSequence(1, out.length()).toString()
        : out.toString();
  }
}
