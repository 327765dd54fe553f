package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.studio.document.DocumentKeys;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the key {@code config} of a service's document: an object of texts by file, or the text of
 * the original, in which a line {@code ---file} begins each.
 */
final class FilesReader {
  private static final int MOST_FILES = 50;
  private static final int MOST_BYTES = 512 << 10;
  private static final int LONGEST_PATH = 200;
  private static final String BEGIN = "---";

  /** Relative, and without a step upwards. */
  private static final Pattern PATH =
      Pattern.compile("(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)*");

  private static final String FORM =
      "config is an object of texts by file, such as {models.config: \"…\"}";

  private final DocumentKeys keys;
  private final Map<String, String> files = new TreeMap<>();

  private FilesReader(DocumentKeys keys) {
    this.keys = keys;
  }

  /** The texts by their paths; empty when there are none. */
  static Map<String, String> read(DocumentKeys keys) {
    FilesReader reader = new FilesReader(keys);
    reader.read();
    return reader.files;
  }

  private void read() {
    JsonNode value = keys.value("config");
    if (value == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      object.properties().forEach(file -> add(file.getKey(), file.getValue()));
    } else if (value.isTextual()) {
      lines(value.textValue());
    } else {
      keys.wrong("config", FORM);
    }
    long bytes =
        files.values().stream()
            .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
            .sum();
    if (files.size() > MOST_FILES || bytes > MOST_BYTES) {
      keys.wrong(
          "config",
          "config has at most 50 files and 512 KiB, not %d files and %d KiB"
              .formatted(files.size(), bytes >> 10));
    }
    for (String path : files.keySet()) {
      for (int end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
        if (files.containsKey(path.substring(0, end))) {
          keys.wrong("config", "%s is a file and a directory".formatted(path.substring(0, end)));
        }
      }
    }
  }

  private void add(String path, JsonNode text) {
    if (path.length() > LONGEST_PATH || !PATH.matcher(path).matches()) {
      keys.wrong(
          "config",
          "a file of config has a relative path of letters, digits, dots, hyphens and"
              + " underscores, not '%s'".formatted(path));
    } else if (!text.isTextual()) {
      keys.wrong("config", "the content of %s is a text".formatted(path));
    } else {
      files.put(path, text.textValue());
    }
  }

  /** The form of the original. */
  private void lines(String text) {
    if (!text.isBlank() && !text.stripLeading().startsWith(BEGIN)) {
      keys.wrong("config", FORM + ", or a text in which a line ---models.config begins each file");
      return;
    }
    String path = null;
    StringBuilder content = new StringBuilder();
    for (String line : text.stripLeading().split("\n", -1)) {
      if (line.startsWith(BEGIN)) {
        if (path != null) {
          add(path, TextNode.valueOf(content.toString()));
        }
        path = line.substring(BEGIN.length()).strip();
        content.setLength(0);
      } else {
        content.append(line.stripTrailing()).append('\n');
      }
    }
    if (path != null) {
      add(path, TextNode.valueOf(content.toString()));
    }
  }
}
