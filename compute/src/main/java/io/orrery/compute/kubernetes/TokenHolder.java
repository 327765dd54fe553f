package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.kubernetes.OwnerReference;
import io.orrery.kubernetes.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A job that is there, and what its pods are to find in a Secret under its name.
 *
 * @param metadata the job's
 */
record TokenHolder(String token, ResourceType type, JsonNode metadata) {
  /** The key of its token. */
  String key() {
    return metadata.path("name").asText();
  }

  /** The Secret that its pods look into; null when an older server made it, and gave it one. */
  @Nullable String secret() {
    return Manifests.secret(metadata);
  }

  /** The token as Secrets have it. */
  String data() {
    return Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
  }

  /** An owner reference: the object goes when this job, and all its other owners, have gone. */
  ObjectNode owner() {
    return OwnerReference.of(type, metadata);
  }

  @Override
  public String toString() {
    return "TokenHolder[" + key() + "]";
  }
}
