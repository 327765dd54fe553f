package io.orrery.router.proxy;

import io.orrery.router.route.RequestFacts;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request as the table sees it.
 *
 * @param uri in origin form: the path and what follows it
 */
record Facts(HttpServerRequest request, Peer peer, String uri) implements RequestFacts {
  @Override
  public String path() {
    int end = uri.indexOf('?');
    return end < 0 ? uri : uri.substring(0, end);
  }

  @Override
  public @Nullable String header(String name) {
    return request.getHeader(name);
  }

  @Override
  public @Nullable String cookie(String name) {
    for (String line : request.headers().getAll("cookie")) {
      for (String pair : line.split(";")) {
        int equals = pair.indexOf('=');
        if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
          return pair.substring(equals + 1).strip();
        }
      }
    }
    return null;
  }

  @Override
  public String client() {
    return peer.address();
  }
}
