package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The empty volumes of the pods of a {@link Node}: directories of this machine, which stand in
 * commands and variables in place of the paths in a pod.
 */
record NodeVolumes(Path directory) {
  /** A text with the directories of this machine. */
  String here(JsonNode pod, String text) {
    String all = text;
    for (JsonNode volume : pod.at("/spec/volumes")) {
      JsonNode empty = volume.path("emptyDir");
      if (empty.isObject() && !empty.has("medium")) {
        String name = volume.path("name").asText();
        for (JsonNode mount : pod.at("/spec/containers/0/volumeMounts")) {
          if (mount.path("name").asText().equals(name)) {
            all = replaced(all, mount.path("mountPath").asText(), own(pod, name));
          }
        }
      }
    }
    return all;
  }

  private Path own(JsonNode pod, String name) {
    try {
      return Files.createDirectories(
          directory.resolve(pod.at("/metadata/uid").asText()).resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String replaced(String text, String path, Path by) {
    return text.replaceAll(
        "(?<![\\w./-])" + Pattern.quote(path) + "(?=/|$)", Matcher.quoteReplacement(by.toString()));
  }
}
