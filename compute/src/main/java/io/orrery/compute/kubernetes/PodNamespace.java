package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.TerminalSize;
import io.orrery.kubernetes.AccessReview;
import io.orrery.kubernetes.ApiAnswer;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.kubernetes.ClusterException;
import io.orrery.kubernetes.Metadata;
import io.orrery.kubernetes.PodExec;
import io.orrery.kubernetes.RefusedException;
import io.orrery.kubernetes.ResourceType;
import io.orrery.kubernetes.Watch;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods and Secrets of one owner in a namespace. The pods are watched from the first question
 * on. Methods block, and fail with a {@link ClusterException}. Thread safe.
 */
public final class PodNamespace implements AutoCloseable {
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final ClusterAddress address;
  private final Vertx vertx;
  private final Clock clock;
  private final Map<String, String> labels;
  private final Consumer<String> changed;
  private @Nullable Cluster cluster;
  private volatile @Nullable Watch<PodSight> watch;
  private @Nullable ProblemException failure;
  private Instant notBefore = Instant.EPOCH;
  private boolean closed;

  /**
   * A namespace; connects to nothing yet.
   *
   * @param labels of all objects of the owner
   * @param changed told the name of a pod that has changed, from any thread; must not block
   */
  public PodNamespace(
      ClusterAddress address,
      Vertx vertx,
      Clock clock,
      Map<String, String> labels,
      Consumer<String> changed) {
    this.address = address;
    this.vertx = vertx;
    this.clock = clock;
    this.labels = Map.copyOf(labels);
    this.changed = changed;
  }

  /**
   * The labels by which the objects of this server and people with {@code kubectl -l} find them.
   */
  public static Map<String, String> labels(String server) {
    return Map.of(Labels.MANAGED_BY, Labels.US, "orrery.io/server", server);
  }

  private synchronized Cluster cluster() {
    Cluster present = cluster;
    if (present == null) {
      present = Cluster.open(address, vertx);
      cluster = present;
    }
    return present;
  }

  /** Watches the pods; a failure is repeated for a while, so that many questions are one. */
  private Watch<PodSight> watch() {
    Watch<PodSight> present = watch;
    return present == null ? beginWatch() : present;
  }

  private synchronized Watch<PodSight> beginWatch() {
    Watch<PodSight> present = watch;
    if (present != null) {
      return present;
    }
    ProblemException before = failure;
    if (before != null && clock.now().isBefore(notBefore)) {
      throw new ProblemException(before.problem(), before.getCause());
    }
    try {
      if (closed) {
        throw new IllegalStateException("the runtime is closed");
      }
      present =
          Watch.begin(
              cluster().select(ResourceType.POD, labels), Metadata::name, PodSight::of, changed);
      watch = present;
      return present;
    } catch (ProblemException e) {
      failure = e;
      notBefore = clock.now().plus(AGAIN);
      throw e;
    }
  }

