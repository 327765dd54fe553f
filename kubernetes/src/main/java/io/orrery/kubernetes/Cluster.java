package io.orrery.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.netty.buffer.Unpooled;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.File;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client for one namespace of one cluster. Every call blocks, and fails with a {@link Problem}
 * that says whether trying again helps. Objects are written with {@code fieldValidation=Strict}: a
 * field that the cluster does not know is an error and never vanishes.
 *
 * <p>The library reads the kubeconfig. What is written goes as the text that it is ({@link
 * ApiCalls}): the library's own way through object models costs a request more for each patch, and
 * hides the headers of a refusal. What is watched comes as the lines that the server writes.
 */
public final class Cluster implements AutoCloseable {
  private static final String MANAGER = "fieldManager=orrery";
  private static final String OURS = MANAGER + "&fieldValidation=Strict";
  private static final String JSON = "application/json";

  /** Read from the body where there is one, whatever the query says; Jobs default to Orphan. */
  private static final Buffer WITH_ALL_IT_OWNS =
      Buffer.buffer(
          "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"Background\"}");

  private static final String APPLY = "application/apply-patch+yaml";
  private static final String MERGE = "application/merge-patch+json";

  private static final ResourceType EVENT = new ResourceType("", "v1", "Event", "events");

  /** Objects that a list brings at a time, so that thousands are never in memory whole. */
  private static final int PAGE = 500;

  private final ApiCalls calls;
  private final String namespace;

  private Cluster(ApiCalls calls, String namespace) {
    this.calls = calls;
    this.namespace = namespace;
  }

  /**
   * Reads the kubeconfig; connects to nothing yet.
   *
   * @throws ProblemException Refused when it cannot be used
   */
  public static Cluster open(ClusterAddress address, Vertx vertx) {
    Config config = config(address);
    String own = Objects.requireNonNullElse(config.getNamespace(), "default");
    return new Cluster(
        ApiCalls.by(config, vertx), Objects.requireNonNullElse(address.namespace(), own));
  }

  private static Config config(ClusterAddress address) {
    String file = address.kubeconfig();
    String context = address.context();
    try {
      Config config =
          file == null
              ? Config.autoConfigure(context)
              : Config.fromKubeconfig(context, new File(file));
      boolean unknown =
          context != null
              && (config.getCurrentContext() == null
                  || !context.equals(config.getCurrentContext().getName()));
      if (unknown) {
        throw refused("context", "the kubeconfig has no context '" + context + "'");
      }
      String proxy = ownProxy(config);
      if (proxy != null) {
        config.setHttpProxy(proxy);
        config.setHttpsProxy(proxy);
      }
      return config;
    } catch (KubernetesClientException e) {
      throw refused("kubeconfig", "the kubeconfig cannot be read: " + e.getMessage());
    }
  }

  /**
   * The {@code proxy-url} of a kubeconfig's cluster, which is for all that is asked of it. The
   * library reads it as one for servers that speak as the proxy does, and would go past it.
   */
  private static @Nullable String ownProxy(Config config) {
    File file = config.getFileWithCluster();
    NamedContext context = config.getCurrentContext();
    if (file == null || context == null) {
      return null;
    }
    String name = context.getContext().getCluster();
    return KubeConfigUtils.parseConfig(file).getClusters().stream()
        .filter(cluster -> cluster.getName().equals(name))
        .map(cluster -> Objects.requireNonNullElse(cluster.getCluster().getProxyUrl(), ""))
        .filter(url -> !url.isEmpty())
        .findFirst()
        .orElse(null);
  }

  private static ProblemException refused(String key, String message) {
    return new Problem.Refused(new Finding("/trainingService/" + key, message)).toException();
  }

  public String namespace() {
    return namespace;
  }

  /** The requests to its API server, for what this class does not do. */
  public ApiCalls calls() {
    return calls;
  }

  /** The URL of the API server, without a trailing slash. */
  public String server() {
    return calls.server();
  }

  // ---- one object ----------------------------------------------------------------------------

