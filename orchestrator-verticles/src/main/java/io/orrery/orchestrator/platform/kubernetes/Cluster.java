package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.File;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One namespace of one cluster. Every call blocks, and fails with a {@link Problem} that says
 * whether trying again helps. Objects are written with {@code fieldValidation=Strict}: a field that
 * the cluster does not know is an error and never vanishes.
 */
final class Cluster implements AutoCloseable {
  private static final String MANAGER = "orrery";
  private static final Resource EVENT = new Resource("", "v1", "Event", "events");

  /** A create that is tried again blindly hides why it waits: whoever asked tries again. */
  private static final int RETRIES = 0;

  private final KubernetesClient client;
  private final String namespace;
  private final Map<Resource, MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>>
      operations = new ConcurrentHashMap<>();

  private Cluster(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /**
   * Reads the kubeconfig; connects to nothing yet.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it cannot be used
   */
  static Cluster open(ClusterAddress address) {
    Config config = config(address);
    config =
        new ConfigBuilder(config)
            .withRequestRetryBackoffLimit(RETRIES)
            .withConnectionTimeout(10_000)
            .withRequestTimeout(30_000)
            .withMaxConcurrentRequests(256)
            .withMaxConcurrentRequestsPerHost(256)
            .build();
    String own = Objects.requireNonNullElse(config.getNamespace(), "default");
    return new Cluster(
        new KubernetesClientBuilder().withConfig(config).build(),
        Objects.requireNonNullElse(address.namespace(), own));
  }

  private static Config config(ClusterAddress address) {
    try {
      String file = address.kubeconfig();
      Config config =
          file == null
              ? Config.autoConfigure(address.context())
              : Config.fromKubeconfig(new File(file));
      String context = address.context();
      if (file != null && context != null) {
        config =
            Config.fromKubeconfig(
                context, java.nio.file.Files.readString(java.nio.file.Path.of(file)), file);
      }
      boolean unknown =
          context != null
              && (config.getCurrentContext() == null
                  || !context.equals(config.getCurrentContext().getName()));
      if (unknown) {
        throw refused("context", "the kubeconfig has no context '" + context + "'");
      }
      return config;
    } catch (KubernetesClientException | java.io.IOException e) {
      throw refused("kubeconfig", "the kubeconfig cannot be read: " + e.getMessage());
    }
  }

  private static RuntimeException refused(String key, String message) {
    return new Problem.Refused(new Finding("/trainingService/" + key, message)).toException();
  }

  String namespace() {
    return namespace;
  }

  /** Where the API server is. */
  String server() {
    return client.getMasterUrl().toString();
  }

  /**
   * Creates an object, unless it is there.
   *
   * @return its uid, and whether it was there before
   */
  Created create(Resource type, ObjectNode object) {
    String name = object.path("metadata").path("name").asText();
    String wanted = "create the " + type.kind() + " " + name;
    GenericKubernetesResource given =
        Json.MAPPER.convertValue(object, GenericKubernetesResource.class);
    try {
      return new Created(
          in(type).resource(given).fieldValidation(Validation.STRICT).create().getMetadata(), false);
    } catch (KubernetesClientException e) {
      boolean exists =
          e.getCode() == 409
              && (e.getStatus() == null || !"Conflict".equals(e.getStatus().getReason()));
      GenericKubernetesResource present = exists ? find(type, name) : null;
      if (present != null) {
        return new Created(present.getMetadata(), true);
      }
      throw ApiFailure.of(wanted, e).toException();
    }
  }

  /** Makes an object what is given, whether it is there or not (server-side apply). */
  void apply(Resource type, ObjectNode object) {
    String name = object.path("metadata").path("name").asText();
    PatchContext how =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(MANAGER)
            .withFieldValidation("Strict")
            .withForce(true)
            .build();
    ask(
        "apply the " + type.kind() + " " + name,
        () -> in(type).withName(name).patch(how, object.toString()));
  }

  /** Lets an object die with a job. */
  void own(Resource type, String name, Resource ownerType, ObjectMeta owner) {
    ObjectNode patch = Json.MAPPER.createObjectNode();
    patch
        .putObject("metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", ownerType.apiVersion())
        .put("kind", ownerType.kind())
        .put("name", owner.getName())
        .put("uid", owner.getUid());
    ask(
        "give the " + type.kind() + " " + name + " its owner",
        () ->
            in(type)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString()));
  }

