package io.orrery.gateway.http;

import io.orrery.core.problem.Problem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The path prefix of a reverse proxy: finds out below which path a client sees this server, and
 * takes that path off the address of a request whose proxy has left it there.
 *
 * <p>The prefix is what a trusted proxy says in {@code X-Forwarded-Prefix}, else the configured
 * base path. Behind this class that header holds the prefix that is in force, or is absent: {@link
 * #of} reads it for redirects, the path of the cookie and links.
 */
public final class PathPrefix {
  private static final CharSequence HEADER = HttpHeaders.createOptimized("X-Forwarded-Prefix");

  private final BehindProxy proxy;
  private final Set<String> ownSteps;

  /**
   * @param ownSteps the first steps of all paths that are served, without slashes
   * @throws io.orrery.core.problem.ProblemException Refused when the base path begins with one of
   *     these, since an address could then be meant in two ways
   */
  PathPrefix(BehindProxy proxy, Set<String> ownSteps) {
    this.proxy = proxy;
    this.ownSteps = Set.copyOf(ownSteps);
    if (isOwn(proxy.basePath())) {
      throw new Problem.Refused(
              "http.basePath is "
                  + proxy.basePath()
                  + ": the server has addresses of its own below that; take another path, such as"
                  + " /orrery",
              List.of())
          .toException();
    }
  }

  /** The prefix of a request that has passed here: empty, or a path without a slash at its end. */
  public static String of(HttpServerRequest request) {
    return Objects.requireNonNullElse(request.getHeader(HEADER), "");
  }

  /**
   * The request as the routes see it: its address without the prefix.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when a trusted proxy names a prefix
   *     that is no path
   */
  HttpServerRequest read(HttpServerRequest request) {
    List<String> said = request.headers().getAll(HEADER);
    if (said.isEmpty() && proxy.basePath().isEmpty()) {
      return request;
    }
    String forwarded = said.isEmpty() || !isTrusted(request) ? "" : path(said);
    if (below(request.uri(), forwarded) && !isOwn(forwarded)) {
      set(request, forwarded);
      return new Shortened(request, forwarded);
    }
    if (below(request.uri(), proxy.basePath())) {
      set(request, forwarded + proxy.basePath());
      return new Shortened(request, proxy.basePath());
    }
    set(request, forwarded.isEmpty() ? proxy.basePath() : forwarded);
    return request;
  }

  /**
   * The address to go to when the one that was asked for is the prefix without a slash after it:
   * relative to that one, so that it holds whatever lies before it; null for any other.
   */
  static @Nullable String withSlash(HttpServerRequest request) {
    String uri = request.uri();
    if (!(request instanceof Shortened) || uri.startsWith("/")) {
      return null;
    }
    String prefix = of(request);
    return prefix.substring(prefix.lastIndexOf('/') + 1) + "/" + uri;
  }

  private boolean isTrusted(HttpServerRequest request) {
    String address = request.connection().remoteAddress().hostAddress();
    return address != null && proxy.trusted().stream().anyMatch(it -> it.contains(address));
  }

  private static String path(List<String> said) {
    String text = said.size() == 1 ? said.getFirst().strip().replaceAll("/+$", "") : "";
    boolean none = said.size() == 1 && said.getFirst().strip().matches("/*");
    if (!none && !BehindProxy.isPath(text)) {
      throw new Problem.Refused(
              "X-Forwarded-Prefix is one path of at most "
                  + BehindProxy.MOST_CHARACTERS
                  + " characters, such as /tune: letters, digits and . _ ~ - with a slash before"
                  + " each step.",
              List.of())
          .toException();
    }
    return text;
  }

  private boolean isOwn(String path) {
    return !path.isEmpty() && ownSteps.contains(path.substring(1).replaceAll("/.*", ""));
  }

  /** An address that names a host before its path is left as it is. */
  private static boolean below(String uri, String prefix) {
    return !prefix.isEmpty()
        && uri.startsWith(prefix)
        && (uri.length() == prefix.length() || "/?".indexOf(uri.charAt(prefix.length())) >= 0);
  }

  private static void set(HttpServerRequest request, String prefix) {
    if (prefix.isEmpty()) {
      request.headers().remove(HEADER);
    } else {
      request.headers().set(HEADER, prefix);
    }
  }

  /** A request in origin form (RFC 9112, 3.2.1) without the beginning of its path. */
  private static final class Shortened extends HttpServerRequestWrapper {
    private final String uri;
    private final String path;

    Shortened(HttpServerRequest request, String prefix) {
      super((HttpServerRequestInternal) request);
      uri = request.uri().substring(prefix.length());
      path = Objects.requireNonNull(request.path()).substring(prefix.length());
    }

    @Override
    public String uri() {
      return uri;
    }

    @Override
    public String path() {
      return path;
    }
  }
}
