package io.orrery.router.route;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The part of a request that keeps it with one target. */
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

  /** The address of the client. */
  record Client() implements RequestKey {
    @Override
    public String of(RequestFacts request) {
      return request.client().text();
    }
  }
}
