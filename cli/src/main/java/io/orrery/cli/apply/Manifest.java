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
  /** The content, to be changed by the caller. */
  ObjectNode body() {
    return ((ObjectNode) document.root()).deepCopy();
  }

  /** The name; that of a service with a model may be left out, since it follows from the model. */
  String name() {
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
