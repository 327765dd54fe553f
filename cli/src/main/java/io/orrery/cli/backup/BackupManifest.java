package io.orrery.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The list of what is in a backup. It is its last entry, so a backup that has it is whole.
 *
 * @param database whether the home's databases are in it; else they are in PostgreSQL
 * @param keys whether the keys of secrets are in it; else they were written apart
 */
record BackupManifest(
    Instant taken, String version, boolean database, boolean keys, List<Entry> entries) {
  static final String NAME = "orrery-backup.json";
  private static final int FORMAT = 1;

  BackupManifest {
    entries = List.copyOf(entries);
  }

  /**
   * A file of the home.
   *
   * @param mode its permissions, such as {@code rw-------}
   */
  record Entry(String path, long size, String sha256, String mode) {}

  byte[] bytes() throws IOException {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("format", FORMAT).put("taken", taken.toString()).put("version", version);
    json.put("database", database).put("keys", keys);
    ArrayNode files = json.putArray("files");
    for (Entry entry : entries) {
      files
          .addObject()
          .put("path", entry.path())
          .put("size", entry.size())
          .put("sha256", entry.sha256())
          .put("mode", entry.mode());
    }
    return Json.MAPPER.writeValueAsBytes(json);
  }

  /**
   * Reads what {@link #bytes} made.
   *
   * @throws IOException when it is of another format
   */
  static BackupManifest read(byte[] text) throws IOException {
    JsonNode json = Json.MAPPER.readTree(text);
    if (json.path("format").asInt() != FORMAT) {
      throw new IOException(
          "its format is %s, and this program reads %d: restore it with the version that made it, %s"
              .formatted(json.path("format"), FORMAT, json.path("version").asText("unknown")));
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode file : json.path("files")) {
      entries.add(
          new Entry(
              file.path("path").asText(),
              file.path("size").asLong(),
              file.path("sha256").asText(),
              file.path("mode").asText()));
    }
    return new BackupManifest(
        Instant.parse(json.path("taken").asText()),
        json.path("version").asText(),
        json.path("database").asBoolean(),
        json.path("keys").asBoolean(),
        entries);
  }
}
