package io.orrery.gateway.auth;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.openid.OpenIdProfile;
import io.orrery.gateway.auth.openid.OpenIdSignIn;
import io.orrery.gateway.auth.openid.OpenIdSignIn.Answer;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathPrefix;
import io.orrery.gateway.http.PlainPage;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API of signing in at the OpenID provider: {@code GET /api/v1/session/openid} sends the
 * browser there, with a ticket as a cookie; {@code …/callback} is where the provider sends it back,
 * and sets the cookie of a session.
 *
 * <p>The browser comes back by a link of another site, with which it sends no strict cookie. So it
 * is led to a page of ours first, and that one leads to the start.
 */
public final class OpenIdApi implements Api {
  private static final Logger LOG = LoggerFactory.getLogger(OpenIdApi.class);
  private static final String TICKET = "orrery_openid";

  private final Access access;
  private final Bus bus;
  private final RandomGenerator random;

  /**
   * @param random makes the secrets of sessions: a cryptographic source
   */
  public OpenIdApi(Access access, Bus bus, RandomGenerator random) {
    this.access = access;
    this.bus = bus;
    this.random = random;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(Access.OPENID_PATH, RouteNeed.OPEN, this::begin);
    router.get(Access.OPENID_CALLBACK, RouteNeed.OPEN, this::end);
  }

  private OpenIdSignIn provider() {
    OpenIdSignIn provider = access.openId();
    if (provider == null) {
      throw new Problem.NotFound("This server has no OpenID provider: auth.openId names one.")
          .toException();
    }
    return provider;
  }

  private Future<Reply> begin(RoutingContext context) {
    OpenIdSignIn provider = provider();
    Future<Reply> answer =
        provider
            .begin(callback(context))
            .map(begun -> {
              setTicket(context, begun.ticket(), provider.ticketLife().toSeconds());
              return new Reply(303, null, begun.location());
            });
    return answer.recover(failure -> again(context, failure));
  }

  private Future<Reply> end(RoutingContext context) {
    OpenIdSignIn provider = provider();
    Cookie ticket = context.request().getCookie(TICKET);
    setTicket(context, "", 0);
    Future<Reply> answer =
        Future.succeededFuture()
            .compose(begun -> {
              access.checkAttempts(context.request());
              return provider.end(
                  ticket == null ? null : ticket.getValue(), answer(context), callback(context));
            })
            .compose(profile -> open(context, provider, profile))
            .onFailure(failure -> {
              if (Problem.of(failure) instanceof Problem.Unauthorized) {
                access.attemptFailed(context.request());
              }
            })
            .map(secret -> {
              SessionCookie.set(context, secret, SessionCookie.LIFE.toSeconds(), isSecure(context));
              return new Reply(303, null, to(context, "login?done"));
            });
    return answer.recover(failure -> again(context, failure));
  }

  private Future<String> open(
      RoutingContext context, OpenIdSignIn provider, OpenIdProfile profile) {
    BearerToken secret = BearerToken.random(random);
    return bus.request(
            People.EXTERNAL_SIGN_IN,
            new People.ExternalSignIn(
                profile.name(),
                new People.ExternalId(provider.issuer(), profile.subject()),
                profile.displayName(),
                profile.mail(),
                profile.admin(),
                secret.sha256(),
                Callers.address(context)))
        .map(secret.text());
  }

  private static Answer answer(RoutingContext context) {
    return new Answer(
        single(context, "state"),
        single(context, "code"),
        single(context, "iss"),
        single(context, "error"));
  }

  /** A parameter that stands once; null for one that is missing, and for one that is repeated. */
  private static @Nullable String single(RoutingContext context, String name) {
    List<String> values = context.queryParam(name);
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** The whole address of the callback, as the provider knows it. */
  private String callback(RoutingContext context) {
    return access.publicUrl(context.request()) + Access.OPENID_CALLBACK;
  }

  private boolean isSecure(RoutingContext context) {
    return access.publicUrl(context.request()).startsWith("https://");
  }

  private void setTicket(RoutingContext context, String ticket, long seconds) {
    SessionCookie.add(
        context,
        Cookie.cookie(TICKET, ticket)
            .setPath(PathPrefix.of(context.request()) + Access.OPENID_PATH)
            .setHttpOnly(true)
            // The provider's page leads back here: a strict cookie would not be sent.
            .setSameSite(CookieSameSite.LAX)
            .setSecure(isSecure(context))
            .setMaxAge(seconds));
  }

  /** A user in a browser sees the form, with a word on what went wrong. */
  private static Future<Reply> again(RoutingContext context, Throwable failure) {
    if (!Access.byHand(context.request())) {
      return Future.failedFuture(failure);
    }
    String word =
        switch (Problem.of(failure)) {
          case Problem.Forbidden ignored -> "account";
          case Problem.Busy ignored -> "busy";
          case Problem.Refused ignored -> "provider";
          case Problem.Unauthorized ignored -> "provider";
          case Problem.Unavailable ignored -> "provider";
          case Problem.Broken ignored -> "provider";
          case Problem.NotFound ignored -> "";
          case Problem.Conflict ignored -> "";
          case Problem.TooLarge ignored -> "";
        };
    LOG.warn("could not sign in by OpenID: {}", Problem.of(failure).detail());
    return word.isEmpty()
        ? Future.failedFuture(failure)
        : Future.succeededFuture(new Reply(303, null, to(context, "login?" + word)));
  }

  private static String to(RoutingContext context, String target) {
    return PlainPage.from(context.request().path(), target);
  }
}
