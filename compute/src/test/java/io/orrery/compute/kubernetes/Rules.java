package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules of a role in a manifest.
 *
 * @param allowed {@code verb group/plural}
 */
record Rules(Set<String> allowed) {
  /** The roles of a file with several documents. */
  static Rules of(Path manifest) throws IOException {
    Set<String> allowed = new TreeSet<>();
    for (String document : Files.readString(manifest).split("(?m)^---$")) {
      for (JsonNode rule : Document.read(document).root().path("rules")) {
        for (JsonNode group : rule.path("apiGroups")) {
          for (JsonNode plural : rule.path("resources")) {
            rule.path("verbs")
                .forEach(verb -> allowed.add(line(verb.asText(), group.asText(), plural.asText())));
          }
        }
      }
    }
    return new Rules(allowed);
  }

  static String line(String verb, String group, String plural) {
    return verb + " " + group + "/" + plural;
  }

  boolean allow(String verb, String group, String plural) {
    return allowed.contains(line(verb, group, plural));
  }
}
