package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.net.SocketAddress;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of the configuration, and a brake on addresses that show unknown ones. */
final class ServiceTokens {
  private final List<Known> tokens;
  private final FailedLogins failures;

  /** The digest of a token, and the service account that it stands for. */
  private record Known(byte[] digest, Caller caller) {}

  ServiceTokens(List<AccessToken> tokens, Clock clock) {
    this.tokens =
        tokens.stream()
            .map(token ->
                new Known(
                    HexFormat.of().parseHex(token.sha256()),
                    Caller.service(token.name(), token.role())))
            .toList();
    this.failures = new FailedLogins(clock);
  }

  boolean isEmpty() {
    return tokens.isEmpty();
  }

  /** The service account of a token; null when it is unknown. */
  @Nullable Caller find(String token) {
    byte[] digest = new BearerToken(token).digest();
    Caller found = null;
    // All of them, whichever fits: the time says nothing of which came close.
    for (Known known : tokens) {
      if (MessageDigest.isEqual(digest, known.digest())) {
        found = known.caller();
      }
    }
    return found;
  }

  /** The service account of the token with a SHA-256; null when it is unknown. */
  @Nullable Caller ofDigest(String sha256) {
    byte[] digest = HexFormat.of().parseHex(sha256);
    return tokens.stream()
        .filter(known -> MessageDigest.isEqual(digest, known.digest()))
        .map(Known::caller)
        .findFirst()
        .orElse(null);
  }

  /** The service account of a token; throws as {@link #refusal} says. */
  Caller get(SocketAddress from, String token) {
    Caller found = find(token);
    if (found == null) {
      throw refusal(from);
    }
    return found;
  }

  /** Counts an unknown token: Unauthorized, or Busy when too many came from the address. */
  RuntimeException refusal(SocketAddress from) {
    failures.check(from);
    failures.failed(from);
    return new Problem.Unauthorized("This server does not know that token.").toException();
  }

  /** Lets an address try; throws Busy when it has failed too often. */
  void check(SocketAddress from) {
    failures.check(from);
  }

  void failed(SocketAddress from) {
    failures.failed(from);
  }
}
