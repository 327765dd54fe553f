package io.orrery.router.route;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The part of a request that keeps it with one target, or has a rate of its own. */
public sealed interface RequestKey {
  /** The key of a request; null when it has none, and then chance decides. */
  @Nullable String of(RequestFacts request);

  /** A header; lower case. */
  record Header(String name) implements RequestKey {
    public Header {
      name = name.toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String of(RequestFacts request) {
      return request.header(name);
    }
  }

  /** A cookie. */
  record Cookie(String name) implements RequestKey {
    @Override
    public @Nullable String of(RequestFacts request) {
      return request.cookie(name);
    }
  }

  /**
   * The beginning of the path.
   *
   * @param segments how many of its parts count, from 1; a shorter path counts whole
   */
  record PathPrefix(int segments) implements RequestKey {
    @Override
    public String of(RequestFacts request) {
      String path = request.path();
      int end = 0;
      for (int i = 0; i < segments && end >= 0; i++) {
        end = path.indexOf('/', end + 1);
      }
      return end < 0 ? path : path.substring(0, end);
    }
  }

  /** The address of the client. */
  record Client() implements RequestKey {
    @Override
    public String of(RequestFacts request) {
      return request.client().text();
    }
  }
}
