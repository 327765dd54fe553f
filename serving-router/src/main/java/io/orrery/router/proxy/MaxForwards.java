package io.orrery.router.proxy;

import io.orrery.router.policy.DateField;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Max-Forwards of OPTIONS and TRACE (RFC 9110 section 7.6.2): each proxy counts it down, and
 * the one that gets a zero answers itself. With other methods it passes as it is.
 */
final class MaxForwards {
  private static final String NAME = "max-forwards";

  /** Digits of a number that certainly fits a long. */
  private static final int MOST_DIGITS = 18;

  /** Fields that a TRACE is not to show (RFC 9110 section 9.3.8). */
  private static final Set<String> SECRET =
      Set.of("authorization", "cookie", "proxy-authorization");

  private MaxForwards() {}

  private static @Nullable String of(HttpServerRequest request) {
    HttpMethod method = request.method();
    return method.equals(HttpMethod.OPTIONS) || method.equals(HttpMethod.TRACE)
        ? request.getHeader(NAME)
        : null;
  }

  /** The fault of a request's; null when there is none. */
  static @Nullable String fault(HttpServerRequest request) {
    String written = of(request);
    return written == null || (isNumber(written) && request.headers().getAll(NAME).size() == 1)
        ? null
        : "Max-Forwards is one number of at most " + MOST_DIGITS + " digits";
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a request without a fault goes no further. */
  static boolean isReached(HttpServerRequest request) {
    String written = of(request);
    return written != null && Long.parseLong(written) == 0;
  }

  /** Takes one off, for a request that goes on. */
  static void countDown(HttpServerRequest request, MultiMap headers) {
    String written = of(request);
    if (written != null) {
      headers.set(NAME, Long.toString(Long.parseLong(written) - 1));
    }
  }

  /** Answers a request that goes no further. */
  static void answer(HttpServerRequest request, String authority, DateField date) {
    HttpServerResponse response = request.response();
    response.putHeader(HttpHeaders.DATE, date.value());
    if (request.method().equals(HttpMethod.OPTIONS)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, "0").end();
    } else {
      response.putHeader(HttpHeaders.CONTENT_TYPE, "message/http").end(shown(request, authority));
    }
  }

  private static String shown(HttpServerRequest request, String authority) {
    StringBuilder text = new StringBuilder("TRACE ").append(request.uri()).append(" HTTP/1.1\r\n");
    text.append("host: ").append(authority).append("\r\n");
    request
        .headers()
        .forEach((name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!SECRET.contains(lower) && !lower.equals("host") && !lower.startsWith(":")) {
            text.append(name).append(": ").append(value).append("\r\n");
          }
        });
    return text.append("\r\n").toString();
  }
}
