package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.PassGuard;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.PathStrip;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes heads: the lines that pass as they came, in as few pieces as there are gaps, and the
 * router's own after them.
 */
final class HeadWriter {
  private static final byte[] END = ascii("\r\n");
  private static final byte[] HTTP_1_1 = ascii("HTTP/1.1 ");
  private static final byte[] CHUNKED = ascii("transfer-encoding: chunked\r\n");
  private static final byte[] CLOSE = ascii("connection: close\r\n");
  private static final byte[] PREFIX = ascii("x-forwarded-prefix");
  private static final byte[] COOKIE = ascii("cookie");
  private static final byte[] AUTHORIZATION = ascii("authorization");
  private static final String PREFIX_FIELD = "x-forwarded-prefix: ";

  /** Room for our own lines in an answer. */
  private static final int OWN = CHUNKED.length + CLOSE.length + END.length + 40;

  private HeadWriter() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The head of a request for an endpoint.
   *
   * @param more room for what will follow it in the same buffer
   */
  static ByteBuf request(
      ByteBufAllocator buffers, RequestHead head, ForwardedHeaders introduction, int more) {
    byte[] lines = introduction.lines(head);
    ByteBuf out = buffers.directBuffer(head.end() + lines.length + more);
    out.writeBytes(head.bytes, 0, head.linesFrom());
    fields(head, out);
    out.writeBytes(lines);
    out.writeBytes(END);
    return out;
  }

  /**
   * The same for a service that rewrites its requests.
   *
   * @param owner of the host that was asked for
   */
  static ByteBuf rewritten(
      ByteBufAllocator buffers,
      RequestHead head,
      ServiceState owner,
      PassGuard guard,
      ForwardedHeaders introduction,
      int more) {
    StringBuilder own = new StringBuilder();
    PathStrip strip = owner.strip();
    String uri = strip == null ? null : stripped(head, strip, own);
    OriginAccess access = owner.access();
    if (access != null) {
      guarded(head, guard.authorization(owner, access), own);
    }
    byte[] added = ascii(own.toString());
    byte[] lines = introduction.lines(head);
    ByteBuf out = buffers.directBuffer(head.end() + added.length + lines.length + more);
    if (uri == null) {
      out.writeBytes(head.bytes, 0, head.linesFrom());
    } else {
      out.writeBytes(head.bytes, 0, head.uriFrom());
      out.writeBytes(ascii(uri));
      out.writeBytes(head.bytes, head.uriEnd(), head.linesFrom() - head.uriEnd());
    }
    fields(head, out);
    out.writeBytes(lines);
    out.writeBytes(added);
    out.writeBytes(END);
    return out;
  }

  /** The address without a prefix of its path, which a field tells; null when it has none. */
  private static @Nullable String stripped(RequestHead head, PathStrip strip, StringBuilder own) {
    String uri = head.uri();
    String rest = strip.of(uri);
    if (rest.equals(uri)) {
      return null;
    }
    head.stayAll(PREFIX);
    own.append(PREFIX_FIELD).append(strip.prefix()).append("\r\n");
    return rest;
  }

  /** Leaves out what is the platform's, and says what stays of the cookies once more. */
  private static void guarded(RequestHead head, @Nullable String authorization, StringBuilder own) {
    for (String line : PassGuard.passing(head.cookies())) {
      own.append("cookie: ").append(line).append("\r\n");
    }
    head.stayAll(COOKIE);
    if (authorization != null) {
      head.stayAll(AUTHORIZATION);
      own.append("authorization: ").append(authorization).append("\r\n");
    }
  }

  /**
   * The head of an answer for a client.
   *
   * @param chunked whether its body goes out in chunks
   * @param last whether the connection ends with it
   * @param more room for what will follow it in the same buffer
   * @param date for an answer that has none
   */
  static ByteBuf response(
      ByteBufAllocator buffers,
      ResponseHead head,
      boolean chunked,
      boolean last,
      int more,
      DateField date) {
    ByteBuf out = buffers.directBuffer(head.end() + OWN + more);
    out.writeBytes(HTTP_1_1);
    out.writeBytes(head.bytes, head.code(), head.linesFrom() - head.code());
    fields(head, out);
    if (!head.dated() && head.status() >= 200) {
      out.writeBytes(date.line());
    }
    if (chunked) {
      out.writeBytes(CHUNKED);
    }
    if (last) {
      out.writeBytes(CLOSE);
    }
    out.writeBytes(END);
    return out;
  }

  private static void fields(MessageHead head, ByteBuf out) {
    int from = head.linesFrom();
    int count = head.count();
    for (int i = 0; i < count; i++) {
      if (head.stays(i)) {
        out.writeBytes(head.bytes, from, head.line(i) - from);
        from = head.nextLine(i);
      }
    }
    int to = count == 0 ? from : head.nextLine(count - 1);
    out.writeBytes(head.bytes, from, to - from);
  }

  /**
   * An answer of the router's own, whole.
   *
   * @param silent without its body, which the client did not ask for
   */
  static ByteBuf denial(
      ByteBufAllocator buffers,
      RouterProblem denial,
      boolean silent,
      boolean last,
      DateField date) {
    byte[] body = denial.json().getBytes(StandardCharsets.UTF_8);
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ")
            .append(HttpResponseStatus.valueOf(denial.status()).toString())
            .append("\r\ndate: ")
            .append(date.value())
            .append("\r\ncontent-type: application/problem+json\r\ncontent-length: ")
            .append(body.length)
            .append("\r\n");
    if (denial.retryAfter() != null) {
      head.append("retry-after: ").append(denial.retryAfter()).append("\r\n");
    }
    if (last) {
      head.append("connection: close\r\n");
    }
    byte[] lines = ascii(head.append("\r\n").toString());
    ByteBuf out = buffers.directBuffer(lines.length + body.length);
    out.writeBytes(lines);
    if (!silent) {
      out.writeBytes(body);
    }
    return out;
  }
}
