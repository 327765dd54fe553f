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
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.join;
import static io.orrery.router.proxy.FrameClient.number;
import static io.orrery.router.proxy.FrameClient.setting;
import static io.orrery.router.proxy.Http2Rule.COMPRESSION;
import static io.orrery.router.proxy.Http2Rule.FLOW_CONTROL;
import static io.orrery.router.proxy.Http2Rule.FRAME;
import static io.orrery.router.proxy.Http2Rule.FRAME_SIZE;
import static io.orrery.router.proxy.Http2Rule.LARGEST;
import static io.orrery.router.proxy.Http2Rule.NO_ERROR;
import static io.orrery.router.proxy.Http2Rule.PROTOCOL;
import static io.orrery.router.proxy.Http2Rule.PUSH;
import static io.orrery.router.proxy.Http2Rule.STREAMS;
import static io.orrery.router.proxy.Http2Rule.STREAM_CLOSED;
import static io.orrery.router.proxy.Http2Rule.WINDOW;
import static io.orrery.router.proxy.Http2Rule.ask;
import static io.orrery.router.proxy.Http2Rule.bytes;
import static io.orrery.router.proxy.Http2Rule.connection;
import static io.orrery.router.proxy.Http2Rule.data;
import static io.orrery.router.proxy.Http2Rule.get;
import static io.orrery.router.proxy.Http2Rule.open;
import static io.orrery.router.proxy.Http2Rule.rule;
import static io.orrery.router.proxy.Http2Rule.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.proxy.Http2Rule.Alive;
import io.orrery.router.proxy.Http2Rule.Answer200;
import java.util.Arrays;
import java.util.List;

/** The rules for frames of each type, settings and windows (RFC 9113, sections 4, 6 and 7). */
final class Http2FrameRules {
  private Http2FrameRules() {}

  static List<Http2Rule> frames() {
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

  static List<Http2Rule> framesByType() {
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

  static List<Http2Rule> settingsAndWindows() {
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
}
