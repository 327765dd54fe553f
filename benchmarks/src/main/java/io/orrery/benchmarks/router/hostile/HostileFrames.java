package io.orrery.benchmarks.router.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2 (RFC 9113 section 4), written by hand to a connection. */
final class HostileFrames {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final int ACK = 1;
  private static final int INITIAL_WINDOW = 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final HostilePeer router;

  private HostileFrames(HostilePeer router) {
    this.router = router;
  }

  /**
   * Opens a connection of HTTP/2.
   *
   * @param window that each stream begins with
   */
  static HostileFrames open(HostilePeer router, int window) throws IOException {
    HostileFrames frames = new HostileFrames(router);
    router.write(PREFACE);
    frames.write(
        SETTINGS,
        0,
        0,
        ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW).putInt(window).array());
    frames.write(SETTINGS, ACK, 0);
    return frames;
  }

  HostileFrames write(int type, int flags, int stream, byte... payload) throws IOException {
    router.write(frame(type, flags, stream, payload.length, payload));
    return this;
  }

  /**
   * A frame that may announce more than it has.
   *
   * @param length that its head says
   */
  static byte[] frame(int type, int flags, int stream, int length, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (length >> 16)).putShort((short) length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return frame.array();
  }

  HostileFrames get(int stream, String path) throws IOException {
    return write(HEADERS, END_HEADERS | END_STREAM, stream, head("GET", path));
  }

  /** Begins a request with a body. */
  HostileFrames post(int stream, String path) throws IOException {
    return write(HEADERS, END_HEADERS, stream, head("POST", path));
  }

  static byte[] head(String method, String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    field(out, ":method", method);
    field(out, ":scheme", "http");
    field(out, ":path", path);
    field(out, ":authority", "a.service.orrery.localhost");
    return out.toByteArray();
  }

  /** A literal without indexing (RFC 7541 section 6.2.2). */
  static void field(ByteArrayOutputStream out, String name, String value) {
    out.write(0);
    text(out, name);
    text(out, value);
  }

  static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int rest = bytes.length;
    if (rest < 127) {
      out.write(rest);
    } else {
      out.write(127);
      for (rest -= 127; rest >= 128; rest >>>= 7) {
        out.write((rest & 127) | 128);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }
}
