package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.openid.OpenIdSignIn;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.Admission;
import io.orrery.gateway.http.Guard;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.PathPrefix;
import io.orrery.gateway.http.PlainPage;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The authentication of requests and the check of their permissions. Without tokens and users in
 * the configuration no login is required, and the caller is the local user.
 *
 * <p>A request shows a token as {@code Authorization: Bearer}, or the cookie of a session: a page
 * cannot add headers to an event stream. The cookie is sent by pages of this site only (SameSite),
 * and the edge has checked the Origin before we are asked, so a foreign page gains nothing from it.
 * A token of the configuration is a service account; any other secret belongs to a user, whom
 * {@link Identities} finds.
 *
 * <p>Admission refuses what shows nothing, before its path is looked up; the guard of each route
 * finds the caller and decides. Some paths are open: health, for supervisors that know no token;
 * the channels of trials and of our own children, whose addresses hold their secret; the login
 * itself and its looks. They are matched whole and without escapes or dots between slashes, so that
 * no spelling of another path passes for one of them. So it is with the ways in for a trial's own
 * token.
 */
public final class Access implements Admission, Guard {
  static final String SESSION_PATH = "/api/v1/session";
  static final String SET_UP_PATH = "/api/v1/session/setup";
  static final String OPENID_PATH = "/api/v1/session/openid";
  static final String OPENID_CALLBACK = "/api/v1/session/openid/callback";
  static final String LOGIN_PATH = "/login";
  static final String SET_UP_PAGE = "/setup";

  private final ServiceTokens tokens;
  private final TrialTokens trials;
  private final Ownerships ownerships;
  private final ExperimentAudit audit;
  private final SignInWays ways;

  /** The callers behind sessions, and behind secrets of people; null where no login is required. */
  private final @Nullable Identities identities;

  private final @Nullable BasicLogins logins;
  private final @Nullable ProxyLogins proxied;

  private Access(
      List<AccessToken> tokens,
      SignInWays ways,
      TrialTokens trials,
      Bus bus,
      Clock clock,
      RandomGenerator random) {
    this.ways = ways;
    this.tokens = new ServiceTokens(tokens, clock);
    this.trials = trials;
    this.ownerships = new Ownerships(bus, clock);
    this.audit = new ExperimentAudit(bus, clock);
    boolean people = ways.users();
    this.identities =
        people || !tokens.isEmpty() ? new Identities(bus, clock, this.tokens, people) : null;
    this.logins = identities == null || !people ? null : new BasicLogins(bus, identities, random);
    this.proxied =
        identities == null || !people || ways.proxy() == null
            ? null
            : new ProxyLogins(bus, identities, random);
  }

  /**
   * Lets in the holders of these tokens, and users; all callers when there are neither.
   *
   * @param ways how people sign in, whose accounts the studio keeps
   * @param trials the tokens of trials, which open the ways in for their metrics and keepers
   * @param random makes the secrets of sessions: a cryptographic source
   */
  public static Access of(
      List<AccessToken> tokens,
      SignInWays ways,
      TrialTokens trials,
      Bus bus,
      Clock clock,
      RandomGenerator random) {
    return new Access(tokens, ways, trials, bus, clock, random);
  }

  /** Whether callers have to authenticate. */
  public boolean required() {
    return identities != null;
  }

  /** Whether people have accounts. */
  boolean hasUsers() {
    return ways.users();
  }

  /** Whether they have passwords. */
  boolean hasPasswords() {
    return ways.passwords();
  }

  /** The provider at which people sign in; null when there is none. */
  @Nullable OpenIdSignIn openId() {
    return ways.openId();
  }

  /** The address of this server for browsers, without a slash at its end. */
  String publicUrl(HttpServerRequest request) {
    String known = ways.publicUrl();
    return known != null
        ? known
        : (request.isSSL() ? "https://" : "http://") + request.authority() + PathPrefix.of(request);
  }

  /** The projects and owners of experiments, for routes that decide themselves. */
  public Ownerships ownerships() {
    return ownerships;
  }

  /** Begins to follow accounts and experiments; called once, on the edge's event loop. */
  void start() {
    ownerships.listen();
    if (identities != null) {
      identities.start();
    }
  }

