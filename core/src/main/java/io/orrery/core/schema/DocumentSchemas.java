package io.orrery.core.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The JSON Schemas (2020-12) of documents, with a description, the default and examples of each
 * key. The readers of the server are the law; tests compare both.
 */
public final class DocumentSchemas {
  /** The kinds in lower case, in the order in which documents depend on each other. */
  public static final List<String> KINDS =
      List.of(
          "project",
          "registry",
          "imagebuild",
          "template",
          "model",
          "pipeline",
          "service",
          "domain",
          "notebook");

  private DocumentSchemas() {}

  /**
   * The schema of a kind.
   *
   * @param kind one of {@link #KINDS}
   */
  public static ObjectNode of(String kind) {
    String file = kind + ".schema.json";
    try (InputStream schema =
        Objects.requireNonNull(DocumentSchemas.class.getResourceAsStream(file), file)) {
      return (ObjectNode) Json.parse(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
