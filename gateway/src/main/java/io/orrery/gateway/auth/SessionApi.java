package io.orrery.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathPrefix;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The API of sessions, {@code /api/v1/session}: POST {@code {"token": …}} sets a cookie that
 * scripts cannot read, DELETE ends the session, GET returns name and role. {@code /login} is the
 * form for it, which works without a script.
 */
public final class SessionApi implements Api {
  private static final int MAX_BYTES = 4 << 10;
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String FIELD = "token=";

  private final Access access;
  private final RequestBody bodies;

  public SessionApi(Access access, RequestBody bodies) {
    this.access = access;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(Access.SESSION_PATH, this::show);
    router.post(Access.SESSION_PATH, this::open);
    router.delete(Access.SESSION_PATH, this::end);
    router.stream(Access.LOGIN_PATH, LoginPage::show);
  }

  private Future<Reply> show(RoutingContext context) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("required", access.required());
    if (access.required()) {
      Optional<Caller> caller = access.caller(context.request());
      if (caller.isEmpty()) {
        throw new Problem.Unauthorized("Nobody is logged in here.").toException();
      }
      shape.put("name", caller.get().name()).put("role", caller.get().role().word());
    }
    return Future.succeededFuture(Reply.ok(shape));
  }

  private Future<Reply> open(RoutingContext context) {
    if (!access.required()) {
      throw new Problem.Conflict("This server asks nobody for a token.").toException();
    }
    String type = String.valueOf(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
    boolean form = type.startsWith(FORM);
    Future<Reply> answer =
        bodies
            .text(context, MAX_BYTES)
            .map(text -> {
              String secret = access.login(context.request(), form ? field(text) : member(text));
              setCookie(context, secret, Sessions.LIFE.toSeconds());
              return form ? new Reply(303, null, LoginPage.DONE) : Reply.empty(204);
            });
    return form ? answer.recover(failure -> again(failure)) : answer;
  }

  private Future<Reply> end(RoutingContext context) {
    access.logout(context.request());
    setCookie(context, "", 0);
    return Future.succeededFuture(Reply.empty(204));
  }

  /** Somebody at the form sees it again, with a word on what went wrong. */
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

  /** Whether the page came over TLS, from us or from the proxy before us: a checked origin says. */
  private static boolean isSecure(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return request.isSSL() || (origin != null && origin.startsWith("https://"));
  }

  private static void setCookie(RoutingContext context, String value, long seconds) {
    Cookie cookie =
        Cookie.cookie(Access.COOKIE, value)
            .setPath(PathPrefix.of(context.request()) + "/")
            .setHttpOnly(true)
            .setSameSite(CookieSameSite.STRICT)
            .setSecure(isSecure(context.request()))
            .setMaxAge(seconds);
    context.response().putHeader(HttpHeaders.SET_COOKIE, cookie.encode());
  }

  private static String member(String text) {
    JsonNode token = Json.parse(text).path("token");
    if (!token.isTextual()) {
      throw new Problem.Refused(
              new Finding("/token", "a login is a JSON object such as {\"token\": \"orrery_…\"}"))
          .toException();
    }
    return token.textValue();
  }

  private static String field(String text) {
    for (String pair : text.split("&")) {
      if (pair.startsWith(FIELD)) {
        return decoded(pair.substring(FIELD.length())).strip();
      }
    }
    return "";
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