  void close() {
    if (identities != null) {
      identities.close();
    }
    OpenIdSignIn provider = ways.openId();
    if (provider != null) {
      provider.close();
    }
  }

  @Override
  public boolean admit(HttpServerRequest request) {
    UserName named = named(request);
    if (!required() || KnownPaths.isOpen(request.path()) || reports(request)) {
      return true;
    }
    String secret = ShownSecret.of(request);
    if (named != null
        && (secret == null || ShownSecret.isCookie(request))
        && !KnownPaths.isReport(request.path())) {
      return true;
    }
    if (secret == null) {
      return admit(request, CertificateLogins.find(request));
    }
    if (!hasUsers() && !ShownSecret.isCookie(request)) {
      return admit(request, tokens.get(request.remoteAddress(), secret));
    }
    return !isReport(request) || admitReport(request, secret);
  }

  /** The route of metrics has no guard of its own: users do not report, service accounts may. */
  private boolean admitReport(HttpServerRequest request, String secret) {
    Caller service = tokens.find(secret);
    if (service == null) {
      throw new Problem.Forbidden(
              "Metrics are reported with the token of an attempt, or of a service account.")
          .toException();
    }
    return admit(request, service);
  }

  /** Refuses, at any path, a caller who is unknown or may not. */
  private static boolean admit(HttpServerRequest request, @Nullable Caller caller) {
    if (caller == null) {
      if (byHand(request)) {
        toLogin(request);
        return false;
      }
      throw unknown(request);
    }
    if (caller.readsOnly() && !KnownPaths.reads(request)) {
      throw new Problem.Forbidden(Callers.readsOnly(caller)).toException();
    }
    return true;
  }

  @Override
  public Future<Boolean> permit(RoutingContext context, RouteNeed need, boolean lasting) {
    if (!required()) {
      return Future.succeededFuture(true);
    }
    HttpServerRequest request = context.request();
    Callers.put(context, Callers.ANONYMOUS);
    if (need == RouteNeed.OPEN
        || (need == RouteNeed.ATTEMPT && (KnownPaths.isOpen(request.path()) || reports(request)))) {
      return Future.succeededFuture(true);
    }
    Future<@Nullable Caller> found = find(request);
    return found.succeeded()
        ? permit(context, need, lasting, found.result())
        : found.compose(caller -> permit(context, need, lasting, caller));
  }

  private Future<Boolean> permit(
      RoutingContext context, RouteNeed need, boolean lasting, @Nullable Caller caller) {
    HttpServerRequest request = context.request();
    if (caller == null) {
      if (byHand(request)) {
        toLogin(request);
        return Future.succeededFuture(false);
      }
      return Future.failedFuture(unknown(request));
    }
    Callers.put(context, caller);
    if (hasUsers() && need.isAudited() && !KnownPaths.reads(request)) {
      audit.follow(context, caller);
    }
    String digest = lasting ? digest(request) : null;
    if (identities != null
        && digest != null
        && (caller.kind() != Caller.Kind.SERVICE || ShownSecret.isCookie(request))) {
      identities.watch(request, digest, caller);
    }
    Need wanted = need.ofExperiment();
    if (wanted != null) {
      return ownerships.require(caller, wanted, PathIds.experiment(context)).map(true);
    }
    boolean own = need == RouteNeed.OWN && !caller.readOnly();
    if (caller.readsOnly() && !own && !KnownPaths.reads(request)) {
      return Future.failedFuture(new Problem.Forbidden(Callers.readsOnly(caller)).toException());
    }
    return allowed(need, caller, request)
        ? Future.succeededFuture(true)
        : Future.failedFuture(
            new Problem.Forbidden(
                    "%s may not do this: it needs the role admin of the server."
                        .formatted(caller.name()))
                .toException());
  }

  private static boolean allowed(RouteNeed need, Caller caller, HttpServerRequest request) {
    boolean admin = caller.role() == UserRole.ADMIN;
    return switch (need) {
      case OPEN, CALLER, OWN, CHECKED, STUDIO -> true;
      case ATTEMPT, ADMIN -> admin && !caller.readOnly();
      case SERVER -> KnownPaths.reads(request) ? caller.seesEverything() : admin;
      case READ, OPERATE, CHANGE -> throw new IllegalArgumentException("decided elsewhere");
    };
  }

