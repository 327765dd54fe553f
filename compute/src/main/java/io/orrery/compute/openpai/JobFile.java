package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads {@code openpaiConfigFile} into the place of {@code openpaiConfig}. */
final class JobFile {
  private static final String CONFIG = "openpaiConfig";
  private static final String FILE = "openpaiConfigFile";
  private static final String AT = "/trainingService/" + FILE;
  private static final long MOST_BYTES = 1 << 20;

  private final Walk walk;

  JobFile(Walk walk) {
    this.walk = walk;
  }

  /**
   * From then on the document is part of the configuration, whatever becomes of the file.
   *
   * @param service gets the document, and loses the name of the file
   */
  void load(ObjectNode service) {
    if (!service.has(FILE)) {
      return;
    }
    if (service.has(CONFIG)) {
      walk.refuse(AT, "and openpaiConfig say the same thing: leave one of them out");
      return;
    }
    Path path = walk.paths().resolve(service.get(FILE).asText(), AT, walk);
    JsonNode document = path == null ? null : document(path);
    if (document != null) {
      service.set(CONFIG, document);
      service.remove(FILE);
    }
  }

  private @Nullable JsonNode document(Path path) {
    try {
      if (!Files.isRegularFile(path)) {
        walk.refuse(AT, "must be a file: there is none at " + path);
      } else if (Files.size(path) > MOST_BYTES) {
        walk.refuse(AT, "must have at most 1 MB, " + path + " has more");
      } else {
        JsonNode root = Document.read(Files.readString(path)).root();
        if (root.isObject()) {
          return root;
        }
        walk.refuse(AT, "must be a job of OpenPAI: " + path + " is " + Shown.of(root));
      }
    } catch (ProblemException e) {
      walk.refuse(AT, "cannot be read: " + path + ": " + e.problem().detail());
    } catch (IOException e) {
      walk.refuse(AT, "cannot be read: " + path + " is no text in UTF-8");
    }
    return null;
  }
}
