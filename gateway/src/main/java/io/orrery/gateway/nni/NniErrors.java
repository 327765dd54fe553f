package io.orrery.gateway.nni;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Failures as NNI tells them: {@code {"error": …}} with status 500, 404 for what does not exist.
 * Its clients show that text. What is not about the request itself (its size, credentials, a full
 * queue, a fault of ours) is told as everywhere else.
 */
final class NniErrors {
  private static final int FAILED = 500;

  private NniErrors() {}

  /** The same route with NNI's way to fail. */
  static Function<RoutingContext, Future<Reply>> told(
      Function<RoutingContext, Future<Reply>> route) {
    return told(FAILED, route);
  }

  /**
   * The same for a route of which NNI's way is a little different.
   *
   * @param refused the status of what is refused
   */
  static Function<RoutingContext, Future<Reply>> told(
      int refused, Function<RoutingContext, Future<Reply>> route) {
    return context -> attempt(route, context).recover(failure -> reply(refused, failure));
  }

  /** A failure of a route that writes its answer itself. One that has begun is cut off. */
  static void write(RoutingContext context, Throwable failure) {
    if (context.response().headWritten()) {
      context.fail(failure);
      return;
    }
    reply(FAILED, failure)
        .onSuccess(reply ->
            context
                .response()
                .setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(String.valueOf(reply.body())))
        .onFailure(context::fail);
  }

  private static Future<Reply> attempt(
      Function<RoutingContext, Future<Reply>> route, RoutingContext context) {
    try {
      return route.apply(context);
    } catch (ProblemException e) {
      return Future.failedFuture(e);
    }
  }

  private static Future<Reply> reply(int refused, Throwable failure) {
    if (!(failure instanceof ProblemException known)) {
      return Future.failedFuture(failure);
    }
    return switch (known.problem()) {
      case Problem.Refused why -> error(refused, text(why));
      case Problem.Conflict conflict -> error(refused, conflict.detail());
      case Problem.NotFound missing -> error(404, missing.detail());
      case Problem.TooLarge ignored -> Future.failedFuture(failure);
      case Problem.Unauthorized ignored -> Future.failedFuture(failure);
      case Problem.Forbidden ignored -> Future.failedFuture(failure);
      case Problem.Passing ignored -> Future.failedFuture(failure);
      case Problem.Broken ignored -> Future.failedFuture(failure);
    };
  }

  /** Everything that is wrong in one text: there is no list for it. */
  private static String text(Problem.Refused refused) {
    return refused.findings().isEmpty()
        ? refused.detail()
        : refused.findings().stream().map(Finding::text).collect(Collectors.joining("; "));
  }

  private static Future<Reply> error(int status, String message) {
    return Future.succeededFuture(
        Reply.status(status, Json.MAPPER.createObjectNode().put("error", message)));
  }
}
