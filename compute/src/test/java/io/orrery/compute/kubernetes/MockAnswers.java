package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a {@link MockCluster} that depend on the request alone and on how the cluster was
 * set up: refusals by role and by the definitions of custom kinds, discovery, the version, reviews
 * of access.
 */
final class MockAnswers {
  private final List<ResourceType> served = new CopyOnWriteArrayList<>();
  private volatile @Nullable Path definitions;
  private volatile @Nullable Rules rules;

  /** Serves a type of object. */
  void serve(ResourceType type) {
    served.add(type);
  }

  /** The types that are served besides Kubernetes' own. */
  List<ResourceType> served() {
    return served;
  }

  /**
   * Checks objects by the definitions of their kinds, a file {@code <group>_<plural>.yaml} each.
   */
  void define(Path folder) {
    definitions = folder;
  }

  /** Refuses requests that these rules do not allow. */
  void allow(Rules role) {
    rules = role;
  }

  /** Refuses a request by its verbs: what is applied may be made by that. */
  @Nullable MockResponse forbidden(RecordedRequest request) {
    Rules role = rules;
    List<String> lines = role == null ? List.of() : lines(request);
    return role == null || role.allowed().containsAll(lines)
        ? null
        : MockCluster.status(403, "Forbidden", "it is forbidden: User cannot " + lines);
  }

  /** The rights that a request in a namespace needs, as {@link Rules} writes them. */
  static List<String> lines(RecordedRequest request) {
    URI uri = URI.create(request.getPath());
    String[] steps = uri.getPath().substring(1).split("/");
    int at = steps[0].equals("api") ? 2 : 3;
    if (steps.length < at + 2 || !steps[at].equals("namespaces")) {
      return List.of();
    }
    String group = steps[0].equals("api") ? "" : steps[1];
    boolean own = steps.length == at + 2;
    boolean part = steps.length > at + 4;
    String plural = own ? "namespaces" : steps[at + 2] + (part ? "/" + steps[at + 4] : "");
    boolean one = own || steps.length > at + 3;
    String type = String.valueOf(request.getHeader("Content-Type"));
    List<String> verbs =
        switch (request.getMethod()) {
          case "GET" -> read(plural, one, String.valueOf(uri.getQuery()));
          case "POST" -> List.of("create");
          case "PATCH" ->
              type.contains("apply-patch") ? List.of("patch", "create") : List.of("patch");
          case "DELETE" -> List.of(one ? "delete" : "deletecollection");
          default -> List.of("update");
        };
    return verbs.stream().map(verb -> Rules.line(verb, group, plural)).toList();
  }

  private static List<String> read(String plural, boolean one, String query) {
    if (plural.equals("pods/exec")) {
      // A WebSocket, for which an API server wants both.
      return List.of("create", "get");
    }
    return List.of(one ? "get" : query.contains("watch=true") ? "watch" : "list");
  }

  /** Answers the requests for which the mock has no resource; null for others. */
  @Nullable MockResponse answered(RecordedRequest request, String given) {
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
                      asked.path("resource").asText()
                          + (asked.has("subresource")
                              ? "/" + asked.path("subresource").asText()
                              : "")));
    } else {
      return null;
    }
    return MockApi.answer(200, answer);
  }

  @Nullable MockResponse refused(RecordedRequest request) {
    Path folder = definitions;
    String[] steps = URI.create(request.getPath()).getPath().split("/");
    if (folder == null || steps.length != 7 || !steps[1].equals("apis")) {
      return null;
    }
    Path definition = folder.resolve(steps[2] + "_" + steps[6] + ".yaml");
    try {
      List<String> faults =
          Files.exists(definition)
              ? Definitions.faults(definition, Json.parse(MockApi.text(request)))
              : List.of();
      return faults.isEmpty()
          ? null
          : MockCluster.status(
              400, "BadRequest", "strict decoding error: " + String.join(", ", faults));
    } catch (IOException e) {
      return MockCluster.status(500, "InternalError", e.toString());
    }
  }

  @Nullable MockResponse discovery(String path) {
    String[] steps = path.substring(1).split("/");
    if (!steps[0].equals("apis") || steps.length < 2 || steps.length > 3) {
      return null;
    }
    ObjectNode answer = Json.MAPPER.createObjectNode();
    boolean any = false;
    for (ResourceType type : served) {
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
        ? MockApi.answer(200, answer)
        : new MockResponse().setResponseCode(404).setBody("404 page not found");
  }
}
