package io.orrery.benchmarks.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.benchmarks.kubernetes.ObjectStore.Change;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an API server that a client of jobs sees: list and watch (as lines, and over
 * WebSocket), create, server-side apply, merge of metadata, delete with what is owned. One event
 * loop does all of it.
 */
final class ApiServer {
  private final Vertx vertx;
  private final ObjectStore store = new ObjectStore(this::changed);
  private final Set<Watcher> watchers = new LinkedHashSet<>();
  private final Consumer<ObjectNode> onJob;
  private int requests;

  private record Watcher(String collection, Map<String, String> selector, Consumer<String> line) {}

  /** The path of a request: a collection, and an object in it or null. */
  private record Target(String collection, String namespace, @Nullable String name) {
    static @Nullable Target of(String path) {
      String[] steps = path.substring(1).split("/");
      int at = steps[0].equals("api") ? 2 : 3;
      if (steps.length < at + 3 || !steps[at].equals("namespaces")) {
        return null;
      }
      return new Target(
          "/" + String.join("/", Arrays.copyOf(steps, at + 3)),
          steps[at + 1],
          steps.length > at + 3 ? steps[at + 3] : null);
    }
  }

  /**
   * @param onJob told of each job that was created, on the event loop
   */
  ApiServer(Vertx vertx, Consumer<ObjectNode> onJob) {
    this.vertx = vertx;
    this.onJob = onJob;
  }

  /** Listens on a port of its own choice; the event loop is the caller's. */
  Future<Integer> listen() {
    return vertx
        .createHttpServer()
        .requestHandler(this::handle)
        .listen(0, "127.0.0.1")
        .map(server -> server.actualPort());
  }

  ObjectStore store() {
    return store;
  }

  /** How many requests have come so far. */
  int requests() {
    return requests;
  }

  /** How many watches are open. */
  int watches() {
    return watchers.size();
  }

  private void changed(Change change) {
    watchers.forEach(watcher -> {
      if (change.concerns(watcher.collection(), watcher.selector())) {
        watcher.line().accept(change.text());
      }
    });
  }

  private void handle(HttpServerRequest request) {
    requests++;
    Target target = Target.of(request.path());
    if (target == null) {
      refuse(request, 404, "NotFound");
    } else if ("true".equals(request.getParam("watch"))) {
      watch(request, target.collection());
    } else {
      request.body().onSuccess(body -> answer(request, target, body.toString()));
    }
  }

  private void answer(HttpServerRequest request, Target target, String body) {
    String name = target.name();
    if (request.method().equals(HttpMethod.GET) && name == null) {
      list(request, target.collection());
    } else if (request.method().equals(HttpMethod.POST)) {
      create(request, target, (ObjectNode) Json.parse(body));
    } else if (name == null) {
      refuse(request, 405, "MethodNotAllowed");
    } else if (request.method().equals(HttpMethod.PATCH)) {
      patch(request, target, name, (ObjectNode) Json.parse(body));
    } else {
      ObjectNode found =
          request.method().equals(HttpMethod.DELETE)
              ? store.delete(target.collection(), name)
              : store.find(target.collection(), name);
      send(request, 200, found);
    }
  }

  private void list(HttpServerRequest request, String collection) {
    StringBuilder text = new StringBuilder(1_024);
    text.append("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"")
        .append(store.version())
        .append("\"},\"items\":[");
    String separator = "";
    for (ObjectNode object : store.list(collection, selector(request))) {
      text.append(separator).append(object);
      separator = ",";
    }
    respond(request, 200, text.append("]}").toString());
  }

  private void create(HttpServerRequest request, Target target, ObjectNode object) {
    ObjectNode made = store.create(target.collection(), object, target.namespace());
    if (made == null) {
      refuse(request, 409, "AlreadyExists");
      return;
    }
    send(request, 201, made);
    if (made.path("kind").asText().equals("Job")) {
      onJob.accept(made);
    }
  }

  /** What is applied is taken as it is; what is merged is metadata, whose lists are replaced. */
  private void patch(HttpServerRequest request, Target target, String name, ObjectNode patch) {
    ObjectNode present = store.find(target.collection(), name);
    boolean applied = String.valueOf(request.getHeader("Content-Type")).contains("apply");
    if (present == null && applied) {
      create(request, target, patch);
    } else if (present == null) {
      refuse(request, 404, "NotFound");
    } else {
      for (Map.Entry<String, JsonNode> entry : patch.properties()) {
        if (entry.getKey().equals("metadata")) {
          present.withObjectProperty("metadata").setAll((ObjectNode) entry.getValue());
        } else {
          present.set(entry.getKey(), entry.getValue());
        }
      }
      store.update(target.collection(), present);
      send(request, 200, present);
    }
  }

  // ---- watches -------------------------------------------------------------------------------

  private void watch(HttpServerRequest request, String collection) {
    Map<String, String> selector = selector(request);
    long known = Long.parseLong(request.getParam("resourceVersion", "0"));
    Collection<Change> missed = store.since(known);
    if (missed == null) {
      refuse(request, 410, "Expired");
    } else if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
      request
          .toWebSocket()
          .onSuccess(socket -> {
            Watcher watcher = new Watcher(collection, selector, socket::writeTextMessage);
            socket.closeHandler(closed -> watchers.remove(watcher));
            begin(watcher, known);
          });
    } else {
      HttpServerResponse response = request.response().setChunked(true);
      response.putHeader("Content-Type", "application/json");
      Watcher watcher = new Watcher(collection, selector, response::write);
      response.closeHandler(closed -> watchers.remove(watcher));
      response.writeHead();
      begin(watcher, known);
    }
  }

  private void begin(Watcher watcher, long known) {
    Collection<Change> missed = store.since(known);
    if (missed != null) {
      missed.stream()
          .filter(change -> change.concerns(watcher.collection(), watcher.selector()))
          .forEach(change -> watcher.line().accept(change.text()));
    }
    watchers.add(watcher);
  }

  private static Map<String, String> selector(HttpServerRequest request) {
    Map<String, String> selector = new HashMap<>();
    for (String term : request.getParam("labelSelector", "").split(",")) {
      int equals = term.indexOf('=');
      if (equals > 0) {
        selector.put(term.substring(0, equals), term.substring(equals + 1));
      }
    }
    return selector;
  }

  // ---- answers -------------------------------------------------------------------------------

  private static void refuse(HttpServerRequest request, int code, String reason) {
    ObjectNode status = Json.MAPPER.createObjectNode();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
    status.put("code", code).put("reason", reason).put("message", reason);
    respond(request, code, status.toString());
  }

  private static void send(HttpServerRequest request, int code, @Nullable ObjectNode object) {
    if (object == null) {
      refuse(request, 404, "NotFound");
    } else {
      respond(request, code, object.toString());
    }
  }

  private static void respond(HttpServerRequest request, int code, String text) {
    request.response().setStatusCode(code).putHeader("Content-Type", "application/json").end(text);
  }
}
