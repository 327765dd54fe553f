package io.orrery.gateway.auth;

import io.orrery.core.access.UserName;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Network;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The header in which a proxy names the user whom it has authenticated.
 *
 * <p>Programs that people run on this machine reach the server from its own addresses. So these are
 * believed only where they are listed one by one, and not as part of a network.
 *
 * @param name of the header
 * @param from the addresses of proxies that are believed
 * @param own whether an address is one that this machine has now; they may change while it runs
 */
public record ProxyHeader(String name, List<Network> from, Predicate<String> own) {
  public ProxyHeader {
    from = List.copyOf(from);
  }

  /**
   * The user whom a believed proxy names; null when there is none. From elsewhere the header is
   * taken out of the request, so that no part of the server reads it.
   *
   * @throws io.orrery.core.problem.ProblemException Forbidden for a text that is no user name
   */
  @Nullable UserName user(HttpServerRequest request) {
    List<String> said = request.headers().getAll(name);
    if (said.isEmpty()) {
      return null;
    }
    String address = request.connection().remoteAddress().hostAddress();
    if (address == null || !isBelieved(address)) {
      request.headers().remove(name);
      return null;
    }
    if (said.size() != 1 || !UserName.valid(said.getFirst())) {
      throw new Problem.Forbidden(
              "The proxy's header %s is no user name: one of 2 to 50 lower-case letters, digits and -,"
                      .formatted(name)
                  + " a letter first.")
          .toException();
    }
    return new UserName(said.getFirst());
  }

  boolean isBelieved(String address) {
    return from.stream()
        .anyMatch(network -> network.contains(address) && (network.isSingle() || !isOwn(address)));
  }

  private boolean isOwn(String address) {
    String plain = address.replaceAll("%.*", "");
    return plain.startsWith("127.") || own.test(plain);
  }
}
