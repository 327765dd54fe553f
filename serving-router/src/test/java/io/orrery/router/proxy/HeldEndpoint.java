package io.orrery.router.proxy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** An endpoint that answers with its name when the test says so, or at once. */
final class HeldEndpoint implements AutoCloseable {
  /** A request that has come whole. */
  record Asked(String method, String header, Buffer body) {}

  private record Waiting(HttpServerRequest request, Context home) {}

  private final String name;
  private final Upstream upstream;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cancelled = new AtomicInteger();
  private final Set<String> connections = ConcurrentHashMap.newKeySet();
  private final List<Long> resets = new CopyOnWriteArrayList<>();
  private volatile int status;

  HeldEndpoint(Vertx vertx, String name) throws Exception {
    this.name = name;
    this.upstream = Upstream.start(vertx, this::take);
  }

  private void take(HttpServerRequest request) {
    Context home = Vertx.currentContext();
    connections.add(request.remoteAddress().toString());
    request
        .response()
        .exceptionHandler(failure -> {
          if (failure instanceof StreamResetException reset) {
            resets.add(reset.getCode());
          }
        })
        .closeHandler(gone -> {
          if (!request.response().ended()) {
            cancelled.incrementAndGet();
          }
        });
    request
        .body()
        .onSuccess(body -> {
          waiting.add(new Waiting(request, home));
          asked.add(new Asked(request.method().name(), request.getHeader("Authorization"), body));
          if (status != 0) {
            answer(status);
          }
        });
  }

  /** Answers every request from now on at once; with 0 none. */
  void atOnce(int code) {
    status = code;
  }

  /** Answers the requests that wait. */
  void answer(int code) {
    each(request -> request.response().setStatusCode(code).end(name));
  }

  /** Cuts the connections of the requests that wait. */
  void cut() {
    each(request -> request.connection().close());
  }

  private void each(Consumer<HttpServerRequest> action) {
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      HttpServerRequest request = next.request();
      next.home().runOnContext(turn -> action.accept(request));
    }
  }

  String address() {
    return upstream.address();
  }

  /** The requests that have come. */
  List<Asked> asked() {
    return asked;
  }

  int requests() {
    return asked.size();
  }

  /** The requests whose router went away before their answer. */
  int cancelled() {
    return cancelled.get();
  }

  /** The number of connections that requests have come over. */
  int connections() {
    return connections.size();
  }

  /** The codes of the resets of streams. */
  List<Long> resets() {
    return resets;
  }

  @Override
  public void close() throws IOException {
    upstream.close();
  }
}
