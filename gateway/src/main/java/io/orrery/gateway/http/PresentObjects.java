package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the object of an address whose change was refused, because it is not any more what {@code
 * If-Match} names, or is there against {@code If-None-Match}: the answer carries it, so that the
 * client can merge without asking again.
 */
final class PresentObjects {
  private static final Set<HttpMethod> EDITS =
      Set.of(HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

  private final Map<String, Function<RoutingContext, Future<Reply>>> readers = new HashMap<>();

  /** Notes what reads the object of an address. */
  void reads(String path, Function<RoutingContext, Future<Reply>> reader) {
    readers.put(path, reader);
  }

  /** The same answer, but for a conflict of revisions: that fails with {@link Conflicting}. */
  Future<Reply> onConflict(RoutingContext context, String path, Future<Reply> answer) {
    Function<RoutingContext, Future<Reply>> reader = readers.get(path);
    return reader == null
            || !EDITS.contains(context.request().method())
            || !isConditional(context.request().headers())
        ? answer
        : answer.recover(failure -> told(context, reader, failure));
  }

  private static boolean isConditional(MultiMap headers) {
    return headers.contains(HttpHeaders.IF_MATCH) || headers.contains(HttpHeaders.IF_NONE_MATCH);
  }

  private static Future<Reply> told(
      RoutingContext context, Function<RoutingContext, Future<Reply>> reader, Throwable failure) {
    if (!(Problem.of(failure) instanceof Problem.Conflict(String detail))) {
      return Future.failedFuture(failure);
    }
    Future<Reply> present;
    try {
      present = reader.apply(context);
    } catch (ProblemException e) {
      return Future.failedFuture(failure);
    }
    return present.transform((reply, unread) -> {
      JsonNode object = reply == null ? null : object(reply);
      return Future.failedFuture(object == null ? failure : new Conflicting(detail, object));
    });
  }

  private static @Nullable JsonNode object(Reply reply) {
    return reply.text() == null ? reply.body() : Json.parse(reply.text().toString());
  }

  /** A conflict, with the object as it is now. */
  static final class Conflicting extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient JsonNode object;

    private Conflicting(String detail, JsonNode object) {
      super(detail, null, false, false);
      this.object = object;
    }

    String detail() {
      return String.valueOf(getMessage());
    }

    JsonNode object() {
      return object;
    }
  }
}
