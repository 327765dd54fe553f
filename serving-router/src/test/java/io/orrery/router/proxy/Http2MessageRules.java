package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.END_STREAM;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.join;
import static io.orrery.router.proxy.Http2Rule.COMPRESSION;
import static io.orrery.router.proxy.Http2Rule.PROTOCOL;
import static io.orrery.router.proxy.Http2Rule.bytes;
import static io.orrery.router.proxy.Http2Rule.connection;
import static io.orrery.router.proxy.Http2Rule.get;
import static io.orrery.router.proxy.Http2Rule.malformed;
import static io.orrery.router.proxy.Http2Rule.open;
import static io.orrery.router.proxy.Http2Rule.rule;
import static io.orrery.router.proxy.Http2Rule.stream;
import static io.orrery.router.proxy.Http2Rule.without;

import io.orrery.router.proxy.Http2Rule.Malformed;
import java.util.ArrayList;
import java.util.List;

/** The rules for messages and the compression of their headers (RFC 9113, 8, and RFC 7541). */
final class Http2MessageRules {
  private Http2MessageRules() {}

  static List<Http2Rule> messages() {
    List<Http2Rule> all = new ArrayList<>();
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

  static List<Http2Rule> compression() {
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

  private static Http2Rule block(String section, String name, byte[] broken) {
    // A size may only be changed before the first field; everything else is wrong anywhere.
    return rule(
        section,
        name,
        connection(COMPRESSION),
        c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, join(get(), broken)));
  }
}
