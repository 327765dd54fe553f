package io.orrery.gateway.http;

import io.orrery.core.http.HostName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of others out. A loopback server needs no login, and a browser on this machine
 * will carry any page's requests to it. Two marks betray them: the name that the page used for us
 * (DNS rebinding makes {@code evil.example} point to 127.0.0.1, but the Host header still says
 * {@code evil.example}), and the Origin header, which a page cannot forge.
 *
 * <p>An origin is ours when its host is one of ours <em>and</em> its port is the one that the
 * request went to: another program's page on this machine is foreign too.
 */
final class OriginGuard {
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:/@\\s]+)(?::(\\d{1,5}))?");
  private static final Pattern ORIGIN = Pattern.compile("(https?)://([^/?#]+)");

  private static final int LAST_PORT = 65_535;

  private record Place(String host, int port) {}

  private final Set<String> allowedHosts;
  private final @Nullable Place advertised;

  /** The last Host header and what it said: nearly all are the same. */
  private String lastHost = "";

  private int lastStandard;
  private Place last = new Place("", 0);

  /**
   * @param advertisedOrigin one more origin of ours: that of a proxy in front; null for none
   */
  OriginGuard(Set<String> allowedHosts, @Nullable String advertisedOrigin) {
    this.allowedHosts = allowedHosts;
    this.advertised = advertisedOrigin == null ? null : origin(advertisedOrigin);
  }

  /**
   * Lets a request pass.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it has no readable Host, Forbidden
   *     when it is for, or from, somewhere else
   */
  void check(HttpServerRequest request) {
    int port = request.isSSL() ? 443 : 80;
    Place host = host(request, port);
    if (!allowedHosts.contains(host.host())) {
      throw new Problem.Forbidden(
              "This server does not answer to the name '"
                  + host.host()
                  + "': use "
                  + String.join(" or ", allowedHosts.stream().sorted().toList())
                  + ".")
          .toException();
    }
    if (!request.uri().startsWith("/") && !sameServer(request.uri(), host, port)) {
      throw new Problem.Forbidden("The address and the Host header name different servers.")
          .toException();
    }
    if (request.headers().contains(HttpHeaders.ORIGIN)) {
      for (String origin : request.headers().getAll(HttpHeaders.ORIGIN)) {
        if (!ours(host, origin(origin))) {
          throw new Problem.Forbidden("Pages of another origin may not use this server.")
              .toException();
        }
      }
    }
  }

  /** Whether an address that names a server, as requests to a proxy do, names this one. */
  private static boolean sameServer(String uri, Place host, int standardPort) {
    Matcher absolute = ORIGIN.matcher(uri);
    return !absolute.lookingAt() || host.equals(place(absolute.group(2), standardPort));
  }

  private boolean ours(Place host, @Nullable Place origin) {
    return origin != null
        && (origin.equals(host)
            || origin.equals(advertised)
            || (origin.port() == host.port() && allowedHosts.contains(origin.host())));
  }

  private Place host(HttpServerRequest request, int standardPort) {
    List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
    if (hosts.size() == 1 && hosts.getFirst().equals(lastHost) && standardPort == lastStandard) {
      return last;
    }
    Place place = hosts.size() == 1 ? place(hosts.getFirst(), standardPort) : null;
    if (place == null) {
      throw new Problem.Refused(
              new Finding("", "a request has exactly one Host header, of the form host:port"))
          .toException();
    }
    lastHost = hosts.getFirst();
    lastStandard = standardPort;
    last = place;
    return place;
  }

  private static @Nullable Place origin(String text) {
    Matcher matcher = ORIGIN.matcher(text);
    return matcher.matches()
        ? place(matcher.group(2), matcher.group(1).equals("https") ? 443 : 80)
        : null;
  }

  private static @Nullable Place place(String authority, int standardPort) {
    Matcher matcher = AUTHORITY.matcher(authority);
    if (!matcher.matches()) {
      return null;
    }
    String given = matcher.group(2);
    int port = given == null ? standardPort : Integer.parseInt(given);
    String host = HostName.withoutRoot(matcher.group(1).toLowerCase(Locale.ROOT));
    return port > LAST_PORT ? null : new Place(host, port);
  }
}
