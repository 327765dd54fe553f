package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.ACK;
import static io.orrery.router.proxy.FrameClient.CONTINUATION;
import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.END_STREAM;
import static io.orrery.router.proxy.FrameClient.GOAWAY;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static io.orrery.router.proxy.FrameClient.PADDED;
import static io.orrery.router.proxy.FrameClient.PING;
import static io.orrery.router.proxy.FrameClient.PRIORITY;
import static io.orrery.router.proxy.FrameClient.PUSH_PROMISE;
import static io.orrery.router.proxy.FrameClient.RST_STREAM;
import static io.orrery.router.proxy.FrameClient.SETTINGS;
import static io.orrery.router.proxy.FrameClient.WINDOW_UPDATE;
import static io.orrery.router.proxy.FrameClient.WITH_PRIORITY;
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.join;
import static io.orrery.router.proxy.FrameClient.number;
import static io.orrery.router.proxy.FrameClient.setting;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.proxy.FrameClient.Frame;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what RFC 9113 demands of a server, rule by rule (sections 3 to 8, and RFC 7541 for the
 * headers' compression): the router's listener is told something, and must answer as the rule says.
 * Two rules are taken more widely, because the codec cannot tell a closed stream from one that was
 * passed over: it refuses that stream alone (5.1, 5.1.1).
 */
class Http2ConformanceIT extends RouterIT {
  private static final int NO_ERROR = 0;
  private static final int PROTOCOL = 1;
  private static final int INTERNAL = 2;
  private static final int FLOW_CONTROL = 3;
  private static final int STREAM_CLOSED = 5;
  private static final int FRAME_SIZE = 6;
  private static final int REFUSED = 7;
  private static final int COMPRESSION = 9;

  private static final int WINDOW = 4;
  private static final int STREAMS = 3;
  private static final int PUSH = 2;
  private static final int FRAME = 5;
  private static final int LARGEST = Integer.MAX_VALUE;

  /** The frames that the client sends after the greeting. */
  private interface Script {
    void run(FrameClient client) throws Exception;
  }

  /** The answer that it must get then. */
  private sealed interface Verdict {}

  /** A GOAWAY with one of these codes, or the end of the connection. */
  private record ConnectionError(Integer... codes) implements Verdict {}

  /** A RST_STREAM with one of these codes; a connection error is allowed as well (5.4.1). */
  private record StreamError(Integer... codes) implements Verdict {}

  /** A stream error of PROTOCOL_ERROR, which 400 may come before (8.1.1). */
  private record Malformed() implements Verdict {}

  /** An answer of 200 on the first stream. */
  private record Answer200() implements Verdict {}

  /** The acknowledgement of a PING: whatever came before it did no harm. */
  private record Alive() implements Verdict {}

  private record Rule(String section, String name, Script script, Verdict verdict) {
    @Override
    public String toString() {
      return section + " " + name;
    }
  }

  @BeforeEach
  void start() throws Exception {
    Upstream upstream = opened(Upstream.start(vertx, Http2ConformanceIT::answer));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
  }

  private static void answer(HttpServerRequest request) {
    request.body().onSuccess(body -> request.response().end("hello"));
  }

  private static byte[] get() {
    return head("GET");
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static void ask(FrameClient client) throws IOException {
    client.ask(1);
  }

  /** A stream that stays open: its body is still to come. */
  private static void open(FrameClient client) throws IOException {
    client.frame(HEADERS, END_HEADERS, 1, head("POST"));
  }

  /** A stream that is over on both sides. */
  private static void over(FrameClient client) throws IOException {
    ask(client);
    for (Frame frame = client.read(); frame != null; frame = client.read()) {
      if (frame.stream() == 1 && (frame.flags() & END_STREAM) != 0) {
        return;
      }
    }
  }

  private static Verdict connection(Integer... codes) {
    return new ConnectionError(codes);
  }

  private static Verdict stream(Integer... codes) {
    return new StreamError(codes);
  }

  private static Rule rule(String section, String name, Verdict verdict, Script script) {
    return new Rule(section, name, script, verdict);
  }

  static List<Rule> rules() {
    List<Rule> all = new ArrayList<>();
    all.addAll(frames());
    all.addAll(streams());
    all.addAll(framesByType());
    all.addAll(settingsAndWindows());
    all.addAll(messages());
    all.addAll(compression());
    all.addAll(ordinary());
    return all;
  }

  private static List<Rule> frames() {
    byte[] ping = new byte[8];
    return List.of(
        rule(
            "4.1",
            "a frame of an unknown type is ignored",
            new Alive(),
            c -> c.frame(0x16, 0, 0, new byte[8])),
        rule(
            "4.1",
            "flags that a type does not have are ignored",
            new Alive(),
            c -> c.frame(PING, 0x16, 0, ping)),
        rule(
            "4.1",
            "the reserved bit is ignored",
            new Alive(),
            c -> c.frame(PING, 0, 1 << 31, ping)),
        rule(
            "4.2",
            "a frame of 2^14 bytes is read",
            new Answer200(),
            c -> {
              open(c);
              c.frame(DATA, END_STREAM, 1, new byte[16_384]);
            }),
        rule(
            "4.2",
            "DATA beyond the largest frame",
            stream(FRAME_SIZE),
            c -> {
              open(c);
              c.frame(DATA, END_STREAM, 1, new byte[16_385]);
            }),
        rule(
            "4.2",
            "HEADERS beyond the largest frame",
            connection(FRAME_SIZE),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, new byte[16_385])),
        rule(
            "4.3",
            "headers that cannot be decompressed",
            connection(COMPRESSION),
            c ->
                c.frame(HEADERS, END_HEADERS | END_STREAM, 1, bytes(0xff, 0xff, 0xff, 0xff, 0xff))),
        rule(
            "4.3",
            "PRIORITY between pieces of headers",
            connection(PROTOCOL),
            c -> {
              c.frame(HEADERS, END_STREAM, 1, get());
              c.frame(PRIORITY, 0, 1, bytes(0, 0, 0, 0, 16));
            }),
        rule(
            "4.3",
            "HEADERS of another stream between pieces",
            connection(PROTOCOL),
            c -> {
              c.frame(HEADERS, END_STREAM, 1, get());
              c.frame(HEADERS, END_HEADERS | END_STREAM, 3, get());
            }));
  }

  private static List<Rule> streams() {
    return List.of(
        rule(
            "5.1",
            "DATA on an idle stream",
            connection(PROTOCOL, STREAM_CLOSED),
            c -> c.frame(DATA, END_STREAM, 1, bytes(1))),
        rule(
            "5.1",
            "RST_STREAM on an idle stream",
            connection(PROTOCOL),
            c -> c.frame(RST_STREAM, 0, 1, number(8))),
        rule(
            "5.1",
            "WINDOW_UPDATE on an idle stream",
            connection(PROTOCOL),
            c -> c.frame(WINDOW_UPDATE, 0, 1, number(100))),
        rule(
            "5.1",
            "CONTINUATION on an idle stream",
            connection(PROTOCOL),
            c -> c.frame(CONTINUATION, END_HEADERS, 1, get())),
        rule(
            "5.1",
            "DATA after the end of the request",
            stream(STREAM_CLOSED),
            c -> {
              ask(c);
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }),
        rule(
            "5.1",
            "HEADERS after the end of the request",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              ask(c);
              ask(c);
            }),
        rule(
            "5.1",
            "CONTINUATION after the end of the request",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              ask(c);
              c.frame(CONTINUATION, END_HEADERS, 1, get());
            }),
        rule(
            "5.1",
            "DATA after RST_STREAM",
            stream(STREAM_CLOSED),
            c -> {
              open(c);
              c.frame(RST_STREAM, 0, 1, number(8));
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }),
        rule(
            "5.1",
            "HEADERS after RST_STREAM",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              open(c);
              c.frame(RST_STREAM, 0, 1, number(8));
              ask(c);
            }),
        rule(
            "5.1",
            "CONTINUATION after RST_STREAM",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              open(c);
              c.frame(RST_STREAM, 0, 1, number(8));
              c.frame(CONTINUATION, END_HEADERS, 1, get());
            }),
        rule(
            "5.1",
            "DATA on a closed stream",
            stream(STREAM_CLOSED),
            c -> {
              over(c);
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }),
        rule(
            "5.1",
            "HEADERS on a closed stream",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              over(c);
              ask(c);
            }),
        rule(
            "5.1",
            "CONTINUATION on a closed stream",
            stream(STREAM_CLOSED, PROTOCOL),
            c -> {
              over(c);
              c.frame(CONTINUATION, END_HEADERS, 1, get());
            }),
        rule(
            "5.1.1",
            "an even number of a client's stream",
            connection(PROTOCOL),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 2, get())),
        rule(
            "5.1.1",
            "a lower number than before",
            stream(PROTOCOL, STREAM_CLOSED),
            c -> {
              c.frame(HEADERS, END_HEADERS | END_STREAM, 5, get());
              c.frame(HEADERS, END_HEADERS | END_STREAM, 3, get());
            }),
        rule(
            "5.3.1",
            "HEADERS that depend on themselves",
            stream(PROTOCOL),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | WITH_PRIORITY,
                    1,
                    join(number(1), bytes(16), get()))),
        rule(
            "5.3.1",
            "PRIORITY that depends on itself",
            stream(PROTOCOL),
            c -> c.frame(PRIORITY, 0, 1, join(number(1), bytes(16)))),
        rule(
            "5.4.1",
            "a fault of the connection ends it",
            connection(FRAME_SIZE),
            c -> c.frame(PING, 0, 0, new byte[6])),
        rule("5.5", "an extension is ignored", new Alive(), c -> c.frame(0xff, 0, 0, new byte[8])),
        rule(
            "5.5",
            "an extension between pieces of headers",
            connection(PROTOCOL),
            c -> {
              c.frame(HEADERS, END_STREAM, 1, get());
              c.frame(0xff, 0, 0, new byte[8]);
            }));
  }

  private static List<Rule> framesByType() {
    return List.of(
        rule(
            "6.1",
            "DATA of no stream",
            connection(PROTOCOL),
            c -> c.frame(DATA, END_STREAM, 0, bytes(1))),
        rule(
            "6.1",
            "DATA with more padding than frame",
            connection(PROTOCOL),
            c -> {
              open(c);
              c.frame(DATA, END_STREAM | PADDED, 1, bytes(6, 1, 2, 3));
            }),
        rule(
            "6.2",
            "HEADERS of no stream",
            connection(PROTOCOL),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 0, get())),
        rule(
            "6.2",
            "HEADERS with more padding than frame",
            connection(PROTOCOL),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM | PADDED, 1, join(bytes(200), get()))),
        rule(
            "6.3",
            "PRIORITY of no stream",
            connection(PROTOCOL),
            c -> c.frame(PRIORITY, 0, 0, bytes(0, 0, 0, 0, 16))),
        rule(
            "6.3",
            "PRIORITY of another length",
            stream(FRAME_SIZE),
            c -> c.frame(PRIORITY, 0, 1, bytes(0, 0, 0, 0))),
        rule(
            "6.4",
            "RST_STREAM of no stream",
            connection(PROTOCOL),
            c -> c.frame(RST_STREAM, 0, 0, number(8))),
        rule(
            "6.4",
            "RST_STREAM of another length",
            connection(FRAME_SIZE),
            c -> {
              open(c);
              c.frame(RST_STREAM, 0, 1, bytes(0, 0, 0));
            }),
        rule(
            "6.6",
            "PUSH_PROMISE of a client",
            connection(PROTOCOL),
            c -> c.frame(PUSH_PROMISE, END_HEADERS, 1, join(number(2), get()))),
        rule("6.7", "PING is answered", new Alive(), c -> {}),
        rule(
            "6.7",
            "an acknowledged PING is not answered",
            new Alive(),
            c -> c.frame(PING, ACK, 0, new byte[8])),
        rule(
            "6.7", "PING of a stream", connection(PROTOCOL), c -> c.frame(PING, 0, 1, new byte[8])),
        rule(
            "6.7",
            "PING of another length",
            connection(FRAME_SIZE),
            c -> c.frame(PING, 0, 0, new byte[7])),
        rule(
            "6.8",
            "GOAWAY of a stream",
            connection(PROTOCOL),
            c -> c.frame(GOAWAY, 0, 1, join(number(0), number(NO_ERROR)))),
        rule(
            "6.10",
            "headers in three pieces",
            new Answer200(),
            c -> {
              byte[] head = get();
              c.frame(HEADERS, END_STREAM, 1, Arrays.copyOf(head, 10));
              c.frame(CONTINUATION, 0, 1, Arrays.copyOfRange(head, 10, 20));
              c.frame(CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(head, 20, head.length));
            }),
        rule(
            "6.10",
            "another frame after a piece",
            connection(PROTOCOL),
            c -> {
              c.frame(HEADERS, END_STREAM, 1, get());
              c.frame(CONTINUATION, 0, 1);
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }),
        rule(
            "6.10",
            "CONTINUATION of no stream",
            connection(PROTOCOL),
            c -> {
              c.frame(HEADERS, END_STREAM, 1, get());
              c.frame(CONTINUATION, END_HEADERS, 0);
            }),
        rule(
            "6.10",
            "CONTINUATION after whole headers",
            connection(PROTOCOL, STREAM_CLOSED),
            c -> {
              open(c);
              c.frame(CONTINUATION, END_HEADERS, 1, field("x", "y"));
            }),
        rule(
            "6.10",
            "CONTINUATION after the last piece",
            connection(PROTOCOL, STREAM_CLOSED),
            c -> {
              c.frame(HEADERS, 0, 1, head("POST"));
              c.frame(CONTINUATION, END_HEADERS, 1);
              c.frame(CONTINUATION, END_HEADERS, 1, field("x", "y"));
            }),
        rule(
            "6.10",
            "CONTINUATION after DATA",
            connection(PROTOCOL),
            c -> {
              open(c);
              c.frame(DATA, 0, 1, bytes(1));
              c.frame(CONTINUATION, END_HEADERS, 1, field("x", "y"));
            }),
        rule(
            "7",
            "GOAWAY with an unknown code",
            new Alive(),
            c -> c.frame(GOAWAY, 0, 0, join(number(0), number(0xff)))),
        rule(
            "7",
            "RST_STREAM with an unknown code",
            new Alive(),
            c -> {
              open(c);
              c.frame(RST_STREAM, 0, 1, number(0xff));
            }));
  }

  private static List<Rule> settingsAndWindows() {
    return List.of(
        rule(
            "6.5",
            "an acknowledgement with content",
            connection(FRAME_SIZE),
            c -> c.frame(SETTINGS, ACK, 0, bytes(0))),
        rule(
            "6.5",
            "SETTINGS of a stream",
            connection(PROTOCOL),
            c -> c.frame(SETTINGS, 0, 1, setting(STREAMS, 100))),
        rule(
            "6.5",
            "SETTINGS of another length",
            connection(FRAME_SIZE),
            c -> c.frame(SETTINGS, 0, 0, bytes(0, 3, 0))),
        rule(
            "6.5.2",
            "ENABLE_PUSH of 2",
            connection(PROTOCOL),
            c -> c.frame(SETTINGS, 0, 0, setting(PUSH, 2))),
        rule(
            "6.5.2",
            "a first window that is too large",
            connection(FLOW_CONTROL),
            c -> c.frame(SETTINGS, 0, 0, setting(WINDOW, 1 << 31))),
        rule(
            "6.5.2",
            "a largest frame that is too small",
            connection(PROTOCOL),
            c -> c.frame(SETTINGS, 0, 0, setting(FRAME, 16_383))),
        rule(
            "6.5.2",
            "a largest frame that is too large",
            connection(PROTOCOL),
            c -> c.frame(SETTINGS, 0, 0, setting(FRAME, 1 << 24))),
        rule(
            "6.5.2",
            "an unknown setting",
            new Alive(),
            c -> c.frame(SETTINGS, 0, 0, setting(0xff, 1))),
        rule(
            "6.5.3",
            "the last of two values holds",
            new Answer200(),
            c -> {
              c.frame(SETTINGS, 0, 0, join(setting(WINDOW, 100), setting(WINDOW, 1)));
              ask(c);
              assertThat(data(c, 1)).hasSize(1);
              c.frame(WINDOW_UPDATE, 0, 1, number(100));
            }),
        rule(
            "6.9",
            "WINDOW_UPDATE of nothing",
            connection(PROTOCOL),
            c -> c.frame(WINDOW_UPDATE, 0, 0, number(0))),
        rule(
            "6.9",
            "WINDOW_UPDATE of nothing on a stream",
            stream(PROTOCOL),
            c -> {
              open(c);
              c.frame(WINDOW_UPDATE, 0, 1, number(0));
            }),
        rule(
            "6.9",
            "WINDOW_UPDATE of another length",
            connection(FRAME_SIZE),
            c -> c.frame(WINDOW_UPDATE, 0, 0, bytes(0, 0, 1))),
        rule(
            "6.9.1",
            "a window of one byte gets one byte",
            new Answer200(),
            c -> {
              c.frame(SETTINGS, 0, 0, setting(WINDOW, 1));
              ask(c);
              assertThat(data(c, 1)).hasSize(1);
              c.frame(WINDOW_UPDATE, 0, 1, number(100));
            }),
        rule(
            "6.9.1",
            "the connection's window overflows",
            connection(FLOW_CONTROL),
            c -> {
              c.frame(WINDOW_UPDATE, 0, 0, number(LARGEST));
              c.frame(WINDOW_UPDATE, 0, 0, number(LARGEST));
            }),
        rule(
            "6.9.1",
            "a stream's window overflows",
            stream(FLOW_CONTROL),
            c -> {
              open(c);
              c.frame(WINDOW_UPDATE, 0, 1, number(LARGEST));
              c.frame(WINDOW_UPDATE, 0, 1, number(LARGEST));
            }),
        rule(
            "6.9.2",
            "a window that is opened later",
            new Answer200(),
            c -> {
              c.frame(SETTINGS, 0, 0, setting(WINDOW, 0));
              ask(c);
              c.frame(SETTINGS, 0, 0, setting(WINDOW, 1));
              assertThat(data(c, 1)).hasSize(1);
              c.frame(WINDOW_UPDATE, 0, 1, number(100));
            }),
        rule(
            "6.9.2",
            "a window that became negative",
            new Answer200(),
            c -> {
              c.frame(SETTINGS, 0, 0, setting(WINDOW, 3));
              ask(c);
              assertThat(data(c, 1)).hasSize(3);
              c.frame(SETTINGS, 0, 0, setting(WINDOW, 2));
              c.frame(WINDOW_UPDATE, 0, 1, number(2));
              assertThat(data(c, 1)).hasSize(1);
              c.frame(WINDOW_UPDATE, 0, 1, number(100));
            }));
  }

  /** The content of the next DATA on a stream. */
  private static byte[] data(FrameClient client, int stream) throws IOException {
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

  private static List<Rule> messages() {
    List<Rule> all = new ArrayList<>();
    all.add(
        rule(
            "8.1",
            "second HEADERS that do not end the stream",
            stream(PROTOCOL),
            c -> {
              open(c);
              c.frame(HEADERS, END_HEADERS, 1, field("x", "y"));
            }));
    all.add(malformed("8.2.1", "an upper-case name", head("GET", field("X-Test", "ok"))));
    all.add(malformed("8.2.1", "a name with a blank", head("GET", field("x test", "ok"))));
    all.add(malformed("8.2.1", "a name with a colon", head("GET", field("x:test", "ok"))));
    all.add(malformed("8.2.1", "a value with a line end", head("GET", field("x", "a\r\nb: c"))));
    all.add(malformed("8.2.1", "a value with a NUL", head("GET", field("x", "a\0b"))));
    for (String name : List.of("connection", "keep-alive", "proxy-connection", "upgrade")) {
      all.add(malformed("8.2.2", name, head("GET", field(name, "x"))));
    }
    all.add(
        malformed(
            "8.2.2", "transfer-encoding", head("GET", field("transfer-encoding", "chunked"))));
    all.add(malformed("8.2.2", "TE other than trailers", head("GET", field("te", "gzip"))));
    all.add(malformed("8.3", "an unknown pseudo-header", join(field(":test", "x"), get())));
    all.add(malformed("8.3", "one of an answer", join(field(":status", "200"), get())));
    all.add(
        malformed(
            "8.3",
            "one after an ordinary header",
            join(
                field(":method", "GET"),
                field(":scheme", "http"),
                field("x", "y"),
                field(":path", "/"),
                field(":authority", "a.service.orrery.localhost"))));
    all.add(malformed("8.3.1", "an empty path", without(":path", field(":path", ""))));
    all.add(malformed("8.3.1", "no path", without(":path")));
    all.add(malformed("8.3.1", "no method", without(":method")));
    all.add(malformed("8.3.1", "no scheme", without(":scheme")));
    all.add(malformed("8.3.1", "two methods", join(field(":method", "GET"), get())));
    all.add(malformed("8.3.1", "two schemes", join(field(":scheme", "http"), get())));
    all.add(malformed("8.3.1", "two paths", join(field(":path", "/"), get())));
    all.add(
        rule(
            "8.1.1",
            "less body than announced",
            new Malformed(),
            c -> {
              c.frame(HEADERS, END_HEADERS, 1, head("POST", field("content-length", "2")));
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }));
    all.add(
        rule(
            "8.1.1",
            "more body than announced, in two pieces",
            new Malformed(),
            c -> {
              c.frame(HEADERS, END_HEADERS, 1, head("POST", field("content-length", "1")));
              c.frame(DATA, 0, 1, bytes(1));
              c.frame(DATA, END_STREAM, 1, bytes(1));
            }));
    all.add(
        rule(
            "8.1",
            "a pseudo-header in trailers",
            new Malformed(),
            c -> {
              open(c);
              c.frame(DATA, 0, 1, bytes(1));
              c.frame(HEADERS, END_HEADERS | END_STREAM, 1, field(":method", "GET"));
            }));
    return all;
  }

  private static Rule malformed(String section, String name, byte[] head) {
    return rule(
        section, name, new Malformed(), c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, head));
  }

  private static byte[] without(String pseudo, byte[]... instead) {
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

  private static List<Rule> compression() {
    return List.of(
        block("RFC 7541 2.3.3", "an index that no table has", bytes(0x80 | 70)),
        block("RFC 7541 6.1", "the index 0", bytes(0x80)),
        block("RFC 7541 4.2", "a table's size after a field", bytes(0x20)),
        block("RFC 7541 6.3", "a table larger than allowed", bytes(0x3f, 0xe1, 0xff, 0x03)),
        block(
            "RFC 7541 5.2",
            "Huffman padding of more than 7 bits",
            bytes(0, 1, 'x', 0x82, 0x1f, 0xff)),
        block("RFC 7541 5.2", "Huffman padding of zeroes", bytes(0, 1, 'x', 0x81, 0x18)),
        block(
            "RFC 7541 5.2",
            "Huffman with the end symbol",
            bytes(0, 1, 'x', 0x84, 0xff, 0xff, 0xff, 0xff)));
  }

  private static Rule block(String section, String name, byte[] broken) {
    // A size may only be changed before the first field; everything else is wrong anywhere.
    return rule(
        section,
        name,
        connection(COMPRESSION),
        c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, join(get(), broken)));
  }

  private static List<Rule> ordinary() {
    return List.of(
        rule("8.1", "GET", new Answer200(), Http2ConformanceIT::ask),
        rule(
            "8.1",
            "HEAD",
            new Answer200(),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, head("HEAD"))),
        rule(
            "8.1",
            "POST",
            new Answer200(),
            c -> {
              open(c);
              c.frame(DATA, END_STREAM, 1, bytes(1, 2, 3));
            }),
        rule(
            "8.1",
            "POST with trailers",
            new Answer200(),
            c -> {
              open(c);
              c.frame(DATA, 0, 1, bytes(1, 2, 3));
              c.frame(HEADERS, END_HEADERS | END_STREAM, 1, field("x-sum", "6"));
            }),
        rule(
            "8.1",
            "OPTIONS of everything",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    1,
                    join(without(":method", field(":method", "OPTIONS"))))),
        rule(
            "6.1",
            "DATA with padding",
            new Answer200(),
            c -> {
              open(c);
              c.frame(DATA, END_STREAM | PADDED, 1, bytes(2, 7, 0, 0));
            }),
        rule(
            "6.1",
            "DATA of nothing",
            new Answer200(),
            c -> {
              open(c);
              c.frame(DATA, 0, 1);
              c.frame(DATA, END_STREAM, 1);
            }),
        rule(
            "6.2",
            "HEADERS with padding",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | PADDED,
                    1,
                    join(bytes(3), get(), new byte[3]))),
        rule(
            "6.2",
            "HEADERS with a priority",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | WITH_PRIORITY,
                    1,
                    join(number(0), bytes(16), get()))),
        rule(
            "5.3",
            "PRIORITY before the stream begins",
            new Answer200(),
            c -> {
              c.frame(PRIORITY, 0, 1, bytes(0, 0, 0, 0, 16));
              ask(c);
            }),
        rule(
            "8.2.3",
            "cookies one by one",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    1,
                    head("GET", field("cookie", "a=1"), field("cookie", "b=2")))),
        rule(
            "8.2.2",
            "TE of trailers",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS, END_HEADERS | END_STREAM, 1, head("GET", field("te", "trailers")))),
        rule(
            "RFC 7541 6.1",
            "fields of the static table",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    1,
                    join(
                        bytes(0x82, 0x86, 0x84),
                        field(":authority", "a.service.orrery.localhost")))),
        rule(
            "RFC 7541 6.3",
            "a smaller table at the beginning",
            new Answer200(),
            c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, join(bytes(0x20), get()))),
        rule(
            "RFC 7541 6.2.3",
            "a field that is never indexed",
            new Answer200(),
            c ->
                c.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    1,
                    join(get(), bytes(0x10, 1, 'x', 1, 'y')))));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theListenerDoesWhatTheRuleSays(Rule rule) throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      rule.script().run(client);
      switch (rule.verdict()) {
        case ConnectionError error -> assertThat(ending(client, false)).isIn(codes(error.codes()));
        case StreamError error -> assertThat(ending(client, true)).isIn(codes(error.codes()));
        case Malformed malformed -> assertThat(ending(client, true)).isIn("1", "closed", "400");
        case Answer200 good -> assertThat(client.answered(1)).isEqualTo("200");
        case Alive alive -> assertThat(pong(client)).isTrue();
      }
    }
    // Whatever one client did, the next is served.
    assertThat(get("a", "/").text()).isEqualTo("hello");
  }

  private static Set<String> codes(Integer... codes) {
    Set<String> all = Arrays.stream(codes).map(String::valueOf).collect(Collectors.toSet());
    all.add("closed");
    return all;
  }

  /**
   * How the router ended a stream or the connection: the code, a status it refused with, closed.
   */
  private static String ending(FrameClient client, boolean stream) throws IOException {
    String refused = null;
    try {
      for (Frame frame = client.read(); frame != null; frame = client.read()) {
        if (frame.type() == GOAWAY || (stream && frame.type() == RST_STREAM)) {
          // A GOAWAY without an error only says goodbye.
          if (frame.code() != NO_ERROR) {
            return Integer.toString(frame.code());
          }
        }
        if (frame.type() == HEADERS) {
          String status = FrameClient.status(frame);
          refused = status.equals("400") ? status : refused;
        }
        if (stream && refused != null && (frame.flags() & END_STREAM) != 0) {
          return refused;
        }
      }
    } catch (SocketTimeoutException silent) {
      return "nothing";
    }
    return refused == null ? "closed" : refused;
  }

  private static boolean pong(FrameClient client) throws IOException {
    byte[] ours = "are you ".getBytes(StandardCharsets.US_ASCII);
    client.frame(PING, 0, 0, ours);
    for (Frame frame = client.read(); frame != null; frame = client.read()) {
      if (frame.type() == PING && frame.flags() == ACK && Arrays.equals(frame.payload(), ours)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aPrefaceThatIsNoneClosesTheConnection() throws Exception {
    try (RawClient client = raw()) {
      client.write("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
      // What is left is read as HTTP/1.1, of which it is none either.
      assertThat(client.rest()).doesNotContain("200 OK");
    }
  }

  @Test
  void aMalformedRequestHarmsNoOtherStream() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      open(client);
      byte[] nowhere = without(":path", field(":path", "/a b"));
      client.frame(HEADERS, END_HEADERS | END_STREAM, 3, nowhere);
      assertThat(client.answered(3)).isEqualTo("400");
      client.frame(HEADERS, END_HEADERS, 5, nowhere);
      assertThat(client.answered(5)).isEqualTo("400");
      assertThat(client.answered(5)).isEqualTo("error " + PROTOCOL);

      client.frame(DATA, END_STREAM, 1, bytes(1));
      assertThat(client.answered(1)).isEqualTo("200");
    }
  }

  @Test
  void anAnswerThatBreaksOffDoesNotEndWithoutAnError() throws Exception {
    RawEndpoint endpoint =
        opened(new RawEndpoint(head -> "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhalf^"));
    router.inbox().accept(table("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n"));

    try (FrameClient client = new FrameClient(router.port())) {
      assertThat(client.greet().ask(1).answered(1)).isEqualTo("error " + INTERNAL);
    }
  }

  @Test
  void settingsAreAcknowledged() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet(setting(STREAMS, 10));
      Frame frame = client.read();
      while (frame != null && !(frame.type() == SETTINGS && frame.flags() == ACK)) {
        frame = client.read();
      }
      assertThat(frame).isNotNull();
    }
  }

  @Test
  void moreStreamsThanAllowedAreRefused() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      // As many as HTTP/2 recommends at least are taken, and no client may have without end.
      IntStream.range(0, 100)
          .forEach(i -> quietly(() -> client.frame(HEADERS, END_HEADERS, 2 * i + 1, head("POST"))));
      assertThat(pong(client)).isTrue();
      for (int i = 100; i < 2_000; i++) {
        client.frame(HEADERS, END_HEADERS, 2 * i + 1, head("POST"));
      }
      assertThat(ending(client, true)).isIn(codes(PROTOCOL, REFUSED));
    }
  }

  private interface Quiet {
    void run() throws IOException;
  }

  private static void quietly(Quiet action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
