package io.orrery.gateway.auth;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The permissions of a caller. */
public enum Role {
  /** Everything. */
  ADMIN,
  /** Looks, and changes nothing: GET and HEAD, but no WebSocket, which carries what is written. */
  VIEWER;

  /** The names as the configuration spells them. */
  static List<String> words() {
    return Arrays.stream(values()).map(Role::word).toList();
  }

  static Optional<Role> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** As the configuration and the API spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean permits(HttpServerRequest request) {
    return switch (this) {
      case ADMIN -> true;
      case VIEWER -> reads(request.method()) && !opensWebSocket(request);
    };
  }

  private static boolean opensWebSocket(HttpServerRequest request) {
    return request.headers().getAll(HttpHeaders.UPGRADE).stream()
        .anyMatch(protocol -> protocol.toLowerCase(Locale.ROOT).contains("websocket"));
  }

  private static boolean reads(HttpMethod method) {
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }
}