  /**
   * Creates an object; finds it when it is there already.
   *
   * @return its {@code metadata}
   */
  public JsonNode create(ResourceType type, ObjectNode object) {
    String name = name(object);
    String wanted = "create the " + type.kind() + " " + name;
    ApiAnswer answer = calls.send(wanted, "POST", path(type) + "?" + OURS, JSON, text(object));
    if (answer.isSuccess()) {
      return answer.metadata();
    }
    JsonNode present = isTaken(answer) ? find(type, name) : null;
    if (present == null) {
      throw answer.failure().exception(wanted);
    }
    return present.path("metadata");
  }

  /**
   * Creates an object.
   *
   * @return false when one has its name, which stays as it is
   */
  public boolean createNew(ResourceType type, ObjectNode object) {
    String wanted = "create the " + type.kind() + " " + name(object);
    ApiAnswer answer = calls.send(wanted, "POST", path(type) + "?" + OURS, JSON, text(object));
    if (isTaken(answer)) {
      return false;
    }
    answer.check(wanted);
    return true;
  }

  /** A conflict of versions has another reason; a stand-in for a server may have yet another. */
  private static boolean isTaken(ApiAnswer answer) {
    return answer.code() == 409 && !answer.failure().reason().equals("Conflict");
  }

  /** Makes an object what is given, whether it is there or not (server-side apply). */
  public void apply(ResourceType type, ObjectNode object) {
    apply(type, object, OURS);
  }

  /**
   * Adds what is given to an object, or makes it where it is not there; what others have added
   * stays.
   *
   * @param part what is added is called, so that to add it again changes nothing
   */
  public void add(ResourceType type, ObjectNode object, String part) {
    apply(type, object, OURS.replace(MANAGER, MANAGER + "-" + part));
  }

  private void apply(ResourceType type, ObjectNode object, String manner) {
    String name = name(object);
    String wanted = "apply the " + type.kind() + " " + name;
    calls
        .send(wanted, "PATCH", path(type, name) + "?" + manner + "&force=true", APPLY, text(object))
        .check(wanted);
  }

  /** Lets an object die with a job. */
  public void own(ResourceType type, String name, ResourceType ownerType, JsonNode owner) {
    ObjectNode patch = Json.MAPPER.createObjectNode();
    patch
        .putObject("metadata")
        .putArray("ownerReferences")
        .add(OwnerReference.of(ownerType, owner));
    String wanted = "give the " + type.kind() + " " + name + " its owner";
    calls.send(wanted, "PATCH", path(type, name) + "?" + OURS, MERGE, text(patch)).check(wanted);
  }

  /** Deletes an object and, in the background, what it owns; nothing when it is not there. */
  public void delete(ResourceType type, String name) {
    String wanted = "delete the " + type.kind() + " " + name;
    ApiAnswer answer = calls.send(wanted, "DELETE", path(type, name), JSON, WITH_ALL_IT_OWNS);
    if (answer.code() != 404) {
      answer.check(wanted);
    }
  }

  /** Reads the object of a name; null when there is none. */
  public @Nullable JsonNode find(ResourceType type, String name) {
    String wanted = "read the " + type.kind() + " " + name;
    ApiAnswer answer = calls.send(wanted, "GET", path(type, name), null, Buffer.buffer());
    return answer.code() == 404 ? null : answer.orThrow(wanted);
  }

  // ---- many ----------------------------------------------------------------------------------

  /** All objects with these labels. */
  public JsonNode list(ResourceType type, Map<String, String> labels) {
    String wanted = "list " + type.plural();
    return calls
        .send(wanted, "GET", path(type) + "?" + selector(labels), null, Buffer.buffer())
        .orThrow(wanted)
        .path("items");
  }

  /** Deletes all objects with these labels and what they own, one by one: some may not as a set. */
  public void deleteAll(ResourceType type, Map<String, String> labels) {
    for (JsonNode object : list(type, labels)) {
      delete(type, object.at("/metadata/name").asText());
    }
  }

  /** The newest warning that a controller gave about an object; null when there is none. */
  public @Nullable String warning(String name) {
    String wanted = "read the events of " + name;
    String fields = Percent.encoded("involvedObject.name=" + name + ",type=Warning");
    JsonNode events =
        calls
            .send(wanted, "GET", path(EVENT) + "?fieldSelector=" + fields, null, Buffer.buffer())
            .orThrow(wanted)
            .path("items");
    return events
        .valueStream()
        .filter(event -> event.at("/involvedObject/name").asText().equals(name))
        .max(Comparator.comparing(event -> event.path("lastTimestamp").asText()))
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .orElse(null);
  }

