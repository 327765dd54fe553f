package io.orrery.gateway.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * The gzip coding of answers (RFC 9110, 8.4.1.3) for clients that accept it. Short ones go out as
 * they are: they fit into one segment of TCP. Long ones are packed on a worker, because a megabyte
 * takes some ten milliseconds.
 */
public final class GzipAnswer {
  /** The name of the coding, for Content-Encoding. */
  public static final CharSequence NAME = HttpHeaders.createOptimized("gzip");

  static final int LEAST_BYTES = 1_400;
  static final int MOST_INLINE_BYTES = 32 << 10;

  /** Three quarters of what the best level saves, in a third of its time. */
  private static final int LEVEL = 3;

  private GzipAnswer() {}

  /**
   * Whether a client accepts the coding: it names gzip, or all codings, with a weight above zero
   * (RFC 9110, 12.5.3).
   */
  public static boolean accepted(MultiMap headers) {
    List<String> lines = headers.getAll(HttpHeaders.ACCEPT_ENCODING);
    boolean any = false;
    for (String line : lines) {
      for (String item : line.toLowerCase(Locale.ROOT).split(",")) {
        String[] parts = item.strip().split("\\s*;\\s*");
        boolean positive = weight(parts) > 0;
        if (parts[0].equals("gzip") || parts[0].equals("x-gzip")) {
          return positive;
        }
        any |= parts[0].equals("*") && positive;
      }
    }
    return any;
  }

  private static double weight(String[] parts) {
    if (parts.length < 2 || !parts[1].startsWith("q=")) {
      return 1;
    }
    try {
      return Double.parseDouble(parts[1].substring(2));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The packed bytes, which come on the same event loop. */
  static Future<Buffer> packed(Context context, Buffer plain) {
    return plain.length() <= MOST_INLINE_BYTES
        ? Future.succeededFuture(pack(plain))
        : context.executeBlocking(() -> pack(plain), false);
  }

  private static Buffer pack(Buffer plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length() / 4);
    try (GZIPOutputStream out =
        new GZIPOutputStream(bytes) {
          {
            def.setLevel(LEVEL);
          }
        }) {
      out.write(plain.getBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return Buffer.buffer(bytes.toByteArray());
  }
}
