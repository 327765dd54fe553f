package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.gateway.docs.OpenApiDocument;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The published document, and whether an answer keeps what it promises. */
final class ApiDocument {
  private static final Set<String> VERBS = Set.of("get", "post", "put", "patch", "delete");

  /** After what it needs: static fields come into being in their order. */
  static final ApiDocument THE_ONE = new ApiDocument();

  /**
   * An operation of the document.
   *
   * @param path as OpenAPI writes it: {@code /experiments/{experiment}}
   */
  record Operation(String id, String method, String path, Set<String> query, JsonNode responses) {
    /** Method and path. */
    String line() {
      return method + " " + path;
    }

    private boolean serves(String verb, String address) {
      String pattern = path.replaceAll("\\{[^}]+}", "[^/]+");
      return method.equals(verb) && Pattern.matches(pattern, address);
    }
  }

  private final JsonNode root = Document.read(OpenApiDocument.assemble()).root();
  private final JsonObject components = new JsonObject(root.path("components").toString());
  private final List<Operation> operations = new ArrayList<>();
  private final Map<JsonNode, Validator> validators = new ConcurrentHashMap<>();

  private ApiDocument() {
    for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        if (VERBS.contains(verb.getKey())) {
          Set<String> query = new TreeSet<>(query(path.getValue()));
          query.addAll(query(verb.getValue()));
          operations.add(
              new Operation(
                  verb.getValue().path("operationId").asText(),
                  verb.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  query,
                  verb.getValue().path("responses")));
        }
      }
    }
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** Fails when the answer to a documented operation is not as the document says. */
  void check(String method, String address, HttpResponse<String> response) {
    Operation operation = operation(method, address.replaceAll("\\?.*", ""));
    if (operation == null) {
      return;
    }
    String status = Integer.toString(response.statusCode());
    JsonNode answer =
        resolved(
            operation.responses().path(operation.responses().has(status) ? status : "default"));
    assertThat(answer.isObject()).as("%s answers %s", operation.line(), status).isTrue();
    if (status.startsWith("2")) {
      assertThat(operation.responses().has(status))
          .as("%s answers %s", operation.line(), status)
          .isTrue();
    }
    if (answer.path("content").isMissingNode()) {
      assertThat(response.body()).as("%s answers %s", operation.line(), status).isEmpty();
      return;
    }
    String type = response.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
    if (response.body().isEmpty() && !answer.has("content")) {
      return;
    }
    JsonNode content = answer.path("content").path(type);
    assertThat(content.isObject())
        .as("%s answers %s with %s", operation.line(), status, type)
        .isTrue();
    if (type.endsWith("json") && !type.endsWith("ndjson")) {
      check(operation.line() + " " + status, content.path("schema"), response.body());
    }
  }

  /** Fails when a text does not fit a schema of the document. */
  void check(String what, String schema, String json) {
    check(what, root.at("/components/schemas/" + schema), json);
  }

  private void check(String what, JsonNode schema, String json) {
    Validator validator = validators.computeIfAbsent(schema, this::validator);
    OutputUnit result = validator.validate(Json.decodeValue(json));
    assertThat(result.getValid()).as("%s: %s\n%s", what, result.getErrors(), json).isTrue();
  }

  private Validator validator(JsonNode schema) {
    JsonObject whole =
        new JsonObject()
            .put("allOf", new JsonArray().add(new JsonObject(schema.toString())))
            .put("components", components);
    return Validator.create(
        JsonSchema.of(whole),
        new JsonSchemaOptions()
            .setBaseUri("https://orrery.invalid/")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic));
  }

  private @Nullable Operation operation(String method, String address) {
    return operations.stream()
        .filter(operation -> operation.serves(method, address))
        .findFirst()
        .orElse(null);
  }

  private Set<String> query(JsonNode node) {
    Set<String> names = new TreeSet<>();
    node.path("parameters")
        .forEach(parameter -> {
          JsonNode resolved = resolved(parameter);
          if (resolved.path("in").asText().equals("query")) {
            names.add(resolved.path("name").asText());
          }
        });
    return names;
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.isEmpty() ? node : root.at(reference.substring(1));
  }
}