  private static <T extends @Nullable Object> T ask(Callable<T> question) throws IOException {
    try {
      return question.call();
    } catch (ProblemException e) {
      throw new ClusterException(e);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** The URL of the API server. */
  public String server() throws IOException {
    return ask(() -> cluster().server());
  }

  /** Makes sure that the pods are watched. */
  public void open() throws IOException {
    ask(this::watch);
  }

  /** A pod as the watch has told of it; null when it has not. */
  public @Nullable PodSight seen(String pod) throws IOException {
    return ask(() -> watch().of(pod).get(pod));
  }

  /** A pod as it is now; null when there is none. */
  public @Nullable PodSight find(String pod) throws IOException {
    return ask(() -> {
      var found = cluster().find(ResourceType.POD, pod);
      return found == null ? null : PodSight.of(found);
    });
  }

  /** All pods of the owner as they are now. */
  public List<PodSight> pods() throws IOException {
    return ask(
        () -> cluster().list(ResourceType.POD, labels).valueStream().map(PodSight::of).toList());
  }

  /** Creates a pod, unless one has its name. */
  public void create(ObjectNode pod) throws IOException {
    ask(() -> cluster().createNew(ResourceType.POD, pod));
  }

  /** Deletes a pod; nothing happens when there is none. */
  public void delete(String pod, Duration grace) throws IOException {
    ask(() -> {
      Cluster present = cluster();
      ObjectNode options = Json.MAPPER.createObjectNode();
      options.put("apiVersion", "v1").put("kind", "DeleteOptions");
      // Zero would take it from the list while its processes run.
      options.put("gracePeriodSeconds", Math.max(1, Math.ceilDiv(grace.toMillis(), 1_000)));
      ApiAnswer answer =
          present
              .calls()
              .send(
                  "delete the Pod " + pod,
                  "DELETE",
                  present.path(ResourceType.POD, pod),
                  "application/json",
                  Buffer.buffer(options.toString()));
      if (answer.code() != 404) {
        answer.check("delete the Pod " + pod);
      }
      return null;
    });
  }

  /** Makes an object what is given; fields that others own and that are not given stay. */
  public void apply(ResourceType type, ObjectNode object) throws IOException {
    ask(() -> {
      cluster().apply(type, object);
      return null;
    });
  }

  /** An object as it is now; null when there is none. */
  public @Nullable JsonNode find(ResourceType type, String name) throws IOException {
    return ask(() -> cluster().find(type, name));
  }

  /** All objects of a type that are the owner's. */
  public List<JsonNode> list(ResourceType type) throws IOException {
    return ask(() -> cluster().list(type, labels).valueStream().toList());
  }

  /** Deletes an object; nothing happens when there is none. */
  public void delete(ResourceType type, String name) throws IOException {
    ask(() -> {
      cluster().delete(type, name);
      return null;
    });
  }

  /** The names of all Secrets of the owner. */
  public List<String> secrets() throws IOException {
    return list(ResourceType.SECRET).stream()
        .map(secret -> secret.at("/metadata/name").asText())
        .toList();
  }

  /** The newest warning about a pod, such as a mount that fails; null when there is none. */
  public @Nullable String warning(String pod) throws IOException {
    return ask(() -> cluster().warning(pod));
  }

  /**
   * The use of the pods of the owner, by the name of the pod: cores, bytes of memory, and GPUs
   * where an adapter tells them. A metrics server has new numbers every 15 seconds or so.
   */
  public Map<String, Readings> used() throws IOException {
    return ask(() -> PodUsage.read(cluster(), labels));
  }

  /**
   * Tells what the container of a pod has written, from its begin; nothing when there is no log.
   *
   * @param follow whether to wait for more until it ends
   * @param block may block; what it throws ends the reading
   */
  public void log(String pod, boolean follow, Consumer<byte[]> block)
      throws IOException, InterruptedException {
    try {
      Cluster present = cluster();
      present
          .calls()
          .bytes(
              "read the log of " + pod,
              present.path(ResourceType.POD, pod) + "/log?follow=" + follow,
              block);
    } catch (RefusedException none) {
      // Its container has not begun, or its node has dropped the log.
      return;
    } catch (ProblemException e) {
      throw new ClusterException(e);
    }
  }

  /**
   * Runs a command in the container of a pod.
   *
   * @param size of the terminal that it has; null when it has none, and no input
   * @throws ProblemException Conflict when it is not begun, with the rights that this server lacks
   */
  public PodExec exec(
      String pod,
      String container,
      List<String> command,
      @Nullable TerminalSize size,
      PodExec.Streams streams)
      throws IOException {
    return begun(() -> PodExec.begin(cluster(), vertx, pod, container, command, size, streams));
  }

  /** Runs a command with input and errors apart; else as {@link #exec}. */
  public PodExec pipe(String pod, String container, List<String> command, PodExec.Streams streams)
      throws IOException {
    return begun(() -> PodExec.pipe(cluster(), vertx, pod, container, command, streams));
  }

  private PodExec begun(Callable<PodExec> exec) throws IOException {
    try {
      return ask(exec);
    } catch (ClusterException e) {
      List<String> denied = e.isForbidden() ? ask(() -> deniedShells(cluster())) : List.of();
      String reason =
          denied.isEmpty()
              ? String.valueOf(e.getMessage())
              : notAllowed(denied, cluster().namespace());
      throw new Problem.Conflict(reason).toException();
    }
  }

  private static List<String> deniedShells(Cluster cluster) {
    return Permission.ofShells().stream()
        .flatMap(permission -> denied(cluster, permission))
        .toList();
  }

  private static String notAllowed(List<String> denied, String namespace) {
    return "the server is not allowed to %s in namespace %s: have deploy/kubernetes/rbac.yaml applied to it"
        .formatted(String.join(", ", denied), namespace);
  }

  /**
   * Checks the namespace, the rights in it, and claims.
   *
   * @param exposes whether ports are to be open at addresses of the cluster
   * @param scales whether the cluster is to scale by itself
   * @return sentences about what is missing; empty when nothing is
   */
  public List<String> check(Iterable<String> claims, boolean exposes, boolean scales)
      throws IOException {
    return ask(() -> {
      List<String> missing = new ArrayList<>();
      Cluster present = cluster();
      String namespace = present.namespace();
      List<String> denied = denied(present, exposes, scales);
      if (!denied.isEmpty()) {
        missing.add(notAllowed(denied, namespace));
        return missing;
      }
      if (present.read("/api/v1/namespaces/" + namespace) == null) {
        missing.add("there is no namespace %s on the cluster: create it".formatted(namespace));
        return missing;
      }
      missingClaims(present, claims).forEach((claim, sentence) -> missing.add(sentence));
      return missing;
    });
  }

  /** A sentence about each claim that is not in the namespace, by the claim. */
  public Map<String, String> missingClaims(Iterable<String> claims) throws IOException {
    return ask(() -> missingClaims(cluster(), claims));
  }

  private static Map<String, String> missingClaims(Cluster cluster, Iterable<String> claims) {
    Map<String, String> missing = new TreeMap<>();
    for (String claim : claims) {
      if (cluster.find(ResourceType.CLAIM, claim) == null) {
        missing.put(
            claim,
            "there is no claim %s in namespace %s: create it, or leave out its mount"
                .formatted(claim, cluster.namespace()));
      }
    }
    return missing;
  }

  /**
   * Whether the cluster has a node with some labels.
   *
   * @param selector of labels, as Kubernetes writes it
   */
  public boolean hasNode(String selector) throws IOException {
    String path = "/api/v1/nodes?limit=1&labelSelector=" + Percent.encoded(selector);
    return ask(() ->
        !cluster()
            .calls()
            .send("list nodes", "GET", path, null, Buffer.buffer())
            .orThrow("list nodes")
            .path("items")
            .isEmpty());
  }

  private static List<String> denied(Cluster cluster, boolean exposes, boolean scales) {
    return Stream.of(
            Permission.ofReplicas(),
            exposes ? Permission.ofExposure() : List.<Permission>of(),
            scales ? Permission.ofAutoscaling() : List.<Permission>of())
        .flatMap(List::stream)
        .flatMap(permission -> denied(cluster, permission))
        .toList();
  }

  private static Stream<String> denied(Cluster cluster, Permission permission) {
    return permission.verbs().stream()
        .filter(verb -> !AccessReview.isAllowed(cluster, permission.type(), verb))
        .map(verb -> verb + " " + permission.name());
  }

  @Override
  public synchronized void close() {
    closed = true;
    Watch<PodSight> present = watch;
    if (present != null) {
      present.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }
}
