package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.END_STREAM;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.proxy.FrameClient.Frame;
import java.io.IOException;

/**
 * A rule of RFC 9113 or RFC 7541: the frames that a client sends, and the answer that it must get.
 */
record Http2Rule(String section, String name, Script script, Verdict verdict) {
  static final int NO_ERROR = 0;
  static final int PROTOCOL = 1;
  static final int INTERNAL = 2;
  static final int FLOW_CONTROL = 3;
  static final int STREAM_CLOSED = 5;
  static final int FRAME_SIZE = 6;
  static final int REFUSED = 7;
  static final int COMPRESSION = 9;

  static final int WINDOW = 4;
  static final int STREAMS = 3;
  static final int PUSH = 2;
  static final int FRAME = 5;
  static final int LARGEST = Integer.MAX_VALUE;

  /** The frames that the client sends after the greeting. */
  interface Script {
    void run(FrameClient client) throws Exception;
  }

  /** The answer that it must get then. */
  sealed interface Verdict {}

  /** A GOAWAY with one of these codes, or the end of the connection. */
  record ConnectionError(Integer... codes) implements Verdict {}

  /** A RST_STREAM with one of these codes; a connection error is allowed as well (5.4.1). */
  record StreamError(Integer... codes) implements Verdict {}

  /** A stream error of PROTOCOL_ERROR, which 400 may come before (8.1.1). */
  record Malformed() implements Verdict {}

  /** An answer of 200 on the first stream. */
  record Answer200() implements Verdict {}

  /** The acknowledgement of a PING: whatever came before it did no harm. */
  record Alive() implements Verdict {}

  @Override
  public String toString() {
    return section + " " + name;
  }

  static byte[] get() {
    return head("GET");
  }

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static void ask(FrameClient client) throws IOException {
    client.ask(1);
  }

  /** A stream that stays open: its body is still to come. */
  static void open(FrameClient client) throws IOException {
    client.frame(HEADERS, END_HEADERS, 1, head("POST"));
  }

  /** A stream that is over on both sides. */
  static void over(FrameClient client) throws IOException {
    ask(client);
    for (Frame frame = client.read(); frame != null; frame = client.read()) {
      if (frame.stream() == 1 && (frame.flags() & END_STREAM) != 0) {
        return;
      }
    }
  }

  static Verdict connection(Integer... codes) {
    return new ConnectionError(codes);
  }

  static Verdict stream(Integer... codes) {
    return new StreamError(codes);
  }

  static Http2Rule rule(String section, String name, Verdict verdict, Script script) {
    return new Http2Rule(section, name, script, verdict);
  }

  /** The content of the next DATA on a stream. */
  static byte[] data(FrameClient client, int stream) throws IOException {
    for (Frame frame = client.read(); frame != null; frame = client.read()) {
      if (frame.type() == HEADERS) {
        assertThat(FrameClient.status(frame)).isEqualTo("200");
      }
      if (frame.type() == DATA && frame.stream() == stream) {
        return frame.payload();
      }
    }
    return new byte[0];
  }

  static Http2Rule malformed(String section, String name, byte[] head) {
    return rule(
        section, name, new Malformed(), c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, head));
  }

  static byte[] without(String pseudo, byte[]... instead) {
    byte[] all = join(instead);
    for (String[] each :
        new String[][] {
          {":method", "GET"},
          {":scheme", "http"},
          {":path", "/"},
          {":authority", "a.service.orrery.localhost"}
        }) {
      if (!each[0].equals(pseudo)) {
        all = join(all, field(each[0], each[1]));
      }
    }
    return all;
  }
}
