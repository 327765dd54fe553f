package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.config.Configured;
import io.orrery.core.json.Json;
import io.orrery.core.sql.SqliteFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A file for those who help: versions, results of the checks, the status of the servers, the
 * configuration, the end of the log, how many rows each table has. Secrets that are known by their
 * place or their look are taken out; no row of a table is in it. The log may name experiments and
 * paths.
 */
final class SupportBundle {
  private static final int LOG_BYTES = 200_000;
  private static final List<String> SECRET_FILES = List.of("secret", "secrets.key");

  private final Path home;
  private final Configured configured;
  private final SecretWords secrets = new SecretWords();

  SupportBundle(Path home, Configured configured) {
    this.home = home;
    this.configured = configured;
  }

  /**
   * Writes it.
   *
   * @param status of the servers, or why none told it
   * @param serverLog lines of the server that runs; empty when none does
   */
  void write(Path file, String version, JsonNode results, JsonNode status, List<String> serverLog)
      throws IOException {
    learn();
    JsonNode configuration = secrets.without(configured.root());
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (ZipOutputStream archive =
        new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.WRITE))) {
      put(archive, "versions.txt", versions(version));
      put(archive, "checks.json", results.toPrettyString());
      put(archive, "status-of-the-servers.json", status.toPrettyString());
      put(archive, "configuration.json", configuration.toPrettyString());
      put(archive, "log-of-the-server.txt", String.join("\n", serverLog));
      put(archive, "log-of-the-process.txt", endOfLog());
      put(archive, "rows.json", rows().toPrettyString());
    }
  }

  private void learn() throws IOException {
    secrets.learn(configured.environment());
    for (String name : SECRET_FILES) {
      Path file = home.resolve(name);
      if (Files.isReadable(file)) {
        byte[] key = Files.readAllBytes(file);
        secrets.learn(HexFormat.of().formatHex(key));
        secrets.learn(new String(key, StandardCharsets.UTF_8).strip());
      }
    }
    Path announced = home.resolve("server.json");
    if (Files.isReadable(announced)) {
      secrets.learn(Json.MAPPER.readTree(announced.toFile()).path("token").asText());
    }
  }

  private void put(ZipOutputStream archive, String name, String text) throws IOException {
    archive.putNextEntry(new ZipEntry(name));
    archive.write(secrets.without(text).getBytes(StandardCharsets.UTF_8));
    archive.closeEntry();
  }

  private static String versions(String version) {
    StringBuilder text = new StringBuilder("orrery " + version + "\n");
    for (String property :
        List.of(
            "java.version", "java.vendor", "os.name", "os.version", "os.arch", "file.encoding")) {
      text.append(property).append(' ').append(System.getProperty(property)).append('\n');
    }
    return text.append(Runtime.getRuntime().availableProcessors())
        .append(" processors\n")
        .toString();
  }

  /** The last lines of a server in the background. */
  private String endOfLog() throws IOException {
    Path log = home.resolve("logs").resolve("server.log");
    if (!Files.isReadable(log)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] end = new byte[(int) Math.min(file.length(), LOG_BYTES)];
      file.seek(file.length() - end.length);
      file.readFully(end);
      return new String(end, StandardCharsets.UTF_8);
    }
  }

  private JsonNode rows() {
    ObjectNode counts = Json.MAPPER.createObjectNode();
    for (String name : List.of("orrery.db", "metrics/chunks.db")) {
      Path database = home.resolve(name);
      if (!Files.isReadable(database)) {
        continue;
      }
      ObjectNode tables = counts.putObject(name);
      try (SqliteFile opened = SqliteFile.open(database)) {
        for (String table :
            opened.read(
                "select name from sqlite_master where type = 'table' order by name",
                row -> row.text("name"))) {
          String sql = "select count(*) as n from \"" + table.replace("\"", "\"\"") + "\"";
          opened.read(sql, row -> row.integer("n")).forEach(n -> tables.put(table, n));
        }
      } catch (IOException e) {
        tables.put("fault", e.getMessage());
      }
    }
    return counts;
  }
}
