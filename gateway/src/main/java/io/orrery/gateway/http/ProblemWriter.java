package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what went wrong as {@code application/problem+json} (RFC 9457). The caller's problems are
 * told in full; ours go to the log, and the caller learns only that it was us.
 */
final class ProblemWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemWriter.class);
  private static final String OUR_FAULT = "The server could not do this; the reason is in its log.";

  private static final String CONFLICT = "The present state does not allow this";

  private static final int OUR_STATUS = 500;

  /** The port is open a moment before, and after, all handlers are there. */
  private static final Problem NOT_THERE =
      new Problem.Unavailable(
          "The server is starting, or going down: who answers this is not there.",
          Duration.ofSeconds(1));

  private ProblemWriter() {}

  /** Answers a request whose handler failed. */
  static void failed(RoutingContext context) {
    failed(context.request(), context.failure(), context.statusCode(), route(context));
  }

  /**
   * The same without a context.
   *
   * @param route what the log may call it
   */
  static void failed(HttpServerRequest request, Throwable failure, String route) {
    failed(request, failure, OUR_STATUS, route);
  }

  private static void failed(
      HttpServerRequest request, @Nullable Throwable failure, int given, String route) {
    HttpServerResponse response = request.response();
    if (failure instanceof ClientGone) {
      request.connection().close();
      return;
    }
    if (failure instanceof PresentObjects.Conflicting conflict) {
      write(response, 409, "conflict", CONFLICT, conflict.detail(), List.of(), conflict.object());
      return;
    }
    int status = failure instanceof HttpException http ? http.getStatusCode() : given;
    if (failure != null && !(failure instanceof HttpException)) {
      Problem problem = Problem.of(failure);
      if (problem instanceof Problem.Broken && Bus.isUnserved(failure)) {
        // Should it never come, an operator must be able to see which role is missing.
        LOG.warn("{}: {}", route, problem.detail());
        problem = NOT_THERE;
      } else if (problem instanceof Problem.Broken broken) {
        report(route, broken, failure);
      }
      if (response.headWritten()) {
        // The rest of the answer never comes: its reader must not take it for whole, nor wait.
        request.connection().close();
        return;
      }
      write(response, problem);
      return;
    }
    switch (status) {
      case 400 -> write(response, new Problem.Refused("The address cannot be read.", List.of()));
      case 404 -> write(response, new Problem.NotFound("Nothing is at this address."));
      case 408 -> {
        write(
            response,
            408,
            "timeout",
            "The request took too long",
            "The rest of the request did not come.");
        request.connection().close();
      }
      default -> {
        LOG.error("{} ended with {}", route, status, failure);
        write(response, new Problem.Broken(OUR_FAULT));
      }
    }
  }

  static void write(HttpServerResponse response, Problem problem) {
    switch (problem) {
      case Problem.Refused(String detail, List<Finding> findings) ->
          write(response, 400, "refused", "The input was refused", detail, findings);
      case Problem.Unauthorized(String detail) -> {
        response.putHeader("WWW-Authenticate", "Bearer");
        write(response, 401, "unauthorized", "Credentials are missing or unknown", detail);
      }
      case Problem.Forbidden(String detail) ->
          write(response, 403, "forbidden", "This is not allowed", detail);
      case Problem.NotFound(String detail) ->
          write(response, 404, "not-found", "There is no such thing", detail);
      case Problem.Conflict(String detail) -> write(response, 409, "conflict", CONFLICT, detail);
      case Problem.TooLarge(String detail) ->
          write(response, 413, "too-large", "The input is too large", detail);
      case Problem.Busy(String detail, Duration retryAfter) -> {
        response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(wholeSeconds(retryAfter)));
        write(response, 429, "busy", "The server is busy", detail);
      }
      case Problem.Unavailable(String detail, Duration retryAfter) -> {
        response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(wholeSeconds(retryAfter)));
        write(response, 503, "unavailable", "A part of the server is not there", detail);
      }
      case Problem.Broken ignored -> write(response, 500, "broken", "The server failed", OUR_FAULT);
    }
  }

  static void write(
      HttpServerResponse response, int status, String kind, String title, String detail) {
    write(response, status, kind, title, detail, List.of());
  }

  private static void write(
      HttpServerResponse response,
      int status,
      String kind,
      String title,
      String detail,
      List<Finding> findings) {
    write(response, status, kind, title, detail, findings, null);
  }

  private static void write(
      HttpServerResponse response,
      int status,
      String kind,
      String title,
      String detail,
      List<Finding> findings,
      @Nullable JsonNode present) {
    if (response.closed() || response.ended()) {
      return;
    }
    if (response.headWritten()) {
      // Half an answer is out: the only way left to say that the rest is missing.
      response.reset();
      return;
    }
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("type", "/problems/" + kind)
            .put("title", title)
            .put("status", status)
            .put("detail", detail);
    if (!findings.isEmpty()) {
      ArrayNode errors = body.putArray("errors");
      findings.forEach(finding -> errors.add(shape(finding)));
    }
    if (present != null) {
      body.set("present", present);
    }
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
        .end(Json.write(body));
  }

  private static ObjectNode shape(Finding finding) {
    ObjectNode error =
        Json.MAPPER
            .createObjectNode()
            .put("pointer", finding.pointer())
            .put("message", finding.message());
    if (finding.line() != null) {
      error.put("line", finding.line());
    }
    return error;
  }

  /** At least one second: a Retry-After of 0 is an invitation to hammer. */
  private static long wholeSeconds(Duration duration) {
    return Math.max(1, duration.plusMillis(999).toSeconds());
  }

  private static void report(String route, Problem.Broken broken, Throwable failure) {
    if (failure instanceof ProblemException) {
      LOG.error("{}: {}", route, broken.detail());
    } else {
      LOG.error("{}", route, failure);
    }
  }

  /** The pattern, never the address itself: a trial's address holds its token. */
  private static String route(RoutingContext context) {
    Route route = context.currentRoute();
    String path = route == null ? null : route.getPath();
    return context.request().method() + " " + (path == null ? "(no route)" : path);
  }
}
