package io.orrery.gateway.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.Unpooled;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the edge. A route is a function from a request to a {@link Reply} that will come,
 * or a stream that writes its answer itself; whatever fails, synchronously or later, becomes a
 * problem of RFC 9457. A path that is asked with a method that it does not have answers 405 with
 * the ones that it has, when the caller is known.
 *
 * <p>A route is declared with the names of its query parameters: {@link Query} lets a handler read
 * no other, and the {@link #table} is what the published document is checked against.
 */
public final class ApiRouter {
  /** Marks a request that its handler has paused: one that has ended cannot be upgraded. */
  private static final String HELD = "orrery.held";

  /** Where our own API begins. */
  public static final String V1 = "/api/v1";

  private static final Set<HttpMethod> CHANGING =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private final Router router;
  private final Guard guard;
  private final List<Served> table = new ArrayList<>();
  private final PresentObjects present = new PresentObjects();
  private final Map<String, TreeSet<String>> methods = new LinkedHashMap<>();
  private final Map<String, Function<HttpServerRequest, Future<Buffer>>> direct = new HashMap<>();

  ApiRouter(Vertx vertx, Guard guard) {
    this.router = Router.router(vertx);
    this.guard = guard;
  }

  /** A reading route; serves HEAD as well. */
  public void get(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.GET, path, need, handler, query);
    on(HttpMethod.HEAD, path, need, handler, query);
    present.reads(path, handler);
  }

  public void post(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.POST, path, need, handler, query);
  }

  /**
   * A POST that thousands send every second: found by its whole path before all routes, and without
   * a context of its own. Its caller is checked by the {@link Admission} alone.
   *
   * @param handler gives the JSON text of the answer
   */
  public void direct(
      String path, RouteNeed need, Function<HttpServerRequest, Future<Buffer>> handler) {
    table.add(new Served(HttpMethod.POST.name(), path, need, List.of()));
    methods.computeIfAbsent(path, p -> new TreeSet<>()).add(HttpMethod.POST.name());
    direct.put(path, handler);
  }

  public void put(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.PUT, path, need, handler, query);
  }

  public void patch(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.PATCH, path, need, handler, query);
  }

  public void delete(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.DELETE, path, need, handler, query);
  }

  /** A GET that changes something by being asked, such as a long poll: no HEAD. */
  public void poll(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    on(HttpMethod.GET, path, need, handler, query);
  }

  /** A GET whose handler writes the response itself, or fails the context. */
  public void stream(
      String path, RouteNeed need, Handler<RoutingContext> handler, String... query) {
    add(HttpMethod.GET, path, need, true, handler, query);
  }

  /**
   * A GET that becomes a WebSocket.
   *
   * @param handler sees the request first, whose head is gone afterwards
   */
  public void webSocket(
      String path, RouteNeed need, Function<RoutingContext, Handler<ServerWebSocket>> handler) {
    stream(
        path,
        need,
        context -> {
          requireUpgrade(context);
          Handler<ServerWebSocket> opened = handler.apply(context);
          context.request().toWebSocket().onSuccess(opened);
        });
  }

  /** As {@link #webSocket}, with a handler that may refuse the request after it has asked. */
  public void webSocketLater(
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Handler<ServerWebSocket>>> handler,
      String... query) {
    stream(
        path,
        need,
        context -> {
          requireUpgrade(context);
          Future<Handler<ServerWebSocket>> asked = handler.apply(context);
          HttpServerRequest request = context.request().pause();
          context.put(HELD, true);
          asked.onComplete((opened, failure) -> {
            if (failure == null) {
              request.toWebSocket().onSuccess(opened);
            } else {
              context.fail(failure);
              request.resume();
            }
          });
        },
        query);
  }

  private static void requireUpgrade(RoutingContext context) {
    if (!"websocket".equalsIgnoreCase(context.request().getHeader(HttpHeaders.UPGRADE))) {
      throw new Problem.Refused(new Finding("", "this address speaks WebSocket")).toException();
    }
  }

  /** All routes so far. */
  List<Served> table() {
    return List.copyOf(table);
  }

  /** A file whose handler writes the response itself, or fails the context; serves HEAD as well. */
  public void file(String path, RouteNeed need, Handler<RoutingContext> handler) {
    add(HttpMethod.GET, path, need, false, handler);
    add(HttpMethod.HEAD, path, need, false, handler);
  }

  /** Ends the adding of routes; the handler that a server calls for each request. */
  Handler<HttpServerRequest> seal() {
    methods.forEach((path, allowed) -> {
      String allow = String.join(", ", allowed);
      RouteNeed least = leastNeed(path);
      router
          .route(path)
          .handler(context -> {
            Future<Boolean> permitted = guard.permit(context, least, false);
            if (permitted.succeeded() && permitted.result()) {
              refuseMethod(context, allow);
            } else if (!permitted.succeeded()) {
              await(context, permitted, known -> refuseMethod(known, allow));
            }
          });
    });
    router.route().failureHandler(ProblemWriter::failed);
    for (int status : new int[] {400, 404, 500}) {
      router.errorHandler(status, ProblemWriter::failed);
    }
    return request -> {
      Function<HttpServerRequest, Future<Buffer>> handler =
          HttpMethod.POST.equals(request.method()) ? direct.get(request.path()) : null;
      if (handler == null) {
        router.handle(request);
      } else {
        serve(request, handler);
      }
    };
  }

  /** The need of a caller who may know what a path takes. */
  private RouteNeed leastNeed(String path) {
    List<RouteNeed> needs =
        table.stream().filter(served -> served.path().equals(path)).map(Served::need).toList();
    return needs.contains(RouteNeed.OPEN)
        ? RouteNeed.OPEN
        : needs.contains(RouteNeed.ATTEMPT) ? RouteNeed.ATTEMPT : RouteNeed.CALLER;
  }

  private static void serve(
      HttpServerRequest request, Function<HttpServerRequest, Future<Buffer>> handler) {
    HttpServerResponse response = request.response();
    Future<Buffer> answer;
    try {
      answer = handler.apply(request);
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onComplete((json, failure) -> {
      if (failure != null) {
        ProblemWriter.failed(request, failure, "POST " + request.path());
      } else if (!response.closed()) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(json);
      }
    });
  }

  private void on(
      HttpMethod method,
      String path,
      RouteNeed need,
      Function<RoutingContext, Future<Reply>> handler,
      String... query) {
    add(
        method,
        path,
        need,
        false,
        context ->
            present
                .onConflict(context, path, handler.apply(context))
                .compose(reply -> send(context, reply))
                .onFailure(context::fail),
        query);
  }

  private void add(
      HttpMethod method,
      String path,
      RouteNeed need,
      boolean lasting,
      Handler<RoutingContext> handler,
      String... query) {
    Served served = new Served(method.name(), path, need, List.of(query));
    table.add(served);
    methods.computeIfAbsent(path, p -> new TreeSet<>()).add(method.name());
    Handler<RoutingContext> checked =
        path.startsWith(V1)
                && CHANGING.contains(method)
                && !served.query().contains(DryRun.PARAMETER)
            ? context -> {
              refuseDryRun(context);
              handler.handle(context);
            }
            : handler;
    router
        .route(method, path)
        .putMetadata(Served.KEY, served)
        .handler(context -> {
          Future<Boolean> permitted = guard.permit(context, need, lasting);
          if (!permitted.succeeded()) {
            await(context, permitted, checked);
          } else if (permitted.result()) {
            checked.handle(context);
          }
        });
  }

  /** Refuses a check of what can only be done: a client that asks for one must not act by it. */
  private static void refuseDryRun(RoutingContext context) {
    if (DryRun.isNamed(context)) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "this cannot be checked without doing it: nothing was done; leave out dryRun"))
          .toException();
    }
  }

  /**
   * Holds the body back while the permission is looked up. The handler sets its own handler of the
   * body before the body flows: what flows earlier is lost.
   */
  private static void await(
      RoutingContext context, Future<Boolean> permitted, Handler<RoutingContext> handler) {
    context.request().pause();
    permitted.onComplete((goesOn, failure) -> {
      try {
        if (failure != null) {
          context.fail(failure);
        } else if (goesOn) {
          handler.handle(context);
        }
      } catch (RuntimeException e) {
        context.fail(e);
      }
      if (context.get(HELD) == null) {
        context.request().resume();
      }
    });
  }

  private static Future<Void> send(RoutingContext context, Reply reply) {
    JsonNode body = reply.body();
    Buffer text = reply.text() != null ? reply.text() : body != null ? bytes(body) : null;
    HttpServerResponse response = context.response();
    if (text == null || text.length() < GzipAnswer.LEAST_BYTES) {
      return write(context.request(), reply, text);
    }
    response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    // A strong tag names these very bytes.
    return response.headers().contains(HttpHeaders.ETAG)
            || !GzipAnswer.accepted(context.request().headers())
        ? write(context.request(), reply, text)
        : GzipAnswer.packed(context.vertx().getOrCreateContext(), text)
            .compose(packed -> {
              response.putHeader(HttpHeaders.CONTENT_ENCODING, GzipAnswer.NAME);
              return write(context.request(), reply, packed);
            });
  }

  private static Future<Void> write(HttpServerRequest request, Reply reply, @Nullable Buffer text) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      return Future.succeededFuture();
    }
    int length = text == null ? 0 : text.length();
    // Said, not left to the server: the answer to HEAD has the length too.
    response
        .setStatusCode(reply.status())
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
    String location = reply.location();
    if (location != null) {
      response.putHeader(
          HttpHeaders.LOCATION,
          location.startsWith("/") ? PathPrefix.of(request) + location : location);
    }
    Future<Void> written =
        text == null
            ? response.end()
            : response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(text);
    // A client that has gone needs no answer.
    return written.otherwiseEmpty();
  }

  private static Buffer bytes(JsonNode body) {
    try {
      return BufferInternal.buffer(Unpooled.wrappedBuffer(Json.MAPPER.writeValueAsBytes(body)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("an answer that cannot be written", e);
    }
  }

  private static void refuseMethod(RoutingContext context, String allow) {
    context.response().putHeader(HttpHeaders.ALLOW, allow);
    ProblemWriter.write(
        context.response(),
        405,
        "method-not-allowed",
        "This address does not take that method",
        "It takes " + allow + ", not " + context.request().method() + ".");
  }
}
