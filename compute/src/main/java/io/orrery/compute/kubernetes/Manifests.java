package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects of one attempt, whole: what kinds and secrets say, under the attempt's labels. */
final class Manifests {
  /** The annotation of a job that names the Secret of its token. */
  private static final String SECRET = "orrery.io/secret";

  private final String name;
  private final Map<String, String> labels;

  Manifests(String platform, AttemptRef attempt, String name) {
    this.name = name;
    this.labels = Labels.of(platform, attempt);
  }

  Map<String, String> labels() {
    return labels;
  }

  /**
   * @param secret where its token lies
   */
  ObjectNode job(JobKind kind, List<JobKind.RolePods> pods, String secret) {
    ObjectNode job = object(kind.resource().apiVersion(), kind.resource().kind(), name, labels);
    job.withObjectProperty("metadata").putObject("annotations").put(SECRET, secret);
    job.set("spec", kind.spec(pods));
    return job;
  }

  /** The Secret of a job's token, by its {@code metadata}; null when an older server made it. */
  static @Nullable String secret(JsonNode metadata) {
    return metadata.path("annotations").path(SECRET).textValue();
  }

  /** A Secret with these tokens, which goes when all of their jobs have gone. */
  static ObjectNode tokens(
      String platform, ExperimentId experiment, String called, List<TokenHolder> holders) {
    ObjectNode secret = object("v1", "Secret", called, Labels.of(platform, experiment));
    ArrayNode owners = secret.withObjectProperty("metadata").putArray("ownerReferences");
    ObjectNode data = secret.put("type", "Opaque").putObject("data");
    for (TokenHolder holder : holders) {
      owners.add(holder.owner());
      data.put(holder.key(), holder.data());
    }
    return secret;
  }

  ObjectNode secret(String secretName, ObjectNode content) {
    ObjectNode secret = object("v1", "Secret", secretName, labels);
    secret.setAll(content);
    return secret;
  }

  /** The companion objects of a kind, under our labels. */
  ObjectNode companion(ObjectNode given) {
    return labelled(given, labels);
  }

  /** The object that all attempts of an experiment share. */
  static ObjectNode shared(String platform, ExperimentId experiment, ObjectNode given) {
    return labelled(given, Labels.of(platform, experiment));
  }

  private static ObjectNode labelled(ObjectNode given, Map<String, String> labels) {
    ObjectNode whole =
        object(
            given.path("apiVersion").asText(),
            given.path("kind").asText(),
            given.at("/metadata/name").asText(),
            labels);
    for (Map.Entry<String, JsonNode> entry : given.properties()) {
      if (!entry.getKey().equals("metadata")) {
        whole.set(entry.getKey(), entry.getValue());
      }
    }
    return whole;
  }

  /** Whether what has our name is of this attempt, by its {@code metadata}. */
  boolean isOurs(JsonNode metadata) {
    JsonNode has = metadata.path("labels");
    return labels.entrySet().stream()
        .allMatch(label -> label.getValue().equals(has.path(label.getKey()).textValue()));
  }

  /** The type of an object, by the plural that all kinds we bring along have. */
  static ResourceType type(ObjectNode object) {
    String version = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    int slash = version.indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : version.substring(0, slash),
        version.substring(slash + 1),
        kind,
        kind.toLowerCase(Locale.ROOT) + "s");
  }

  private static ObjectNode object(
      String apiVersion, String kind, String called, Map<String, String> labels) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", called);
    ObjectNode tags = metadata.putObject("labels");
    labels.forEach(tags::put);
    return object;
  }
}
