package io.orrery.router.route;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule that a request must fulfil whole.
 *
 * @param path what the path begins with; null for any
 * @param headers values that headers (lower case) must have
 * @param cookies values that cookies must have
 */
public record Match(
    @Nullable String path, Map<String, String> headers, Map<String, String> cookies) {
  public Match {
    headers = Map.copyOf(headers);
    cookies = Map.copyOf(cookies);
  }

  boolean fits(RequestFacts request) {
    if (path != null && !request.path().startsWith(path)) {
      return false;
    }
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!header.getValue().equals(request.header(header.getKey()))) {
        return false;
      }
    }
    for (Map.Entry<String, String> cookie : cookies.entrySet()) {
      if (!cookie.getValue().equals(request.cookie(cookie.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
