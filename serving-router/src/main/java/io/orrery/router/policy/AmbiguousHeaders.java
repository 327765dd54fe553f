package io.orrery.router.policy;

import java.util.Locale;
import java.util.Set;

/**
 * Names that many endpoints cannot tell from those of fields which this router writes, takes away
 * or judges by. CGI, and WSGI after it, writes an underscore for every dash: there {@code
 * X_Forwarded_For} and {@code X-Forwarded-For} are one, and the client's may be the one that
 * counts.
 */
public final class AmbiguousHeaders {
  /** Of whom there can be twins: the names with dashes among those that a proxy must know. */
  public static final Set<String> OF =
      Set.of(
          "content-length",
          "http2-settings",
          "keep-alive",
          "max-forwards",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "transfer-encoding",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-prefix",
          "x-forwarded-proto",
          "x-orrery-shadow-of");

  private AmbiguousHeaders() {}

  /** Whether a name is one, in any case of its letters. */
  public static boolean isOne(String name) {
    return name.indexOf('_') >= 0 && OF.contains(name.toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
