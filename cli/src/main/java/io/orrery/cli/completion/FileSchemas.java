package io.orrery.cli.completion;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.schema.DocumentSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The schemas of all files that people write: documents and experiments. */
final class FileSchemas {
  private static final String EXPERIMENT = "experiment";

  /** The names of all schemas. */
  static final List<String> NAMES =
      Stream.concat(DocumentSchemas.KINDS.stream(), Stream.of(EXPERIMENT)).toList();

  private FileSchemas() {}

  /**
   * The schema of a file.
   *
   * @param name one of {@link #NAMES}
   */
  static JsonNode of(String name) {
    return name.equals(EXPERIMENT) ? Json.parse(experiment()) : DocumentSchemas.of(name);
  }

  /** The schema of an experiment as it is printed. */
  static String experiment() {
    String file = "experiment.schema.json";
    try (InputStream schema =
        Objects.requireNonNull(FileSchemas.class.getResourceAsStream(file), file)) {
      return new String(schema.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
