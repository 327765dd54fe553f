package io.orrery.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A path under {@code /api/v1} with its query, encoded.
 *
 * @param path from the slash after {@code v1} on
 */
public record Resource(String path) {
  /** The segments joined, each encoded. */
  public static Resource of(String... segments) {
    StringBuilder path = new StringBuilder();
    for (String segment : segments) {
      path.append('/').append(encoded(segment));
    }
    return new Resource(path.toString());
  }

  /** With one more parameter; null adds nothing. */
  public Resource with(String name, @Nullable Object value) {
    return value == null
        ? this
        : new Resource(
            path + (path.contains("?") ? "&" : "?") + name + "=" + encoded(value.toString()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
