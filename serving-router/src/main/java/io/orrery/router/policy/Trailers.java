package io.orrery.router.policy;

import java.util.Locale;
import java.util.Set;

/**
 * The fields that may stand in the trailers of a message. Some readers add them to its head, so
 * what frames, routes, authenticates, controls or describes a message is not taken from there: it
 * was judged when the head was read (RFC 9110 section 6.5.1).
 */
public final class Trailers {
  private static final Set<String> OF_THE_HEAD =
      Set.of(
          "age",
          "authorization",
          "cache-control",
          "connection",
          "content-encoding",
          "content-length",
          "content-range",
          "content-type",
          "cookie",
          "date",
          "expect",
          "expires",
          "forwarded",
          "host",
          "http2-settings",
          "keep-alive",
          "location",
          "max-forwards",
          "pragma",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "range",
          "retry-after",
          "set-cookie",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "vary",
          "via",
          "warning",
          "www-authenticate",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-prefix",
          "x-forwarded-proto",
          "x-orrery-shadow-of");

  private Trailers() {}

  /** Whether a field of this name goes on, in any case of its letters. */
  public static boolean mayPass(String name) {
    // As AmbiguousHeaders has it: to some readers an underscore is a dash.
    String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
    return !OF_THE_HEAD.contains(lower) && !lower.startsWith("if-") && !lower.startsWith(":");
  }
}
