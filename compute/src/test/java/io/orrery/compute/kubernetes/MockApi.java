package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.core.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The requests to a {@link MockCluster}, in front of the library's store of objects, which knows no
 * server-side apply, no policies of deletion, no evictions and no dry run.
 */
final class MockApi extends KubernetesCrudDispatcher {
  private final MockCluster cluster;
  private final MockAnswers answers;
  private final Collector collector;
  private final Node node;

  MockApi(MockCluster cluster, MockAnswers answers, Collector collector, Node node) {
    this.cluster = cluster;
    this.answers = answers;
    this.collector = collector;
    this.node = node;
  }

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    boolean ours = request.getHeader("X-Controller") == null;
    String given = text(request);
    MockResponse refusal = ours ? cluster.refusal(request) : null;
    if (refusal == null && ours) {
      refusal = answers.forbidden(request);
    }
    if (refusal != null) {
      return refusal;
    }
    String path = URI.create(request.getPath()).getPath();
    if (path.endsWith("/eviction")) {
      return evicted(request, path.substring(0, path.lastIndexOf('/')));
    }
    if (path.endsWith("/exec") && request.getMethod().equals("GET")) {
      // LineDoor opens the WebSocket when the pod is there.
      return super.dispatch(plain(request, "GET", path.substring(0, path.lastIndexOf('/')), ""));
    }
    if (path.endsWith("/log") && request.getMethod().equals("GET")) {
      return log(request, path.substring(0, path.lastIndexOf('/')));
    }
    MockResponse answered = answers.answered(request, given);
    if (answered != null) {
      return answered;
    }
    MockResponse discovered = answers.discovery(path);
    if (discovered != null) {
      return discovered;
    }
    MockResponse refused = request.getMethod().equals("POST") ? answers.refused(request) : null;
    if (refused != null) {
      return refused;
    }
    if (isDryRun(request)) {
      return dryRun(request, path, given);
    }
    MockResponse answer = handled(request);
    if (answer.code() < 300 && !request.getMethod().equals("GET")) {
      cluster.changed(path);
      if (ours && request.getMethod().equals("POST")) {
        String name = Json.parse(given).at("/metadata/name").asText();
        cluster.created(path + "/" + name);
      }
    }
    return answer;
  }

  static MockResponse answer(int code, JsonNode body) {
    return new MockResponse()
        .setResponseCode(code)
        .addHeader("Content-Type", "application/json")
        .setBody(body.toString());
  }

  private MockResponse handled(RecordedRequest request) {
    String type = request.getHeader("Content-Type");
    if (request.getMethod().equals("PATCH")
        && URI.create(request.getPath()).getPath().endsWith("/scale")) {
      return scaled(request);
    }
    if (request.getMethod().equals("PATCH") && type != null && type.contains("apply-patch")) {
      return applied(request, true);
    }
    if (request.getMethod().equals("DELETE")) {
      return deleted(request);
    }
    return super.dispatch(request);
  }

  /** Sets the replicas of an object, which the manager that does so owns from then on. */
  private MockResponse scaled(RecordedRequest request) {
    URI uri = URI.create(request.getPath());
    String path = uri.getPath().replaceFirst("/scale$", "");
    MockResponse found = super.dispatch(plain(request, "GET", path, ""));
    if (found.code() != 200) {
      return found;
    }
    ObjectNode object =
        ServerSideApply.scaled(
            Json.parse(body(found)),
            String.valueOf(uri.getQuery()),
            Json.parse(text(request)).at("/spec/replicas").intValue());
    return super.dispatch(plain(request, "PUT", path, object.toString()));
  }

  private MockResponse deleted(RecordedRequest request) {
    String path = URI.create(request.getPath()).getPath();
    MockResponse found = super.dispatch(plain(request, "GET", path, ""));
    if (found.code() != 200) {
      return super.dispatch(request);
    }
    JsonNode gone = Json.parse(body(found));
    boolean held = !gone.at("/metadata/finalizers").isEmpty();
    if (gone.path("kind").asText().equals("Pod")) {
      return held ? ended(request, gone) : left(request, path, gone);
    }
    Deletion deletion = Deletion.of(request);
    MockResponse answer = super.dispatch(request);
    if (answer.code() >= 300) {
      return answer;
    }
    switch (deletion) {
      case BACKGROUND -> cluster.later(() -> collector.collect(gone));
      case FOREGROUND -> collector.collect(gone);
      case ORPHAN -> cluster.later(() -> collector.orphan(gone));
    }
    String[] steps = path.split("/");
    return answer(200, deletion.answer(gone, steps[steps.length - 2]));
  }

  /** One that a test holds stays, on a node that does not answer. */
  private MockResponse ended(RecordedRequest request, JsonNode pod) {
    cluster.later(() -> node.end(pod.at("/metadata/uid").asText()));
    return super.dispatch(request);
  }

  /** A pod is gone when its node has ended its processes, for which these get SIGTERM first. */
  private MockResponse left(RecordedRequest request, String path, JsonNode pod) {
    String uid = pod.at("/metadata/uid").asText();
    if (!node.isRunning(uid)) {
      MockResponse answer = super.dispatch(request);
      cluster.later(() -> {
        node.end(uid);
        cluster.podGone(pod);
      });
      return answer;
    }
    ObjectNode leaving = pod.deepCopy();
    leaving.withObjectProperty("metadata").putArray("finalizers").add("orrery.io/node");
    super.dispatch(plain(request, "PUT", path, leaving.toString()));
    MockResponse answer = super.dispatch(request);
    String options = text(request);
    int seconds = options.isBlank() ? 0 : Json.parse(options).path("gracePeriodSeconds").asInt();
    cluster.later(() -> node.leave(pod, path, seconds));
    return answer;
  }

  /** Answers with the log of a pod up to now; a reader that follows it asks again. */
  private MockResponse log(RecordedRequest request, String path) {
    MockResponse found = super.dispatch(plain(request, "GET", path, ""));
    return found.code() == 200
        ? new MockResponse()
            .setResponseCode(200)
            .addHeader("Content-Type", "text/plain")
            .setBody(node.log(Json.parse(body(found)).at("/metadata/uid").asText()))
        : found;
  }

  private MockResponse evicted(RecordedRequest request, String path) {
    MockResponse found = super.dispatch(plain(request, "GET", path, ""));
    if (found.code() != 200) {
      return found;
    }
    JsonNode pod = Json.parse(body(found));
    cluster.later(() -> {
      ObjectNode status =
          pod.path("status") instanceof ObjectNode given
              ? given.deepCopy()
              : Json.MAPPER.createObjectNode();
      status
          .withArrayProperty("conditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True")
          .put("reason", "EvictionByEvictionAPI")
          .put("message", "Eviction API: evicting");
      cluster.setStatus(path, status);
      cluster.delete(path);
    });
    return MockCluster.status(201, "", "");
  }

  /**
   * Applies: creates the object, or changes the fields that its manager applies. An object that is
   * not changed keeps its version.
   */
  private MockResponse applied(RecordedRequest request, boolean stored) {
    URI uri = URI.create(request.getPath());
    String path = uri.getPath();
    MockResponse found = super.dispatch(plain(request, "GET", path, ""));
    JsonNode present = found.code() == 200 ? Json.parse(body(found)) : null;
    JsonNode applied = Json.parse(text(request));
    ServerSideApply apply = new ServerSideApply(uri.getQuery(), applied, present);
    MockResponse refusal = apply.refusal();
    if (refusal != null) {
      return refusal;
    }
    ObjectNode object = apply.merged();
    if (!stored || object.equals(present)) {
      return answer(present == null ? 201 : 200, object);
    }
    return present == null
        ? super.dispatch(
            plain(request, "POST", path.substring(0, path.lastIndexOf('/')), object.toString()))
        : super.dispatch(plain(request, "PUT", path, object.toString()));
  }

  // ---- dry run -------------------------------------------------------------------------------

  private static boolean isDryRun(RecordedRequest request) {
    String query = URI.create(request.getPath()).getQuery();
    return query != null && List.of(query.split("&")).contains("dryRun=All");
  }

  /** Answers as if it were done, and stores nothing. */
  private MockResponse dryRun(RecordedRequest request, String path, String given) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    switch (request.getMethod()) {
      case "POST" -> {
        JsonNode object = Json.parse(given);
        String own = object.at("/metadata/name").asText();
        MockResponse found = super.dispatch(plain(request, "GET", path + "/" + own, ""));
        return found.code() == 200
            ? MockCluster.status(409, "AlreadyExists", name + " \"" + own + "\" already exists")
            : answer(201, object);
      }
      case "PATCH" -> {
        return applied(request, false);
      }
      default -> {
        return super.dispatch(plain(request, "GET", path, ""));
      }
    }
  }

  private static RecordedRequest plain(
      RecordedRequest request, String method, String path, String body) {
    return new RecordedRequest(
        "HTTP/1.1",
        io.fabric8.mockwebserver.dsl.HttpMethod.valueOf(method),
        path,
        Headers.builder().add("Content-Type", "application/json").build(),
        new Buffer(body.getBytes(StandardCharsets.UTF_8)));
  }

  /** Reading it otherwise would use it up. */
  static String text(RecordedRequest request) {
    return new String(request.getBody().getBytes(), StandardCharsets.UTF_8);
  }

  private static String body(MockResponse response) {
    return new String(response.getBody().getBytes(), StandardCharsets.UTF_8);
  }
}
