package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of one namespace: the mock API server ({@link MockApi}), and what moves things in a
 * real one. {@link Controllers} make pods of jobs and statuses of pods, a {@link Node} runs each
 * pod's command as a process of this machine, a {@link Collector} ends what a deleted job owned,
 * and {@link EndpointSlices} follow the pods of services.
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
  private final MockAnswers answers = new MockAnswers();
  private final AtomicInteger pods = new AtomicInteger();
  private final Admission admission = new Admission();
  private final Controllers controllers = new Controllers(this);
  private final EndpointSlices slices = new EndpointSlices(this);
  private final Node node;
  private final BarePods barePods;

  /** Whether pods run; if not, the test moves them. */
  private final boolean runs;

  public MockCluster(Path directory, boolean runs) throws IOException {
    this.runs = runs;
    this.node = new Node(this, Files.createDirectories(directory));
    this.barePods = new BarePods(this, runs ? node : null);
    this.server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new MockApi(this, answers, new Collector(this), node),
            false);
    server.init();
    this.door = new LineDoor(server.getPort(), node);
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
    answers.serve(new ResourceType(group, version, kind, plural));
  }

  /**
   * Refuses what the definitions of custom kinds do not allow, as a real server does.
   *
   * @param folder with a file {@code <group>_<plural>.yaml} for each kind
   */
  public void define(Path folder) {
    answers.define(folder);
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
    answers.allow(role);
  }

  /** {@code METHOD path} of all that was asked, in order. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** The next requests for which the answer is not null get it. */
  public void fault(String name, Function<RecordedRequest, @Nullable MockResponse> fault) {
    faults.put(name, fault);
  }

  public void repair(String name) {
    faults.remove(name);
  }

  /** From now on only who brings this token is known; null for all callers. */
  public void accept(@Nullable String token) {
    admission.accept(token);
  }

  /** Begins to delete the namespace: all that is in it goes, and nothing new is taken. */
  public void terminateNamespace() {
    admission.namespace(Admission.Namespace.TERMINATING);
    for (ResourceType type : answers.served()) {
      String path = path(type.apiVersion(), "trials", type.plural());
      list(path).forEach(each -> delete(path + "/" + each.at("/metadata/name").asText()));
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
    return MockApi.answer(code, status);
  }

  /** Plays a crash of the node that a job's pods run on. */
  public void lose(String job) {
    node.lose(job);
  }

  /** Ends the processes of a job's pods politely, as an eviction does. */
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
    call("DELETE", path + "?propagationPolicy=Background", null, null);
  }

  /** Replaces an object's status; the mock's merge patches would lengthen the lists in it. */
  public void setStatus(String path, JsonNode status) {
    ArrayNode patch = Json.MAPPER.createArrayNode();
    patch.addObject().put("op", "add").put("path", "/status").set("value", status);
    call("PATCH", path + "/status", "application/json-patch+json", patch.toString());
  }

  /** Keeps an object when it is deleted, as a pod stays on a node that does not answer. */
  void hold(String path) {
    String held = "{'op': 'add', 'path': '/metadata/finalizers', 'value': ['orrery.io/held']}";
    call("PATCH", path, "application/json-patch+json", "[" + held.replace('\'', '"') + "]");
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

  void patch(String path, ArrayNode operations) {
    call("PATCH", path, "application/json-patch+json", operations.toString());
  }

  // ---- what its API tells --------------------------------------------------------------------

  /** Records a client's request; the refusal that a test wants for it, or null. */
  @Nullable MockResponse refusal(RecordedRequest request) {
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
    return null;
  }

  /** A client has created an object. */
  void created(String path) {
    later(() -> controllers.created(get(path)));
  }

  /** Something was created, changed or deleted. */
  void changed(String path) {
    slices.changed(path);
  }

  /** A pod on which no process ran is deleted. */
  void podGone(JsonNode pod) {
    if (runs) {
      podChanged(node.owner(pod));
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

  /** The pods that clients make themselves. */
  public BarePods barePods() {
    return barePods;
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

  static String pathOf(JsonNode object, String plural) {
    return path("v1", object.at("/metadata/namespace").asText(), plural)
        + "/"
        + object.at("/metadata/name").asText();
  }

  static String now() {
    return Instant.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
  }
}
