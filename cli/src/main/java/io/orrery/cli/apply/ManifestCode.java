package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document with the directories of code beside it replaced by their digests.
 *
 * @param directories that are to be uploaded, by digest
 */
record ManifestCode(ObjectNode body, Map<String, Path> directories) {
  private static final String CODE = "code";
  private static final String PREFIX = "sha256:";

  /**
   * Looks at the code of a document.
   *
   * @param findings get a line for each fault
   */
  static ManifestCode of(Manifest manifest, List<String> findings) {
    ManifestCode code = new ManifestCode(manifest.body(), new LinkedHashMap<>());
    switch (manifest.kind()) {
      case PROJECT, TEMPLATE -> {}
      case SERVICE -> code.replace(manifest, code.body, "", findings);
      case PIPELINE -> {
        JsonNode tasks = code.body.path("tasks");
        for (int i = 0; i < tasks.size(); i++) {
          code.replace(manifest, tasks.get(i), "/tasks/" + i, findings);
        }
        code.replace(manifest, code.body.path("onExit"), "/onExit", findings);
      }
    }
    return code;
  }

  private void replace(Manifest manifest, JsonNode holder, String pointer, List<String> findings) {
    String written = holder.path(CODE).asText("");
    Path folder = manifest.folder();
    if (!(holder instanceof ObjectNode object)
        || written.isEmpty()
        || written.startsWith(PREFIX)
        || folder == null) {
      return;
    }
    Path directory = folder.resolve(written).normalize();
    CodeUpload.Looked looked = CodeUpload.look(directory);
    if (looked.findings().isEmpty()) {
      object.put(CODE, PREFIX + looked.digest());
      directories.put(looked.digest(), directory);
    }
    looked
        .findings()
        .forEach(finding ->
            findings.add(
                manifest.place(new Finding(pointer + finding.pointer(), finding.message()))));
  }
}
