package io.orrery.gateway.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.auth.openid.OpenIdSignIn;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.random.RandomGenerator;

/**
 * The API of sessions, {@code /api/v1/session}: POST {@code {"user": …, "password": …}} or {@code
 * {"token": …}} sets a cookie that scripts cannot read, DELETE ends the session, GET returns name
 * and role; {@code setup} sets a first password. {@code /login} and {@code /setup} are the forms
 * for them, which work without a script.
 */
public final class SessionApi implements Api {
  private static final int MAX_BYTES = 4 << 10;
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Access access;
  private final Bus bus;
  private final RequestBody bodies;
  private final RandomGenerator random;

  /**
   * @param random makes the secrets of sessions: a cryptographic source
   */
  public SessionApi(Access access, Bus bus, RequestBody bodies, RandomGenerator random) {
    this.access = access;
    this.bus = bus;
    this.bodies = bodies;
    this.random = random;
  }

  @Override
  public void mount(ApiRouter router) {
    access.start();
    router.get(Access.SESSION_PATH, RouteNeed.OPEN, this::show);
    router.post(Access.SESSION_PATH, RouteNeed.OPEN, this::open);
    router.delete(Access.SESSION_PATH, RouteNeed.OPEN, this::end);
    router.post(Access.SET_UP_PATH, RouteNeed.OPEN, this::setUp);
    router.stream(Access.LOGIN_PATH, RouteNeed.OPEN, context -> LoginPage.show(context, access));
    router.stream(Access.SET_UP_PAGE, RouteNeed.OPEN, SetUpPage::show);
  }

  @Override
  public void close() {
    access.close();
  }

  private Future<Reply> show(RoutingContext context) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("required", access.required());
    shape.put("users", access.hasUsers());
    shape.put("passwords", access.hasPasswords());
    shape.put("openId", access.openId() != null);
    if (!access.required()) {
      return Future.succeededFuture(Reply.ok(shape));
    }
    return access
        .find(context.request())
        .map(caller ->
            Reply.ok(
                caller == null
                    ? shape
                    : shape.put("name", caller.name()).put("role", caller.role().word())));
  }

  private Future<Reply> open(RoutingContext context) {
    if (!access.required()) {
      throw new Problem.Conflict("This server requires no token.").toException();
    }
    boolean form = isForm(context);
    Future<Reply> answer =
        bodies
            .text(context, MAX_BYTES)
            .map(text -> form ? LoginRequest.ofForm(text) : LoginRequest.ofJson(text))
            .compose(shown -> open(context, shown))
            .map(secret -> {
              SessionCookie.set(context, secret, SessionCookie.LIFE.toSeconds());
              return form ? new Reply(303, null, LoginPage.DONE) : Reply.empty(204);
            });
    return form ? answer.recover(SessionApi::again) : answer;
  }

  private static boolean isForm(RoutingContext context) {
    return String.valueOf(context.request().getHeader(HttpHeaders.CONTENT_TYPE)).startsWith(FORM);
  }

  /** The secret of a new session. */
  private Future<String> open(RoutingContext context, LoginRequest shown) {
    return switch (shown) {
      case LoginRequest.Token(String token) -> open(context, new BearerToken(token));
      case LoginRequest.Password(String user, String password) -> {
        if (!access.hasPasswords()) {
          throw new Problem.Refused(
                  new Finding(
                      "/user",
                      access.hasUsers()
                          ? "accounts of this server have no passwords: sign in at the provider"
                          : "this server has no user accounts: show a token"))
              .toException();
        }
        access.checkAttempts(context.request());
        BearerToken secret = BearerToken.random(random);
        yield counted(
                context,
                bus.request(
                    People.SIGN_IN,
                    new People.SignIn(
                        user, password, secret.sha256(), Callers.actor(context).from())))
            .map(secret.text());
      }
    };
  }

  /** Opens a session for the holder of a token. */
  private Future<String> open(RoutingContext context, BearerToken token) {
    Caller service = access.service(context.request(), token);
    BearerToken secret = BearerToken.random(random);
    return counted(
            context,
            bus.request(
                People.TOKEN_SIGN_IN,
                new People.TokenSignIn(
                    token.sha256(),
                    service == null ? null : service.name(),
                    secret.sha256(),
                    Callers.actor(context).from())))
        .map(secret.text());
  }

  private <T> Future<T> counted(RoutingContext context, Future<T> attempt) {
    return attempt.onFailure(failure -> {
      if (Problem.of(failure) instanceof Problem.Unauthorized) {
        access.attemptFailed(context.request());
      }
    });
  }

  /** Sets the first password of an account by the code of a set-up link. */
  private Future<Reply> setUp(RoutingContext context) {
    if (!access.hasUsers()) {
      throw new Problem.Conflict("This server has no user accounts.").toException();
    }
    access.checkAttempts(context.request());
    boolean form = isForm(context);
    Future<Reply> answer =
        bodies
            .text(context, MAX_BYTES)
            .map(text -> form ? SetUpRequest.ofForm(text) : SetUpRequest.ofJson(text))
            .compose(wanted ->
                counted(
                    context,
                    bus.request(
                        People.SET_UP,
                        new People.SetUp(
                            new BearerToken(wanted.code()).sha256(),
                            wanted.user(),
                            wanted.password(),
                            Callers.actor(context).from()))))
            .map(user ->
                form
                    ? new Reply(303, null, SetUpPage.DONE)
                    : Reply.ok(Json.MAPPER.createObjectNode().put("user", user.name().value())));
    return form ? answer.recover(SetUpPage::again) : answer;
  }

  private Future<Reply> end(RoutingContext context) {
    SessionCookie.set(context, "", 0);
    String digest = access.required() ? Access.sessionDigest(context.request()) : null;
    return digest == null
        ? Future.succeededFuture(Reply.empty(204))
        : access
            .find(context.request())
            .otherwiseEmpty()
            .compose(holder ->
                bus.request(
                    People.SIGN_OUT,
                    new People.SignOut(digest, holder == null ? null : holder.name())))
            .compose(ended -> {
              access.signedOut(digest);
              return ended(context, ended.external());
            });
  }

  /** Tells where the session at the provider is ended as well. */
  private Future<Reply> ended(RoutingContext context, boolean external) {
    OpenIdSignIn provider = access.openId();
    return provider == null || !external
        ? Future.succeededFuture(Reply.empty(204))
        : provider
            .endSession(access.publicUrl(context.request()) + Access.LOGIN_PATH)
            .map(address ->
                address == null
                    ? Reply.empty(204)
                    : Reply.ok(Json.MAPPER.createObjectNode().put("endSession", address)));
  }

  /** Shows the form again, with a word on what went wrong. */
  private static Future<Reply> again(Throwable failure) {
    if (failure instanceof ProblemException known) {
      return switch (known.problem()) {
        case Problem.Unauthorized ignored ->
            Future.succeededFuture(new Reply(303, null, LoginPage.UNKNOWN));
        case Problem.Busy ignored ->
            Future.succeededFuture(new Reply(303, null, LoginPage.TOO_OFTEN));
        case Problem.Refused ignored -> Future.failedFuture(failure);
        case Problem.NotFound ignored -> Future.failedFuture(failure);
        case Problem.Conflict ignored -> Future.failedFuture(failure);
        case Problem.Forbidden ignored -> Future.failedFuture(failure);
        case Problem.TooLarge ignored -> Future.failedFuture(failure);
        case Problem.Unavailable ignored -> Future.failedFuture(failure);
        case Problem.Broken ignored -> Future.failedFuture(failure);
      };
    }
    return Future.failedFuture(failure);
  }
}
