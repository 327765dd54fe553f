package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of one namespace: the mock API server, and what moves things in a real one. {@link
 * Controllers} make pods of jobs and statuses of pods, a {@link Node} runs each pod's command as a
 * process of this machine, and a collector ends what a deleted job owned. What the mock cannot do
 * (server-side apply of something new, refusing unknown versions, watches as lines) is put right in
 * front of it.
 */
public final class MockCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MockCluster.class);

  private final KubernetesMockServer server;
  private final LineDoor door;

  /** Over HTTP/2 it would refuse the hundred-and-first request at once. */
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Function<RecordedRequest, @Nullable MockResponse>> faults =
      new ConcurrentHashMap<>();
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private final List<Resource> served = new CopyOnWriteArrayList<>();
  private final Set<String> collected = ConcurrentHashMap.newKeySet();
  private final AtomicInteger pods = new AtomicInteger();
  private final Admission admission = new Admission();
  private final Controllers controllers = new Controllers(this);
  private final Node node;

  private volatile @Nullable Path definitions;
  private volatile @Nullable Rules rules;

  /** Whether pods run; if not, the test moves them. */
  private final boolean runs;

  public MockCluster(Path directory, boolean runs) throws IOException {
    this.runs = runs;
    this.node = new Node(this, Files.createDirectories(directory));
    this.server =
        new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new Front(), false);
    server.init();
    this.door = new LineDoor(server.getPort());
    serve("batch", "v1", "Job", "jobs");
  }

  /** A kubeconfig that leads here, as a file. */
  public Path kubeconfig(Path file) throws IOException {
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: mock
        clusters: [{name: mock, cluster: {server: "%s"}}]
        users: [{name: me, user: {token: nothing}}]
        contexts:
          - {name: mock, context: {cluster: mock, user: me, namespace: trials}}
          - {name: other, context: {cluster: mock, user: me, namespace: elsewhere}}
        """
            .formatted(url()));
  }

  public String url() {
    return door.url();
  }

  /** Serves a type of object, as if its definition had been installed. */
  public void serve(String group, String version, String kind, String plural) {
    served.add(new Resource(group, version, kind, plural));
  }

  /**
   * Refuses what the definitions of custom kinds do not allow, as a real server does.
   *
   * @param folder with a file {@code <group>_<plural>.yaml} for each kind
   */
  public void define(Path folder) {
    definitions = folder;
  }

  /**
   * Refuses what the roles of a manifest do not allow, to all but the controllers.
   *
   * @param manifest several documents of YAML
   */
  public void allow(Path manifest) throws IOException {
    allow(Rules.of(manifest));
  }

  /** Refuses what these rules do not allow, to all but the controllers. */
  void allow(Rules role) {
    rules = role;
  }

  /** {@code METHOD path} of all that was asked, in order. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** The next requests for which the answer is not null get it. */
  public void fault(String name, Function<RecordedRequest, @Nullable MockResponse> fault) {
    faults.put(name, fault);
  }

  public void mend(String name) {
    faults.remove(name);
  }

  /** From now on only who brings this token is known; null for everybody. */
  public void accept(@Nullable String token) {
    admission.accept(token);
  }

  /** Begins to delete the namespace: all that is in it goes, and nothing new is taken. */
  public void terminateNamespace() {
    admission.namespace(Admission.Namespace.TERMINATING);
    for (Resource type : served) {
      String path = path(type.apiVersion(), "trials", type.plural());
      list(path).forEach(each -> background(path + "/" + each.at("/metadata/name").asText()));
    }
    for (String plural : List.of("pods", "secrets")) {
      String path = path("v1", "trials", plural);
      list(path).forEach(each -> delete(path + "/" + each.at("/metadata/name").asText()));
    }
  }

  /** The namespace is gone. */
  public void removeNamespace() {
    admission.namespace(Admission.Namespace.GONE);
  }

  /** The namespace is there again, empty. */
  public void createNamespace() {
    admission.namespace(Admission.Namespace.ACTIVE);
  }

  /** Ends all watches, as a server that restarts does. */
  public void breakWatches() {
    door.breakWatches();
  }

  /** Drains what a pod's node runs of it, as {@code kubectl drain} asks for. */
  public void evict(String pod) {
    call("POST", pod + "/eviction", "application/json", "{\"kind\":\"Eviction\"}");
  }

  /** A refusal as an API server words it. */
  public static MockResponse status(int code, String reason, String message) {
    ObjectNode status = Json.MAPPER.createObjectNode();
    status
        .put("kind", "Status")
        .put("apiVersion", "v1")
        .put("status", "Failure")
        .put("code", code)
        .put("reason", reason)
        .put("message", message);
    return new MockResponse()
        .setResponseCode(code)
        .addHeader("Content-Type", "application/json")
        .setBody(status.toString());
  }

  /** Plays a crash of the node that a job's pods run on. */
  public void lose(String job) {
    node.lose(job);
  }

  /** Ends the processes of a job's pods politely, as whoever moves them does. */
  public void terminate(String job) {
    node.terminate(job);
  }

  /** Whether any process of a job's pods lives. */
  public boolean runs(String job) throws IOException {
    return node.runs(job);
  }

  // ---- what controllers use ------------------------------------------------------------------

  static String path(String apiVersion, String namespace, String plural) {
    String root = apiVersion.contains("/") ? "/apis/" : "/api/";
    return root + apiVersion + "/namespaces/" + namespace + "/" + plural;
  }

  public JsonNode get(String path) {
    return call("GET", path, null, null);
  }

  public List<JsonNode> list(String path) {
    return get(path).path("items").valueStream().toList();
  }

  public JsonNode create(String path, ObjectNode object) {
    return call("POST", path, "application/json", object.toString());
  }

  /** Deletes an object with what it owns, as {@code kubectl delete} does. */
  public void delete(String path) {
    background(path);
  }

  private void background(String path) {
    call("DELETE", path + "?propagationPolicy=Background", null, null);
  }

  /** Replaces an object's status; the mock's merge patches would lengthen the lists in it. */
  public void setStatus(String path, JsonNode status) {
    ArrayNode patch = Json.MAPPER.createArrayNode();
    patch.addObject().put("op", "add").put("path", "/status").set("value", status);
    call("PATCH", path + "/status", "application/json-patch+json", patch.toString());
  }

  /** What is deleted of it from now on stays, as a pod does on a node that does not answer. */
  void hold(String path) {
    ArrayNode patch = Json.MAPPER.createArrayNode();
    patch
        .addObject()
        .put("op", "add")
        .put("path", "/metadata/finalizers")
        .putArray("value")
        .add("orrery.io/held");
    call("PATCH", path, "application/json-patch+json", patch.toString());
  }

  private JsonNode call(String method, String path, @Nullable String type, @Nullable String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.getPort() + path))
            .header("X-Controller", "yes")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (type != null) {
      request.header("Content-Type", type);
    }
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      return response.statusCode() < 300
          ? Json.parse(response.body().isBlank() ? "{}" : response.body())
          : Json.MAPPER.createObjectNode();
    } catch (IOException e) {
      return Json.MAPPER.createObjectNode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Json.MAPPER.createObjectNode();
    }
  }

  void later(Runnable work) {
    if (!threads.isShutdown()) {
      threads.execute(work);
    }
  }

  /**
   * Makes a pod of a template; a node runs it.
   *
   * @param environment what the operator adds
   */
  void pod(JsonNode owner, String name, JsonNode template, Map<String, String> environment) {
    String namespace = owner.at("/metadata/namespace").asText();
    ObjectNode pod = template.deepCopy();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.withObjectProperty("metadata");
    metadata.put("name", name).put("namespace", namespace);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", owner.path("apiVersion").asText())
        .put("kind", owner.path("kind").asText())
        .put("name", owner.at("/metadata/name").asText())
        .put("uid", owner.at("/metadata/uid").asText())
        .put("controller", true);
    if (pod.at("/spec/containers/0") instanceof ObjectNode container) {
      ArrayNode env =
          container.path("env") instanceof ArrayNode given ? given : container.putArray("env");
      environment.forEach((key, value) -> env.addObject().put("name", key).put("value", value));
    }
    pods.incrementAndGet();
    JsonNode made = create(path("v1", namespace, "pods"), pod);
    if (runs) {
      node.run(owner, made);
    }
  }

  /** Deletes a pod, and what runs in it. */
  void remove(JsonNode pod) {
    delete(pathOf(pod, "pods"));
  }

  /** A pod whose processes have ended goes. */
  void release(String pod) {
    ArrayNode patch = Json.MAPPER.createArrayNode();
    patch.addObject().put("op", "remove").put("path", "/metadata/finalizers");
    call("PATCH", pod, "application/json-patch+json", patch.toString());
    delete(pod);
  }

  void podChangedNow(JsonNode owner) {
    controllers.podChanged(owner);
  }

  void podChanged(JsonNode owner) {
    later(() -> controllers.podChanged(owner));
  }

  @Override
  public void close() {
    node.close();
    threads.shutdownNow();
    http.close();
    door.close();
    try {
      server.destroy();
    } catch (IllegalStateException slow) {
      // It waits ten seconds for its own threads, whatever they wait for.
      LOG.warn("could not stop the mock API server in time", slow);
    }
  }

  /** Sees each request before the mock does. */
  private final class Front extends KubernetesCrudDispatcher {
    @Override
    public MockResponse dispatch(RecordedRequest request) {
      boolean ours = request.getHeader("X-Controller") == null;
      String given = text(request);
      if (ours) {
        requests.add(request.getMethod() + " " + request.getPath());
        MockResponse refusal = admission.refusal(request);
        if (refusal != null) {
          return refusal;
        }
        for (Function<RecordedRequest, @Nullable MockResponse> fault : faults.values()) {
          MockResponse answer = fault.apply(request);
          if (answer != null) {
            return answer;
          }
        }
      }
      MockResponse forbidden = ours ? forbidden(request) : null;
      if (forbidden != null) {
        return forbidden;
      }
      String path = URI.create(request.getPath()).getPath();
      if (path.endsWith("/eviction")) {
        return evicted(request, path.substring(0, path.lastIndexOf('/')));
      }
      MockResponse answered = answered(request, given);
      if (answered != null) {
        return answered;
      }
      MockResponse discovered = discovery(URI.create(request.getPath()).getPath());
      if (discovered != null) {
        return discovered;
      }
      MockResponse refused = request.getMethod().equals("POST") ? refused(request) : null;
      if (refused != null) {
        return refused;
      }
      MockResponse answer = handled(request);
      if (ours && request.getMethod().equals("POST") && answer.code() < 300) {
        JsonNode created = Json.parse(given);
        later(() -> controllers.created(get(path + "/" + created.at("/metadata/name").asText())));
      }
      return answer;
    }

    /** By the verbs of a request: what is applied may be made by that. */
    private @Nullable MockResponse forbidden(RecordedRequest request) {
      Rules role = rules;
      URI uri = URI.create(request.getPath());
      String[] steps = uri.getPath().substring(1).split("/");
      int at = steps[0].equals("api") ? 2 : 3;
      if (role == null || steps.length < at + 2 || !steps[at].equals("namespaces")) {
        return null;
      }
      String group = steps[0].equals("api") ? "" : steps[1];
      boolean own = steps.length == at + 2;
      String plural = own ? "namespaces" : steps[at + 2];
      boolean one = own || steps.length > at + 3;
      String type = String.valueOf(request.getHeader("Content-Type"));
      List<String> verbs =
          switch (request.getMethod()) {
            case "GET" ->
                List.of(
                    one
                        ? "get"
                        : String.valueOf(uri.getQuery()).contains("watch=true") ? "watch" : "list");
            case "POST" -> List.of("create");
            case "PATCH" ->
                type.contains("apply-patch") ? List.of("patch", "create") : List.of("patch");
            case "DELETE" -> List.of(one ? "delete" : "deletecollection");
            default -> List.of("update");
          };
      return verbs.stream().allMatch(verb -> role.allow(verb, group, plural))
          ? null
          : status(403, "Forbidden", plural + " is forbidden: User cannot " + verbs);
    }

    /** What the mock knows nothing of. */
    private @Nullable MockResponse answered(RecordedRequest request, String given) {
      String path = URI.create(request.getPath()).getPath();
      ObjectNode answer = Json.MAPPER.createObjectNode();
      if (path.equals("/version")) {
        answer.put("gitVersion", "v1.36.2");
      } else if (path.equals("/api/v1/namespaces/trials")) {
        answer.putObject("metadata").put("name", "trials");
      } else if (path.endsWith("/selfsubjectaccessreviews")) {
        JsonNode asked = Json.parse(given).at("/spec/resourceAttributes");
        Rules role = rules;
        answer
            .putObject("status")
            .put(
                "allowed",
                role == null
                    || role.allow(
                        asked.path("verb").asText(),
                        asked.path("group").asText(),
                        asked.path("resource").asText()));
      } else {
        return null;
      }
      return answer(200, answer);
    }

    private static MockResponse answer(int code, JsonNode body) {
      return new MockResponse()
          .setResponseCode(code)
          .addHeader("Content-Type", "application/json")
          .setBody(body.toString());
    }

    private @Nullable MockResponse refused(RecordedRequest request) {
      Path folder = definitions;
      String[] steps = URI.create(request.getPath()).getPath().split("/");
      if (folder == null || steps.length != 7 || !steps[1].equals("apis")) {
        return null;
      }
      Path definition = folder.resolve(steps[2] + "_" + steps[6] + ".yaml");
      try {
        List<String> faults =
            Files.exists(definition)
                ? Definitions.faults(definition, Json.parse(text(request)))
                : List.of();
        return faults.isEmpty()
            ? null
            : status(400, "BadRequest", "strict decoding error: " + String.join(", ", faults));
      } catch (IOException e) {
        return status(500, "InternalError", e.toString());
      }
    }

    private @Nullable MockResponse discovery(String path) {
      String[] steps = path.substring(1).split("/");
      if (!steps[0].equals("apis") || steps.length < 2 || steps.length > 3) {
        return null;
      }
      ObjectNode answer = Json.MAPPER.createObjectNode();
      boolean any = false;
      for (Resource type : served) {
        boolean asked =
            type.group().equals(steps[1]) && (steps.length == 2 || type.version().equals(steps[2]));
        any |= asked;
        if (asked && steps.length == 2) {
          answer.withArrayProperty("versions").addObject().put("version", type.version());
        } else if (asked) {
          answer.withArrayProperty("resources").addObject().put("name", type.plural());
        }
      }
      return any
          ? answer(200, answer)
          : new MockResponse().setResponseCode(404).setBody("404 page not found");
    }

    private MockResponse handled(RecordedRequest request) {
      String type = request.getHeader("Content-Type");
      if (request.getMethod().equals("PATCH") && type != null && type.contains("apply-patch")) {
        return applied(request);
      }
      if (request.getMethod().equals("DELETE")) {
        return deleted(request);
      }
      return super.dispatch(request);
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
        case BACKGROUND -> later(() -> collect(gone));
        case FOREGROUND -> collect(gone);
        case ORPHAN -> later(() -> orphan(gone));
      }
      String[] steps = path.split("/");
      return answer(200, deletion.answer(gone, steps[steps.length - 2]));
    }

    /** One that a test holds stays, on a node that does not answer. */
    private MockResponse ended(RecordedRequest request, JsonNode pod) {
      later(() -> node.end(pod.at("/metadata/uid").asText()));
      return super.dispatch(request);
    }

    /** A pod is gone when its node has ended its processes, for which these get SIGTERM first. */
    private MockResponse left(RecordedRequest request, String path, JsonNode pod) {
      String uid = pod.at("/metadata/uid").asText();
      if (!node.isRunning(uid)) {
        MockResponse answer = super.dispatch(request);
        later(() -> {
          node.end(uid);
          if (runs) {
            podChanged(node.owner(pod));
          }
        });
        return answer;
      }
      ObjectNode leaving = pod.deepCopy();
      leaving.withObjectProperty("metadata").putArray("finalizers").add("orrery.io/node");
      super.dispatch(plain(request, "PUT", path, leaving.toString()));
      MockResponse answer = super.dispatch(request);
      later(() -> node.leave(pod, path));
      return answer;
    }

    private MockResponse evicted(RecordedRequest request, String path) {
      MockResponse found = super.dispatch(plain(request, "GET", path, ""));
      if (found.code() != 200) {
        return found;
      }
      JsonNode pod = Json.parse(body(found));
      later(() -> {
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
        setStatus(path, status);
        delete(path);
      });
      return status(201, "", "");
    }

    /**
     * A new object is made, and one that is there gets more entries and owners: nobody here changes
     * what it applies.
     */
    private MockResponse applied(RecordedRequest request) {
      String path = URI.create(request.getPath()).getPath();
      JsonNode applied = Json.parse(text(request));
      MockResponse found = super.dispatch(plain(request, "GET", path, ""));
      JsonNode present = found.code() == 200 ? Json.parse(body(found)) : null;
      MockResponse refusal =
          ServerSideApply.refusal(URI.create(request.getPath()).getQuery(), applied, present);
      if (refusal != null) {
        return refusal;
      }
      if (present != null) {
        ObjectNode object = ServerSideApply.merged(present, applied);
        return object.equals(present)
            ? found
            : super.dispatch(plain(request, "PUT", path, object.toString()));
      }
      String collection = path.substring(0, path.lastIndexOf('/'));
      return super.dispatch(plain(request, "POST", collection, text(request)));
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
    private static String text(RecordedRequest request) {
      return new String(request.getBody().getBytes(), StandardCharsets.UTF_8);
    }

    private static String body(MockResponse response) {
      return new String(response.getBody().getBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What only deleted objects owned goes too. */
  private void collect(JsonNode gone) {
    collected.add(gone.at("/metadata/uid").asText());
    owned(gone)
        .forEach((path, object) -> {
          if (collected.containsAll(owners(object))) {
            delete(path);
          }
        });
  }

  /** What an object owned stays, and is not its any more. */
  private void orphan(JsonNode gone) {
    String uid = gone.at("/metadata/uid").asText();
    owned(gone)
        .forEach((path, object) -> {
          ArrayNode others = Json.MAPPER.createArrayNode();
          object
              .at("/metadata/ownerReferences")
              .valueStream()
              .filter(owner -> !owner.path("uid").asText().equals(uid))
              .forEach(others::add);
          ArrayNode patch = Json.MAPPER.createArrayNode();
          patch
              .addObject()
              .put("op", "replace")
              .put("path", "/metadata/ownerReferences")
              .set("value", others);
          call("PATCH", path, "application/json-patch+json", patch.toString());
        });
  }

  /** By path. */
  private Map<String, JsonNode> owned(JsonNode owner) {
    String namespace = owner.at("/metadata/namespace").asText();
    String uid = owner.at("/metadata/uid").asText();
    Map<String, JsonNode> owned = new LinkedHashMap<>();
    for (String plural : List.of("pods", "secrets", "configmaps", "persistentvolumeclaims")) {
      for (JsonNode object : list(path("v1", namespace, plural))) {
        if (owners(object).contains(uid)) {
          owned.put(pathOf(object, plural), object);
        }
      }
    }
    return owned;
  }

  private static List<String> owners(JsonNode object) {
    return object
        .at("/metadata/ownerReferences")
        .valueStream()
        .map(owner -> owner.path("uid").asText())
        .toList();
  }

  private static String pathOf(JsonNode object, String plural) {
    return path("v1", object.at("/metadata/namespace").asText(), plural)
        + "/"
        + object.at("/metadata/name").asText();
  }

  static String now() {
    return Instant.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
  }
}
