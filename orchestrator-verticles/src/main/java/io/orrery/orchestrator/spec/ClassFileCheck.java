package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Refuses a v1 file that names a file of a class, {@code classFileName}, which is not in its {@code
 * codeDir}, as NNI does. In v3 a module is named, which Python may find elsewhere.
 */
final class ClassFileCheck {
  private static final String FILE = "classFileName";

  private ClassFileCheck() {}

  /**
   * @param root the v3 form, with resolved directories; blocks, because it looks at them
   */
  static void check(JsonNode v1, ObjectNode root, Walk walk) {
    for (Map.Entry<String, JsonNode> section : v1.properties()) {
      Keys.find(section.getKey(), V1Keys.ALGORITHMS)
          .ifPresent(kind -> check(section, root.path(kind), walk));
    }
  }

  private static void check(Map.Entry<String, JsonNode> section, JsonNode algorithm, Walk walk) {
    JsonNode directory = algorithm.path("codeDirectory");
    // What is wrong with the directory was said; one of a workspace is not at this path.
    if (!directory.isTextual() || !Files.isDirectory(Path.of(directory.textValue()))) {
      return;
    }
    for (Map.Entry<String, JsonNode> entry : section.getValue().properties()) {
      JsonNode name = entry.getValue();
      boolean isFile = Keys.same(entry.getKey(), FILE) && name.isTextual();
      if (isFile && !isIn(Path.of(directory.textValue()), name.textValue())) {
        walk.here(
            Pointer.child(Pointer.child("", section.getKey()), entry.getKey()),
            "%s must be a file in codeDir: there is no %s in %s"
                .formatted(FILE, Shown.of(name), directory.textValue()));
      }
    }
  }

  /** Whether it is there; nothing is told of files outside. */
  private static boolean isIn(Path directory, String name) {
    try {
      Path file = directory.resolve(name).normalize();
      return file.startsWith(directory) && Files.isRegularFile(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
