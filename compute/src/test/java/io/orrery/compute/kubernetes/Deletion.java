package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.core.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A DELETE as Kubernetes 1.36 reads it. The policy is that of the body where there is a body, even
 * one that names none, and else that of the query; without one, Jobs of {@code batch/v1} orphan
 * their pods, and everything else takes along in the background what it owns. Pure.
 */
enum Deletion {
  BACKGROUND,
  FOREGROUND,
  ORPHAN;

  static Deletion of(RecordedRequest request) {
    String body = new String(request.getBody().getBytes(), StandardCharsets.UTF_8);
    URI uri = URI.create(request.getPath());
    String policy =
        body.isBlank()
            ? parameter(uri.getQuery())
            : Json.parse(body).path("propagationPolicy").asText();
    return switch (policy) {
      case "Background" -> BACKGROUND;
      case "Foreground" -> FOREGROUND;
      case "Orphan" -> ORPHAN;
      default -> uri.getPath().matches("/apis/batch/v1/.*/jobs/[^/]+") ? ORPHAN : BACKGROUND;
    };
  }

  private static String parameter(String query) {
    String name = "propagationPolicy=";
    for (String pair : query == null ? new String[0] : query.split("&")) {
      if (pair.startsWith(name)) {
        return pair.substring(name.length());
      }
    }
    return "";
  }

  /**
   * Makes the answer: a {@code Status} when the object is gone at once, and else the object that
   * its finalizer holds.
   *
   * @param plural of its type, as in URLs
   */
  JsonNode answer(JsonNode gone, String plural) {
    ObjectNode answer = Json.MAPPER.createObjectNode();
    if (this == BACKGROUND) {
      String version = gone.path("apiVersion").asText();
      answer.put("kind", "Status").put("apiVersion", "v1");
      answer.putObject("metadata");
      answer.put("status", "Success");
      ObjectNode details = answer.putObject("details");
      details.put("name", gone.at("/metadata/name").asText());
      if (version.contains("/")) {
        details.put("group", version.substring(0, version.indexOf('/')));
      }
      details.put("kind", plural).put("uid", gone.at("/metadata/uid").asText());
      return answer;
    }
    answer.setAll((ObjectNode) gone.deepCopy());
    ObjectNode metadata = answer.withObjectProperty("metadata");
    metadata.put("deletionTimestamp", MockCluster.now()).put("deletionGracePeriodSeconds", 0);
    metadata.putArray("finalizers").add(this == ORPHAN ? "orphan" : "foregroundDeletion");
    return answer;
  }
}
