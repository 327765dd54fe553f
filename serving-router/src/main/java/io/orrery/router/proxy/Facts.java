package io.orrery.router.proxy;

import io.orrery.router.policy.Cookies;
import io.orrery.router.policy.GuardedRequest;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RequestFacts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request as the table and the guard see it.
 *
 * @param uri in origin form: the path and what follows it
 * @param trailers gives what may pass of them when the request has come to its end; null for none
 */
record Facts(
    HttpServerRequest request, Peer peer, String uri, Supplier<@Nullable MultiMap> trailers)
    implements RequestFacts, GuardedRequest {
  @Override
  public String path() {
    int end = uri.indexOf('?');
    return end < 0 ? uri : uri.substring(0, end);
  }

  @Override
  public @Nullable String header(String name) {
    List<String> lines = request.headers().getAll(name);
    return lines.isEmpty() ? null : String.join(", ", lines);
  }

  @Override
  public @Nullable String cookie(String name) {
    return Cookies.find(cookies(), name);
  }

  @Override
  public ClientAddress client() {
    return peer.address();
  }

  @Override
  public String method() {
    return request.method().name();
  }

  @Override
  public List<String> cookies() {
    return request.headers().getAll(HttpHeaders.COOKIE);
  }

  @Override
  public @Nullable String origin() {
    return request.getHeader(HttpHeaders.ORIGIN);
  }

  @Override
  public boolean upgrades() {
    return HeaderRules.upgrades(request.headers());
  }

  @Override
  public String scheme() {
    return peer.scheme();
  }
}
