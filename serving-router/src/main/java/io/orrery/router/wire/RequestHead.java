package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.orrery.core.http.HostName;
import io.orrery.router.policy.Cookies;
import io.orrery.router.policy.GuardedRequest;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RequestFacts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request. Understood is what needs no second thought: a method of capital letters, a
 * path in ASCII, HTTP/1.1, one Host that is a name, at most one length or the one transfer coding,
 * a Connection that says keep-alive or close. Expectations, upgrades, TE, and the requests for
 * which Max-Forwards counts are for the other way.
 */
final class RequestHead extends MessageHead implements RequestFacts, GuardedRequest {
  /** The length of a chunked body. */
  static final long CHUNKED = -1;

  private static final int MOST_METHOD = 20;

  /** Bytes of a request line; a longer one is refused by the other way. */
  private static final int MOST_LINE = 16 * 1024;

  private static final byte[] VERSION = ascii(" HTTP/1.1");
  private static final byte[] CHUNKED_WORD = ascii("chunked");
  private static final byte[] CLOSE = ascii("close");
  private static final byte[] KEEP_ALIVE = ascii("keep-alive");
  private static final byte[] COOKIE = ascii("cookie");
  private static final byte[] ORIGIN = ascii("origin");
  private static final byte[] ACCEPT = ascii("accept");
  private static final byte[] CONNECT = ascii("CONNECT");
  private static final byte[] GET = ascii("GET");
  private static final byte[] HEAD = ascii("HEAD");
  private static final byte[] OPTIONS = ascii("OPTIONS");
  private static final byte[] TRACE = ascii("TRACE");
  private static final byte[][] IDEMPOTENT = {
    GET, HEAD, ascii("PUT"), ascii("DELETE"), OPTIONS, TRACE
  };

  /** A field that makes one too many, and the end of the head. */
  private static final byte[] LAST_FIELD = ascii("x-more:\r\n\r\n");

  private ClientAddress client = ClientAddress.of(null);
  private String scheme = "http";
  private int methodEnd;
  private int uriEnd;
  private int host;
  private int hostEnd;
  private long length;
  private boolean closes;
  private boolean introduced;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  int firstLine(int end) {
    byte[] b = bytes;
    int at = 0;
    while (at < end && b[at] >= 'A' && b[at] <= 'Z') {
      at++;
    }
    methodEnd = at;
    if (at > MOST_METHOD) {
      return ODD;
    }
    if (at + 1 >= end) {
      return INCOMPLETE;
    }
    if (at == 0 || b[at] != ' ' || b[at + 1] != '/' || is(CONNECT)) {
      return ODD;
    }
    at++;
    while (at < end && Ascii.isVisible(b[at])) {
      at++;
    }
    uriEnd = at;
    for (byte expected : VERSION) {
      if (at == end) {
        return INCOMPLETE;
      }
      if (b[at++] != expected) {
        return ODD;
      }
    }
    return at > MOST_LINE ? ODD : lineEnd(at, end);
  }

  @Override
  boolean mayHold(byte character) {
    return Ascii.isText(character);
  }

  @Override
  boolean understood() {
    length = 0;
    closes = false;
    introduced = false;
    boolean sized = false;
    boolean named = false;
    for (int i = 0; i < count(); i++) {
      switch (name(i)) {
        case OTHER, TRAILER, DATE -> {}
        case HOST -> {
          if (named || !isName(value(i), valueEnd(i))) {
            return false;
          }
          named = true;
          host = value(i);
          hostEnd = valueEnd(i);
        }
        case CONTENT_LENGTH -> {
          length = Ascii.number(bytes, value(i), valueEnd(i));
          if (sized || length < 0) {
            return false;
          }
          sized = true;
        }
        case TRANSFER_ENCODING -> {
          if (sized || !Ascii.equalsIgnoreCase(bytes, value(i), valueEnd(i), CHUNKED_WORD)) {
            return false;
          }
          sized = true;
          length = CHUNKED;
        }
        case CONNECTION -> {
          if (Ascii.equalsIgnoreCase(bytes, value(i), valueEnd(i), CLOSE)) {
            closes = true;
          } else if (!Ascii.equalsIgnoreCase(bytes, value(i), valueEnd(i), KEEP_ALIVE)) {
            return false;
          }
          stay(i);
        }
        case TWIN, KEEP_ALIVE, PROXY_CONNECTION, PROXY_AUTHORIZATION, X_ORRERY_SHADOW_OF -> stay(i);
        case X_FORWARDED_FOR, X_FORWARDED_HOST, X_FORWARDED_PROTO, FORWARDED, VIA -> {
          introduced = true;
          stay(i);
        }
        case MAX_FORWARDS -> {
          if (is(OPTIONS) || is(TRACE)) {
            return false;
          }
        }
        case EXPECT, UPGRADE, TE, HTTP2_SETTINGS -> {
          return false;
        }
        case PROXY_AUTHENTICATE -> {}
      }
    }
    return named;
  }

