package io.orrery.router.wire;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.RouterProblem;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The heads of HTTP/2 as those of HTTP/1.1, and back. A request is written down as HTTP/1.1 and
 * read by {@link RequestHead}, so that it is judged by the same rules; nothing of it can stand
 * there that would end a line or a name.
 */
final class StreamHeads {
  private static final AsciiString PROBLEM = AsciiString.cached("application/problem+json");

  /** Of each field: its name and its value. */
  private static final int PARTS = 2;

  private final byte[] bytes = new byte[MessageHead.MOST_BYTES];
  private int at;
  private boolean odd;

  /**
   * Reads the head of a request.
   *
   * @return whether it is understood
   */
  boolean read(HttpServerRequest request, RequestHead head) {
    HostAndPort authority = request.authority(true);
    String uri = request.uri();
    if (authority == null || uri == null) {
      return false;
    }
    at = 0;
    odd = false;
    text(request.method().name());
    text(" ");
    text(uri);
    text(" HTTP/1.1");
    end();
    field("host", authority.toString());
    String cookies = null;
    for (Map.Entry<String, String> field : request.headers()) {
      String name = field.getKey();
      if (name.equals("cookie")) {
        // HTTP/2 may say them one by one, HTTP/1.1 may not (RFC 9113 section 8.2.3).
        cookies = cookies == null ? field.getValue() : cookies + "; " + field.getValue();
      } else {
        field(name, field.getValue());
      }
    }
    if (cookies != null) {
      field("cookie", cookies);
    }
    end();
    return !odd && head.read(bytes, at) == at && !head.closes();
  }

  private void field(String name, String value) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      odd |= c > 127 || !Ascii.isToken((byte) c);
    }
    text(name);
    text(": ");
    text(value);
    end();
  }

  private void text(String text) {
    int length = text.length();
    if (odd || length > bytes.length - at) {
      odd = true;
      return;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      odd |= c > 127 || !Ascii.isText((byte) c);
      bytes[at++] = (byte) c;
    }
  }

  private void end() {
    if (bytes.length - at < 2) {
      odd = true;
    } else {
      bytes[at++] = '\r';
      bytes[at++] = '\n';
    }
  }

  /**
   * The head of an answer.
   *
   * @param date for one that has none; null for heads that go before that of an answer
   */
  static Http2Headers of(ResponseHead head, @Nullable DateField date) {
    int passing = 0;
    for (int i = 0; i < head.count(); i++) {
      passing += head.stays(i) ? 0 : 1;
    }
    boolean dates = date != null && !head.dated();
    AsciiString[] fields = new AsciiString[PARTS * (dates ? passing + 1 : passing)];
    int next = 0;
    for (int i = 0; i < head.count(); i++) {
      if (!head.stays(i)) {
        fields[next++] = copy(head, head.line(i), head.nameEnd(i)).toLowerCase();
        fields[next++] = copy(head, head.value(i), head.valueEnd(i));
      }
    }
    if (date != null && dates) {
      fields[next++] = HttpHeaderNames.DATE;
      fields[next] = new AsciiString(date.value());
    }
    return ReadOnlyHttp2Headers.serverHeaders(false, status(head.status()), fields);
  }

  private static AsciiString copy(ResponseHead head, int from, int to) {
    return new AsciiString(head.bytes, from, to - from, true);
  }

  private static AsciiString status(int code) {
    return HttpResponseStatus.valueOf(code).codeAsText();
  }

  /** The head of an answer of the router's own. */
  static Http2Headers denial(RouterProblem denial, int length, DateField date) {
    List<AsciiString> fields = new ArrayList<>(4 * PARTS);
    fields.add(HttpHeaderNames.DATE);
    fields.add(new AsciiString(date.value()));
    fields.add(HttpHeaderNames.CONTENT_TYPE);
    fields.add(PROBLEM);
    fields.add(HttpHeaderNames.CONTENT_LENGTH);
    fields.add(new AsciiString(Integer.toString(length)));
    if (denial.retryAfter() != null) {
      fields.add(HttpHeaderNames.RETRY_AFTER);
      fields.add(new AsciiString(denial.retryAfter()));
    }
    return ReadOnlyHttp2Headers.serverHeaders(
        false, status(denial.status()), fields.toArray(new AsciiString[0]));
  }

  /**
   * The trailers of an answer.
   *
   * @param lines each with its line's end; each character is a byte
   */
  static Http2Headers trailers(String lines) {
    List<AsciiString> fields = new ArrayList<>();
    lines
        .lines()
        .forEach(line -> {
          int colon = line.indexOf(':');
          fields.add(latin(line.substring(0, colon)).toLowerCase());
          fields.add(latin(line.substring(colon + 1).strip()));
        });
    return ReadOnlyHttp2Headers.trailers(false, fields.toArray(new AsciiString[0]));
  }

  private static AsciiString latin(String text) {
    return new AsciiString(text.getBytes(StandardCharsets.ISO_8859_1), false);
  }
}