  /** All objects of a type with these labels, to be listed and watched. */
  public Selection select(ResourceType type, Map<String, String> labels) {
    return new Selection(type, labels);
  }

  /** A selection of objects of this cluster by labels. */
  final class Selection {
    private final String what;
    private final String query;

    private Selection(ResourceType type, Map<String, String> labels) {
      this.what = type.plural();
      this.query = path(type) + "?" + selector(labels);
    }

    /** The plural of their type. */
    String what() {
      return what;
    }

    /**
     * Lists them, page by page.
     *
     * @return the version from which to follow
     */
    public String list(Consumer<WatchedObject> object) {
      Listing page = page("");
      for (; !page.more().isEmpty(); page = page(page.more())) {
        page.objects().forEach(object);
      }
      page.objects().forEach(object);
      return page.version();
    }

    private Listing page(String from) {
      String wanted = "list " + what;
      String rest = from.isEmpty() ? "" : "&continue=" + Percent.encoded(from);
      ApiAnswer answer =
          calls.send(wanted, "GET", query + "&limit=" + PAGE + rest, null, Buffer.buffer());
      answer.check(wanted);
      return Listing.of(answer.skim());
    }

    /**
     * Tells every change of them after a version, as the lines that the server writes, on a thread
     * of the client's. Blocks until the stream ends.
     *
     * @param opened told when nothing is missed any more
     * @throws RefusedException when the server does not, or not any longer, tell
     * @throws ProblemException when it cannot be reached, or not any longer
     */
    void follow(String version, Runnable opened, Consumer<JsonScanner> lines)
        throws InterruptedException {
      String wanted = "watch " + what;
      String from =
          "&watch=true&allowWatchBookmarks=true&resourceVersion=" + Percent.encoded(version);
      calls.lines(wanted, query + from, opened, lines);
    }
  }

  // ---- the server itself ---------------------------------------------------------------------

  /** An object that only asks: the answer is its own, and nothing is stored. */
  JsonNode review(String path, ObjectNode question) {
    return calls.send("ask", "POST", path, JSON, text(question)).orThrow("ask " + path);
  }

  /** Something that every client may read; null when the server has nothing there. */
  public @Nullable JsonNode read(String path) {
    String wanted = "read " + path;
    ApiAnswer answer = calls.send(wanted, "GET", path, null, Buffer.buffer());
    return answer.code() == 404 ? null : answer.orThrow(wanted);
  }

  /**
   * The versions in which the cluster serves a type of object, its favourite first; empty when it
   * does not know it. A group may have other types in other versions.
   */
  public List<String> versions(ResourceType type) {
    JsonNode group = read("/apis/" + type.group());
    if (group == null) {
      return List.of();
    }
    return group
        .path("versions")
        .valueStream()
        .map(version -> version.path("version").asText())
        .filter(version -> serves(type.in(version)))
        .toList();
  }

  private boolean serves(ResourceType type) {
    JsonNode list = read("/apis/" + type.apiVersion());
    return list != null
        && list.path("resources")
            .valueStream()
            .anyMatch(resource -> resource.path("name").asText().equals(type.plural()));
  }

  // ---- where things are ---------------------------------------------------------------------

  private String path(ResourceType type) {
    String root = type.group().isEmpty() ? "/api/" : "/apis/" + type.group() + "/";
    return root + type.version() + "/namespaces/" + namespace + "/" + type.plural();
  }

  public String path(ResourceType type, String name) {
    return path(type) + "/" + Percent.encoded(name);
  }

  private static String name(ObjectNode object) {
    return object.at("/metadata/name").asText();
  }

  private static Buffer text(ObjectNode object) {
    try {
      byte[] text = Json.MAPPER.writeValueAsBytes(object);
      return BufferInternal.buffer(Unpooled.wrappedBuffer(text));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree that is no JSON", e);
    }
  }

  public static String selector(Map<String, String> labels) {
    return "labelSelector="
        + Percent.encoded(
            labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .collect(Collectors.joining(",")));
  }

  @Override
  public void close() {
    calls.close();
  }
}
