package io.orrery.router.proxy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Speaks HTTP/2 by hand, frame by frame, to say what a well-behaved client will not. */
public final class FrameClient implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  public static final int END_STREAM = 1;
  static final int ACK = 1;
  public static final int END_HEADERS = 4;
  static final int PADDED = 8;
  static final int WITH_PRIORITY = 32;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** The static table of RFC 7541 (appendix A) from its index 8. */
  private static final List<String> STATUSES =
      List.of("200", "204", "206", "304", "400", "404", "500");

  private static final int FIRST_STATUS = 8;

  private final Socket socket;
  private final DataInputStream in;

  /** A frame of the router. */
  public record Frame(int type, int flags, int stream, byte[] payload) {
    /** The error code of RST_STREAM and GOAWAY. */
    int code() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  public FrameClient(int port) throws IOException {
    this(port, InetAddress.getLoopbackAddress());
  }

  /**
   * @param from the address that it comes from
   */
  public FrameClient(int port, InetAddress from) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
    socket.setSoTimeout(5_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Says hello as it should be said, and hears the router's. */
  public FrameClient greet(byte[]... settings) throws IOException {
    raw(PREFACE.getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, join(settings));
    Frame first = read();
    if (first == null || first.type() != SETTINGS) {
      throw new IOException("the router does not begin with its settings: " + first);
    }
    return frame(SETTINGS, ACK, 0);
  }

  public FrameClient raw(byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (SocketException closed) {
      // The router has had enough; what it said is still to be read.
    }
    return this;
  }

  public FrameClient frame(int type, int flags, int stream, byte... payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return raw(frame.array());
  }

  /** The next frame; null when the connection has been closed. */
  public Frame read() throws IOException {
    try {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt() & Integer.MAX_VALUE;
      return new Frame(type, flags, stream, in.readNBytes(length));
    } catch (EOFException | SocketException closed) {
      return null;
    }
  }

  /** The fields of a request for service a. */
  public static byte[] head(String method, byte[]... more) {
    return request(method, "/", more);
  }

  /** The same for a path. */
  public static byte[] request(String method, String path, byte[]... more) {
    return join(
        field(":method", method),
        field(":scheme", "http"),
        field(":path", path),
        field(":authority", "a.service.orrery.localhost"),
        join(more));
  }

  /** A request without a body. */
  public FrameClient ask(int stream) throws IOException {
    return frame(HEADERS, END_HEADERS | END_STREAM, stream, head("GET"));
  }

  /**
   * What becomes of a request: the status when the answer is whole, {@code error} and its code when
   * the stream or the connection ends otherwise, {@code closed}.
   */
  String answered(int stream) throws IOException {
    String status = "200";
    for (Frame frame = read(); frame != null; frame = read()) {
      if (frame.type() == GOAWAY || (frame.type() == RST_STREAM && frame.stream() == stream)) {
        return "error " + frame.code();
      }
      if (frame.type() == HEADERS && frame.stream() == stream) {
        status = status(frame);
      }
      if (frame.stream() == stream
          && (frame.flags() & END_STREAM) != 0
          && frame.type() <= HEADERS) {
        return status;
      }
    }
    return "closed";
  }

  /** The status in the first frame of an answer's headers, if it is one of the static table. */
  static String status(Frame headers) {
    // Before the fields there may be the length of a padding, and a priority.
    int at =
        ((headers.flags() & PADDED) == 0 ? 0 : 1)
            + ((headers.flags() & WITH_PRIORITY) == 0 ? 0 : 5);
    // A field by its index is one byte (RFC 7541 6.1).
    int place = (headers.payload()[at] & 0xff) - 0x80 - FIRST_STATUS;
    return place >= 0 && place < STATUSES.size() ? STATUSES.get(place) : "another";
  }

  /** A field that no table knows: literal, without indexing, without Huffman (RFC 7541 6.2.2). */
  public static byte[] field(String name, String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    text(out, name);
    text(out, value);
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < 127) {
      out.write(bytes.length);
    } else {
      out.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>>= 7) {
        out.write(rest & 127 | 128);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  public static byte[] setting(int id, int value) {
    return ByteBuffer.allocate(6).putShort((short) id).putInt(value).array();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
