package io.orrery.router.proxy;

import io.orrery.router.policy.Cookies;
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
    return Cookies.find(request.headers().getAll("cookie"), name);
  }

  @Override
  public String client() {
    return peer.address();
  }
}