  /**
   * The caller of a request: by a token of the configuration, the session of one, or a user's
   * secret; null when a request has no credentials, or a session is over.
   *
   * @return fails with Unauthorized for a token that is unknown, Busy when too many of these came
   *     from the same address
   */
  Future<@Nullable Caller> find(HttpServerRequest request) {
    boolean cookie = ShownSecret.isCookie(request);
    UserName named = cookie ? named(request) : null;
    if (named != null && proxied != null) {
      return proxied.find(named, address(request));
    }
    String secret = ShownSecret.of(request);
    if (secret == null) {
      return Future.succeededFuture(CertificateLogins.find(request));
    }
    Caller service = cookie ? null : tokens.find(secret);
    if (service != null) {
      return Future.succeededFuture(service);
    }
    if (identities == null || (!cookie && !hasUsers())) {
      return cookie
          ? Future.succeededFuture()
          : Future.failedFuture(tokens.refusal(request.remoteAddress()));
    }
    Future<@Nullable Caller> found = identities.find(new BearerToken(secret).sha256());
    return cookie
        ? found
        : found
            .compose(caller ->
                caller == null && logins != null
                    ? logins.find(request, () -> checkAttempts(request))
                    : Future.succeededFuture(caller))
            .map(caller -> {
              if (caller == null) {
                throw tokens.refusal(request.remoteAddress());
              }
              return caller;
            });
  }

  /** The user whom a believed proxy names; null when there is none. */
  private @Nullable UserName named(HttpServerRequest request) {
    ProxyHeader header = ways.proxy();
    return header == null ? null : header.user(request);
  }

  private static String address(HttpServerRequest request) {
    return Objects.requireNonNullElse(request.remoteAddress().hostAddress(), "");
  }

  /** The digest of the session or token of a request; null when it shows none. */
  private @Nullable String digest(HttpServerRequest request) {
    UserName named = ShownSecret.isCookie(request) ? named(request) : null;
    if (named != null && proxied != null) {
      return proxied.session(named);
    }
    String secret = ShownSecret.of(request);
    return secret == null ? null : new BearerToken(secret).sha256();
  }

  /** The digest of the session that a request shows; null when it shows none. */
  static @Nullable String sessionDigest(HttpServerRequest request) {
    String secret = ShownSecret.cookie(request);
    return secret == null ? null : new BearerToken(secret).sha256();
  }

  /** The service account of a token; null when it may be a personal one. */
  @Nullable Caller service(HttpServerRequest request, BearerToken token) {
    checkAttempts(request);
    return hasUsers()
        ? tokens.find(token.text())
        : tokens.get(request.remoteAddress(), token.text());
  }

  /** Ends what is known here of a session that has been signed out. */
  void signedOut(String digest) {
    if (identities != null) {
      identities.forget(digest);
    }
  }

  /** Lets an address try a password; throws Busy when too many wrong ones came from there. */
  void checkAttempts(HttpServerRequest request) {
    tokens.check(request.remoteAddress());
  }

  void attemptFailed(HttpServerRequest request) {
    tokens.failed(request.remoteAddress());
  }

  /** Whether a trial reports: what it may write is looked at where it is read. */
  private boolean reports(HttpServerRequest request) {
    return KnownPaths.takesTrialTokens(request.path())
        && trials.shown(request.headers()).isPresent();
  }

  private static boolean isReport(HttpServerRequest request) {
    return KnownPaths.isReport(request.path());
  }

  private static void toLogin(HttpServerRequest request) {
    request
        .response()
        .setStatusCode(303)
        .putHeader(HttpHeaders.LOCATION, PlainPage.from(request.path(), LOGIN_PATH.substring(1)))
        .putHeader(HttpHeaders.CONTENT_LENGTH, "0")
        .end();
  }

  /**
   * Whether the client is a user who opens a page in a browser, and is better served by a form than
   * by a problem.
   */
  static boolean byHand(HttpServerRequest request) {
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