  /** Deletes an object and, in the background, what it owns; nothing happens when it is not there. */
  void delete(Resource type, String name) {
    ask(
        "delete the " + type.kind() + " " + name,
        () ->
            in(type)
                .withName(name)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete());
  }

  /** Deletes all objects with these labels, and what they own. */
  void deleteAll(Resource type, Map<String, String> labels) {
    ask(
        "delete all " + type.plural() + " with " + labels,
        () ->
            in(type)
                .withLabels(labels)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete());
  }

  /** What is there under a name; null when nothing. */
  @Nullable GenericKubernetesResource find(Resource type, String name) {
    return ask("read the " + type.kind() + " " + name, () -> in(type).withName(name).get());
  }

  /** All objects with these labels. */
  List<GenericKubernetesResource> list(Resource type, Map<String, String> labels) {
    return ask("list " + type.plural(), () -> in(type).withLabels(labels).list().getItems());
  }

  /** The newest warning that a controller gave about an object; null when there is none. */
  @Nullable String warning(String name) {
    List<GenericKubernetesResource> events =
        ask(
            "read the events of " + name,
            () ->
                in(EVENT)
                    .withField("involvedObject.name", name)
                    .withField("type", "Warning")
                    .list()
                    .getItems());
    return events.stream()
        .map(event -> Json.MAPPER.<JsonNode>valueToTree(event))
        .filter(event -> event.at("/involvedObject/name").asText().equals(name))
        .max(Comparator.comparing(event -> event.path("lastTimestamp").asText()))
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .orElse(null);
  }

  /** An object that only asks: its answer is its own status, and nothing is stored. */
  JsonNode review(String path, ObjectNode question) {
    String answer = ask("ask " + path, () -> client.raw(path, "POST", question.toString()));
    return Json.parse(Objects.requireNonNullElse(answer, "{}"));
  }

  /** The versions of a group that the cluster serves; empty when it does not know the group. */
  List<String> versions(String group) {
    APIGroup found = ask("look up " + group, () -> client.getApiGroup(group));
    return found == null
        ? List.of()
        : found.getVersions().stream().map(version -> version.getVersion()).toList();
  }

  /** The server's own version, such as {@code 1.36}. */
  String version() {
    return ask(
        "read its version",
        () ->
            client.getKubernetesVersion().getMajor()
                + "."
                + client.getKubernetesVersion().getMinor());
  }

  /** Watches all objects of a type with these labels. */
  <T> Watch<T> watch(
      Resource type,
      Map<String, String> labels,
      Function<ObjectMeta, String> group,
      Function<GenericKubernetesResource, T> digest,
      Consumer<String> changed) {
    String wanted = "watch " + type.plural();
    try {
      return new Watch<>(in(type).withLabels(labels), group, digest, changed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem.Busy(wanted + " was interrupted", java.time.Duration.ofSeconds(1))
          .toException();
    } catch (Exception e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw (cause instanceof KubernetesClientException known
              ? ApiFailure.of(wanted, known)
              : new Problem.Busy(
                  "the API server at " + server() + " cannot be reached to " + wanted + ": " + e,
                  java.time.Duration.ofSeconds(15)))
          .toException();
    }
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
      in(Resource type) {
    return operations
        .computeIfAbsent(
            type,
            wanted ->
                client.genericKubernetesResources(
                    new ResourceDefinitionContext.Builder()
                        .withGroup(wanted.group())
                        .withVersion(wanted.version())
                        .withKind(wanted.kind())
                        .withPlural(wanted.plural())
                        .withNamespaced(true)
                        .build()))
        .inNamespace(namespace);
  }

  private static <R extends @Nullable Object> R ask(String wanted, Supplier<R> call) {
    try {
      return call.get();
    } catch (KubernetesClientException e) {
      throw ApiFailure.of(wanted, e).toException();
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * @param before whether it was there before it was asked for
   */
  record Created(ObjectMeta object, boolean before) {}
}
