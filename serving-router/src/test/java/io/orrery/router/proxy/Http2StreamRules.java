package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.CONTINUATION;
import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.END_STREAM;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static io.orrery.router.proxy.FrameClient.PADDED;
import static io.orrery.router.proxy.FrameClient.PING;
import static io.orrery.router.proxy.FrameClient.PRIORITY;
import static io.orrery.router.proxy.FrameClient.RST_STREAM;
import static io.orrery.router.proxy.FrameClient.WINDOW_UPDATE;
import static io.orrery.router.proxy.FrameClient.WITH_PRIORITY;
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.join;
import static io.orrery.router.proxy.FrameClient.number;
import static io.orrery.router.proxy.Http2Rule.FRAME_SIZE;
import static io.orrery.router.proxy.Http2Rule.PROTOCOL;
import static io.orrery.router.proxy.Http2Rule.STREAM_CLOSED;
import static io.orrery.router.proxy.Http2Rule.ask;
import static io.orrery.router.proxy.Http2Rule.bytes;
import static io.orrery.router.proxy.Http2Rule.connection;
import static io.orrery.router.proxy.Http2Rule.get;
import static io.orrery.router.proxy.Http2Rule.open;
import static io.orrery.router.proxy.Http2Rule.over;
import static io.orrery.router.proxy.Http2Rule.rule;
import static io.orrery.router.proxy.Http2Rule.stream;
import static io.orrery.router.proxy.Http2Rule.without;

import io.orrery.router.proxy.Http2Rule.Alive;
import io.orrery.router.proxy.Http2Rule.Answer200;
import java.util.List;

/** The rules for the states of a stream, and what an ordinary client does (RFC 9113, 5 and 8). */
final class Http2StreamRules {
  private Http2StreamRules() {}

  static List<Http2Rule> streams() {
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

  static List<Http2Rule> ordinary() {
    return List.of(
        rule("8.1", "GET", new Answer200(), Http2Rule::ask),
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
}
