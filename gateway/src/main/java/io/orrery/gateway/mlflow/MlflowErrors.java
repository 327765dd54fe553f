package io.orrery.gateway.mlflow;

import io.orrery.core.bus.Bus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.ClientGone;
import io.orrery.gateway.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures as MLflow tells them: {@code {"error_code": …, "message": …}}, with its codes. */
final class MlflowErrors {
  private static final Logger LOG = LoggerFactory.getLogger(MlflowErrors.class);
  private static final String EXISTS = "RESOURCE_ALREADY_EXISTS";
  private static final String OUR_FAULT = "The server could not do this; the reason is in its log.";

  private MlflowErrors() {}

  /** A failure with MLflow's code. */
  private record Told(int status, String code, String message) {}

  /**
   * The same route with MLflow's way to fail.
   *
   * @param creates whether a conflict means that the object exists already
   */
  static Function<RoutingContext, Future<Reply>> told(
      boolean creates, Function<RoutingContext, Future<Reply>> route) {
    return context -> attempt(route, context).recover(failure -> reply(context, failure, creates));
  }

  private static Future<Reply> attempt(
      Function<RoutingContext, Future<Reply>> route, RoutingContext context) {
    try {
      return route.apply(context);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** Answers a request whose handler writes the response itself. One that has begun is cut off. */
  static void write(RoutingContext context, Throwable failure) {
    if (context.response().headWritten()) {
      context.fail(failure);
      return;
    }
    reply(context, failure, false)
        .onSuccess(reply ->
            context
                .response()
                .setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(String.valueOf(reply.body())))
        .onFailure(context::fail);
  }

  private static Future<Reply> reply(RoutingContext context, Throwable failure, boolean creates) {
    if (failure instanceof ClientGone || failure instanceof HttpException) {
      return Future.failedFuture(failure);
    }
    Told told = told(context, failure, creates);
    return Future.succeededFuture(
        Reply.status(
            told.status(),
            Json.MAPPER
                .createObjectNode()
                .put("error_code", told.code())
                .put("message", told.message())));
  }

  private static Told told(RoutingContext context, Throwable failure, boolean creates) {
    return switch (Problem.of(failure)) {
      case Problem.Refused refused -> new Told(400, "INVALID_PARAMETER_VALUE", text(refused));
      case Problem.TooLarge(String detail) -> new Told(413, "INVALID_PARAMETER_VALUE", detail);
      case Problem.NotFound(String detail) -> new Told(404, "RESOURCE_DOES_NOT_EXIST", detail);
      case Problem.Conflict(String detail) ->
          creates ? new Told(400, EXISTS, detail) : new Told(409, "RESOURCE_CONFLICT", detail);
      case Problem.Unauthorized(String detail) -> new Told(401, "UNAUTHENTICATED", detail);
      case Problem.Forbidden(String detail) -> new Told(403, "PERMISSION_DENIED", detail);
      case Problem.Busy(String detail, Duration retryAfter) -> {
        retryAfter(context, retryAfter);
        yield new Told(429, "REQUEST_LIMIT_EXCEEDED", detail);
      }
      case Problem.Unavailable(String detail, Duration retryAfter) -> {
        retryAfter(context, retryAfter);
        yield new Told(503, "TEMPORARILY_UNAVAILABLE", detail);
      }
      case Problem.Broken(String detail) -> {
        if (Bus.isUnserved(failure)) {
          retryAfter(context, Duration.ofSeconds(1));
          yield new Told(503, "TEMPORARILY_UNAVAILABLE", "The server is starting, or going down.");
        }
        LOG.error("could not answer {}: {}", context.request().path(), detail, failure);
        yield new Told(500, "INTERNAL_ERROR", OUR_FAULT);
      }
    };
  }

  private static void retryAfter(RoutingContext context, Duration duration) {
    context
        .response()
        .putHeader(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, duration.toSeconds())));
  }

  private static String text(Problem.Refused refused) {
    return refused.findings().isEmpty()
        ? refused.detail()
        : refused.findings().stream().map(Finding::text).collect(Collectors.joining("; "));
  }
}
