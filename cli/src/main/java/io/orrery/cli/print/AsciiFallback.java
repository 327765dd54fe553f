package io.orrery.cli.print;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A stream that writes text in the charset of a locale, and characters that it lacks as their
 * nearest ASCII: {@code ...} for an ellipsis, where Java writes a question mark.
 */
final class AsciiFallback extends OutputStream {
  private static final Map<Integer, String> NEAREST =
      Map.ofEntries(
          Map.entry((int) '…', "..."),
          Map.entry((int) '·', "-"),
          Map.entry((int) '–', "-"),
          Map.entry((int) '—', "-"),
          Map.entry((int) '→', "->"),
          Map.entry((int) '≥', ">="),
          Map.entry((int) '≤', "<="),
          Map.entry((int) '×', "x"),
          Map.entry((int) '‘', "'"),
          Map.entry((int) '’', "'"),
          Map.entry((int) '“', "\""),
          Map.entry((int) '”', "\""),
          Map.entry((int) '✓', "+"),
          Map.entry((int) '✗', "x"));

  private final PrintStream to;
  private final CharsetEncoder encoder;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  private AsciiFallback(PrintStream to) {
    this.to = to;
    this.encoder = to.charset().newEncoder();
  }

  /** The stream itself where its charset has every character. */
  static PrintStream over(PrintStream stream) {
    Charset charset = stream.charset();
    return charset.equals(StandardCharsets.UTF_8)
        ? stream
        : new Charged(new AsciiFallback(stream), charset);
  }

  /** The text of a charset, with the nearest ASCII for what that lacks. */
  static String inCharset(String text, CharsetEncoder encoder) {
    if (encoder.canEncode(text)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          String character = Character.toString(c);
          shown.append(encoder.canEncode(character) ? character : NEAREST.getOrDefault(c, "?"));
        });
    return shown.toString();
  }

  /** Takes text as UTF-8, and says that it is of the charset that comes out. */
  private static final class Charged extends PrintStream {
    private final Charset charset;

    Charged(AsciiFallback out, Charset charset) {
      super(out, true, StandardCharsets.UTF_8);
      this.charset = charset;
    }

    @Override
    public Charset charset() {
      return charset;
    }
  }

  @Override
  public void write(int b) {
    pending.write(b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    pending.write(bytes, from, length);
  }

  /** Whole characters by then: a text is flushed at its end. */
  @Override
  public void flush() {
    String text = pending.toString(StandardCharsets.UTF_8);
    pending.reset();
    to.print(inCharset(text, encoder));
    to.flush();
  }
}
