package io.orrery.gateway.auth;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.KeeperPath;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.Admission;
import io.orrery.gateway.http.PathPrefix;
import io.orrery.gateway.http.PlainPage;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who has a token, or everybody when none is configured.
 *
 * <p>A request shows its token as {@code Authorization: Bearer}, or the cookie of a session that
 * was opened with one: a page cannot add headers to an event stream. The cookie is sent by pages of
 * this site only (SameSite), and the edge has checked the Origin before we are asked, so a foreign
 * page gains nothing from it.
 *
 * <p>Some paths are open: health, for supervisors that know no token; the channels of trials and of
 * our own children, whose addresses hold their secret; the login itself and its looks. They are
 * matched whole and without escapes or dots between slashes, so that no spelling of another path
 * passes for one of them. So it is with the ways in for a trial's own token.
 */
public final class Access implements Admission {
  static final String COOKIE = "orrery_session";
  static final String SESSION_PATH = "/api/v1/session";
  static final String LOGIN_PATH = "/login";

  private static final Set<String> OPEN =
      Set.of(
          "/health/live",
          "/health/ready",
          SESSION_PATH,
          LOGIN_PATH,
          PlainPage.STYLE_PATH,
          PlainPage.THEME_PATH);

  /** Where a trial may report with its own token. */
  private static final Set<String> REPORTS = Set.of("/api/v1/metrics", "/api/v1/metrics/stream");

  /** Where NNI's own keeper may go with that token. */
  private static final Pattern NNI_KEEPER =
      Pattern.compile("/api/v1/nni-pai/[a-z-]+(/[A-Za-z0-9_-]+){0,2}");

  private static final Pattern TRIAL = Pattern.compile("/trial/[A-Za-z0-9][A-Za-z0-9._-]*");

  /** Where a dispatcher connects that the server has started; the secret is checked there. */
  private static final Pattern DISPATCHER = Pattern.compile("/tuner/[0-9a-f]{32}");

  private static final String SCHEME = "bearer ";
  private static final int MOST_CHARACTERS = 512;

  /** A token's digest, read once, and whom it stands for. */
  private record Known(byte[] digest, Caller caller) {}

  private final List<Known> tokens;
  private final TrialTokens trials;
  private final FailedLogins failures;
  private final Sessions sessions;

  private Access(
      List<AccessToken> tokens, TrialTokens trials, Clock clock, RandomGenerator random) {
    this.tokens =
        tokens.stream()
            .map(token ->
                new Known(
                    HexFormat.of().parseHex(token.sha256()),
                    new Caller(token.name(), token.role())))
            .toList();
    this.trials = trials;
    this.failures = new FailedLogins(clock);
    this.sessions = new Sessions(clock, random);
  }

  /**
   * Lets in the holders of these tokens; everybody when there are none.
   *
   * @param trials the tokens of trials, which open the ways in for their metrics and keepers
   * @param random makes the secrets of sessions: a cryptographic source
   */
  public static Access of(
      List<AccessToken> tokens, TrialTokens trials, Clock clock, RandomGenerator random) {
    return new Access(tokens, trials, clock, random);
  }

  /** Whether anybody is asked for a token. */
  boolean required() {
    return !tokens.isEmpty();
  }

  @Override
  public boolean admit(HttpServerRequest request) {
    if (!required() || open(request.path()) || reports(request)) {
      return true;
    }
    Optional<Caller> caller = caller(request);
    if (caller.isEmpty() && byHand(request)) {
      request
          .response()
          .setStatusCode(303)
          .putHeader(HttpHeaders.LOCATION, PlainPage.from(request.path(), LOGIN_PATH.substring(1)))
          .putHeader(HttpHeaders.CONTENT_LENGTH, "0")
          .end();
      return false;
    }
    Role role = caller.orElseThrow(() -> unknown(request)).role();
    if (!role.permits(request)) {
      throw new Problem.Forbidden(
              "A token with the role " + role.word() + " may look, but change nothing.")
          .toException();
    }
    return true;
  }

  /**
   * Refuses everybody who may not do everything; for what even looking at is not everybody's.
   *
   * @throws io.orrery.core.problem.ProblemException Forbidden, or Unauthorized when nobody says who
   *     asks
   */
  public void requireAdmin(HttpServerRequest request) {
    if (required() && caller(request).orElseThrow(() -> unknown(request)).role() != Role.ADMIN) {
      throw new Problem.Forbidden("Only a token with the role admin sees the server's log.")
          .toException();
    }
  }

  /**
   * Who asks; empty when nobody says, or a session is over.
   *
   * @throws io.orrery.core.problem.ProblemException Unauthorized for a token that nobody has, Busy
   *     when too many of these came from the same address
   */
  Optional<Caller> caller(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header != null) {
      if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
        throw new Problem.Unauthorized("The Authorization header is 'Bearer' and a token.")
            .toException();
      }
      return Optional.of(known(request.remoteAddress(), header.substring(SCHEME.length()).strip()));
    }
    String secret = cookie(request);
    return secret == null ? Optional.empty() : sessions.find(secret);
  }

  /** The secret of a new session for the holder of a token; fails as {@link #caller} does. */
  String login(HttpServerRequest request, String token) {
    return sessions.open(known(request.remoteAddress(), token));
  }

  /** Ends the session that a request shows, if it shows one. */
  void logout(HttpServerRequest request) {
    String secret = cookie(request);
    if (secret != null) {
      sessions.end(secret);
    }
  }

  private Caller known(SocketAddress from, String token) {
    byte[] digest = new BearerToken(token).digest();
    Caller found = null;
    // All of them, whichever fits: the time says nothing of which came close.
    for (Known known : tokens) {
      if (MessageDigest.isEqual(digest, known.digest())) {
        found = known.caller();
      }
    }
    if (found == null) {
      failures.check(from);
      failures.failed(from);
      throw new Problem.Unauthorized("This server does not know that token.").toException();
    }
    return found;
  }

  private static @Nullable String cookie(HttpServerRequest request) {
    Cookie cookie = request.getCookie(COOKIE);
    return cookie == null || cookie.getValue().length() > MOST_CHARACTERS
        ? null
        : cookie.getValue();
  }

  /** Whether a trial reports: what it may write is looked at where it is read. */
  private boolean reports(HttpServerRequest request) {
    String path = request.path();
    return path != null
        && (REPORTS.contains(path)
            || KeeperPath.matches(path)
            || NNI_KEEPER.matcher(path).matches())
        && trials.shown(request.headers()).isPresent();
  }

  private static boolean open(@Nullable String path) {
    return path != null
        && (OPEN.contains(path)
            || TRIAL.matcher(path).matches()
            || DISPATCHER.matcher(path).matches());
  }

  /** Somebody who opens a page in a browser, and is better served by a form than by a problem. */
  private static boolean byHand(HttpServerRequest request) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    return request.method().equals(HttpMethod.GET)
        && accepted != null
        && accepted.contains("text/html");
  }

  private static RuntimeException unknown(HttpServerRequest request) {
    return new Problem.Unauthorized(
            "This server asks for a token: 'Authorization: Bearer …', or log in at "
                + PathPrefix.of(request)
                + LOGIN_PATH
                + ".")
        .toException();
  }
}
