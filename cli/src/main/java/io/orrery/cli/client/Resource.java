package io.orrery.cli.client;

import io.orrery.core.text.Percent;
import org.jspecify.annotations.Nullable;

/**
 * A path of the server with its query, encoded.
 *
 * @param path from the root on
 */
public record Resource(String path) {
  /** Of the API: the segments joined, each encoded. */
  public static Resource of(String... segments) {
    return new Resource("/api/v1").below(segments);
  }

  /** Of NNI's API of one experiment. */
  public static Resource nni(String experiment, String... segments) {
    return new Resource("/experiments/" + Percent.encoded(experiment) + "/api/v1/nni")
        .below(segments);
  }

  /** Of NNI's API where no experiment is named. */
  public static Resource nni(String what) {
    return new Resource("/api/v1/nni").below(what);
  }

  /** What lies below this one, which has no query yet. */
  public Resource below(String... segments) {
    StringBuilder below = new StringBuilder(path);
    for (String segment : segments) {
      below.append('/').append(Percent.encoded(segment));
    }
    return new Resource(below.toString());
  }

  /** With one more parameter; null adds nothing. */
  public Resource with(String name, @Nullable Object value) {
    return value == null
        ? this
        : new Resource(
            path
                + (path.contains("?") ? "&" : "?")
                + name
                + "="
                + Percent.encoded(value.toString()));
  }
}
