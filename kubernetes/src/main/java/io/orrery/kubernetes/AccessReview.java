package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;

/** The question whether this server may do something in its namespace. */
public final class AccessReview {
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

  private AccessReview() {}

  /** Asks the API server. Blocks. */
  public static boolean isAllowed(Cluster cluster, ResourceType type, String verb) {
    String[] parts = type.plural().split("/", 2);
    ObjectNode review =
        Json.MAPPER
            .createObjectNode()
            .put("apiVersion", "authorization.k8s.io/v1")
            .put("kind", "SelfSubjectAccessReview");
    ObjectNode asked =
        review
            .putObject("spec")
            .putObject("resourceAttributes")
            .put("namespace", cluster.namespace())
            .put("verb", verb)
            .put("group", type.group())
            .put("resource", parts[0]);
    if (parts.length > 1) {
      asked.put("subresource", parts[1]);
    }
    return cluster.review(REVIEWS, review).at("/status/allowed").booleanValue();
  }
}