  private boolean isName(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!HostName.mayHold(bytes[i])) {
        return false;
      }
    }
    return from < to;
  }

  private boolean is(byte[] method) {
    return Arrays.equals(bytes, 0, methodEnd, method, 0, method.length);
  }

  /** The index of the first byte of the address in the request line. */
  int uriFrom() {
    return methodEnd + 1;
  }

  /** The index after the last byte of the address. */
  int uriEnd() {
    return uriEnd;
  }

  @Override
  public String method() {
    return Ascii.string(bytes, 0, methodEnd);
  }

  @Override
  public String uri() {
    return Ascii.string(bytes, methodEnd + 1, uriEnd);
  }

  /** Whether the answer has no body whatever its head says. */
  boolean asksForHead() {
    return is(HEAD);
  }

  /** Whether it may be sent twice (RFC 9110 section 9.2.2). */
  boolean idempotent() {
    for (byte[] method : IDEMPOTENT) {
      if (is(method)) {
        return true;
      }
    }
    return false;
  }

  /** Bytes of the body, or {@link #CHUNKED}. */
  long length() {
    return length;
  }

  /** Whether the client says that this request is its last on the connection. */
  boolean closes() {
    return closes;
  }

  /** Whether it says on whose behalf it comes. */
  boolean introduced() {
    return introduced;
  }

  int host() {
    return host;
  }

  int hostEnd() {
    return hostEnd;
  }

  /** The host that is asked for, as the client says it. */
  String authority() {
    return Ascii.string(bytes, host, hostEnd);
  }

  /**
   * Says from whom the next requests are.
   *
   * @param by the scheme by which they come
   */
  void from(ClientAddress address, String by) {
    client = address;
    scheme = by;
  }

  @Override
  public String path() {
    int end = methodEnd + 1;
    while (end < uriEnd && bytes[end] != '?') {
      end++;
    }
    return Ascii.string(bytes, methodEnd + 1, end);
  }

  @Override
  public @Nullable String header(String name) {
    List<String> all = texts(ascii(name));
    return all.isEmpty() ? null : String.join(", ", all);
  }

  @Override
  public @Nullable String cookie(String name) {
    return Cookies.find(cookies(), name);
  }

  @Override
  public ClientAddress client() {
    return client;
  }

  @Override
  public List<String> cookies() {
    return texts(COOKIE);
  }

  @Override
  public @Nullable String origin() {
    List<String> all = texts(ORIGIN);
    return all.isEmpty() ? null : all.getFirst();
  }

  /** No: a head that says so is not understood. */
  @Override
  public boolean upgrades() {
    return false;
  }

  @Override
  public String scheme() {
    return scheme;
  }

  /** Whether a refusal of it may be for the eyes of a person. */
  boolean takesPages() {
    return is(GET) && texts(ACCEPT).stream().anyMatch(accept -> accept.contains("text/html"));
  }

  /**
   * The bytes of a request that was not understood, for Vert.x: all that has come. One that will be
   * refused for its number of fields, which may be thousands, ends after the first that is too
   * many, and nothing behind it is read.
   */
  ByteBuf forVertx(ByteBuf in) {
    if (excess() == 0) {
      return in.readRetainedSlice(in.readableBytes());
    }
    ByteBuf first = in.readRetainedSlice(excess());
    in.skipBytes(in.readableBytes());
    return Unpooled.wrappedBuffer(first, Unpooled.wrappedBuffer(LAST_FIELD));
  }
}
