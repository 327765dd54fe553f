package io.orrery.gateway.page;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/**
 * A file as browsers get it.
 *
 * @param plain its bytes
 * @param packed the same through gzip
 * @param type the Content-Type
 */
record Asset(Buffer plain, Buffer packed, String type) {
  static Asset of(String name, byte[] bytes) {
    return new Asset(Buffer.buffer(bytes), Buffer.buffer(gzip(bytes)), type(name));
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 2);
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return packed.toByteArray();
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "text/plain; charset=utf-8";
    };
  }
}
