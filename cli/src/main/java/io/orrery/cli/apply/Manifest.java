package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.service.ModelServiceName;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A document of a file.
 *
 * @param file as it was given, for messages
 * @param folder relative paths inside it start here; null for stdin
 * @param above the number of lines of the file before it
 */
record Manifest(String file, @Nullable Path folder, int above, Document document, ObjectKind kind) {
  /** The address at which a document without a name is checked for its other faults. */
  private static final String NAMELESS = "document-without-a-name";

  /** The content, to be changed by the caller. */
  ObjectNode body() {
    return ((ObjectNode) document.root()).deepCopy();
  }

  /** Whether it can be checked and not applied, since its name is missing. */
  boolean isNameless() {
    return written().isEmpty();
  }

  /** The name; of a document without one a word that stands for it. */
  String name() {
    String written = written();
    return written.isEmpty() ? NAMELESS : written;
  }

  /** The name; that of a service with a model may be left out, since it follows from the model. */
  private String written() {
    String written = document.root().path("name").asText("");
    JsonNode model = document.root().path("model");
    if (!written.isEmpty() || kind != ObjectKind.SERVICE || !model.isObject()) {
      return written;
    }
    return ModelServiceName.of(document.root().path("type").asText("internal"), model);
  }

  /** The object in words: {@code Service/hello}. */
  String title() {
    return kind.word() + "/" + name();
  }

  /** A finding as a line of output: {@code hello.yml:7: /ports: …}. */
  String place(Finding finding) {
    Integer line = document.line(finding.pointer());
    return file
        + ":"
        + (above + (line == null ? 1 : line))
        + ": "
        + (finding.pointer().isEmpty() ? "" : finding.pointer() + ": ")
        + finding.message();
  }
}
