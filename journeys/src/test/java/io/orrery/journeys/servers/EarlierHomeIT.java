package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes a home back to the schema of version 0.1.0, with what is in it, and starts a server on it.
 */
class EarlierHomeIT {
  private static final String EXPERIMENTS = "/io/orrery/orchestrator/experiment/store/";
  private static final String METRICS = "/io/orrery/metrics/store/";

  /** The migrations of 0.1.0, by module. */
  private static final Map<String, List<String>> SCHEMA =
      Map.of(
          "orchestrator",
          List.of(
              EXPERIMENTS + "0001-experiments-and-trials.sql",
              EXPERIMENTS + "0002-execution-time.sql",
              EXPERIMENTS + "0003-trials-by-metric.sql",
              EXPERIMENTS + "0004-host.sql",
              EXPERIMENTS + "0005-trial-sets.sql",
              EXPERIMENTS + "0006-what-moves.sql",
              EXPERIMENTS + "0007-best-first.sql"),
          "metrics",
          List.of(
              METRICS + "0001-chunks.sql",
              METRICS + "0002-deletions.sql",
              METRICS + "0003-rollups.sql"));

  @TempDir Path temp;

  private static Connection open(String file) throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private static void run(Connection database, String sql) throws Exception {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Set<String> texts(Connection database, String query) throws Exception {
    Set<String> found = new TreeSet<>();
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  private static Set<String> named(Connection database, String kind) throws Exception {
    return texts(
        database,
        "select name from sqlite_master where type = '%s' and name not like 'sqlite_%%'"
            .formatted(kind));
  }

  private static Set<String> columns(Connection database, String table) throws Exception {
    return texts(database, "select name from pragma_table_info('" + table + "')");
  }

  private static Connection earlier() throws Exception {
    Connection database = open(":memory:");
    for (List<String> files : SCHEMA.values()) {
      for (String file : files) {
        try (InputStream in = EarlierHomeIT.class.getResourceAsStream(file)) {
          String sql =
              new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
          for (String each : sql.replaceAll("(?m)--.*$", "").split(";")) {
            if (!each.isBlank()) {
              run(database, each);
            }
          }
        }
      }
    }
    return database;
  }

  /** Takes away what came after 0.1.0; what was taken away. */
  private static List<String> takeBack(Path file) throws Exception {
    List<String> taken = new ArrayList<>();
    try (Connection earlier = earlier();
        Connection now = open(file.toString())) {
      Map<String, Set<String>> tables = new TreeMap<>();
      for (String table : named(earlier, "table")) {
        tables.put(table, columns(earlier, table));
      }
      Set<String> indexes = named(earlier, "index");
      for (String index : named(now, "index")) {
        if (!indexes.contains(index)) {
          run(now, "drop index " + index);
        }
      }
      for (String table : named(now, "table")) {
        Set<String> columns = tables.get(table);
        if (table.equals("migrations")) {
          continue;
        }
        if (columns == null) {
          run(now, "drop table " + table);
          taken.add(table);
        } else {
          for (String column : columns(now, table)) {
            if (!columns.contains(column)) {
              run(now, "alter table " + table + " drop column " + column);
              taken.add(table + "." + column);
            }
          }
        }
      }
      run(now, "delete from migrations where module not in ('orchestrator', 'metrics')");
      for (Map.Entry<String, List<String>> module : SCHEMA.entrySet()) {
        run(
            now,
            "delete from migrations where module = '%s' and number > %d"
                .formatted(module.getKey(), module.getValue().size()));
      }
    }
    return taken;
  }

  @Test
  @Timeout(300)
  void whatVersion010StoredIsThereAndGoesOn() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = server.post("/experiments", NumberedTrials.config(temp, 2, 3)).get("id").textValue();
      server.awaitStatus(id, Duration.ofSeconds(90), "DONE");
    }
    assertThat(takeBack(home.resolve("orrery.db")))
        .contains("experiments.project", "projects", "runs");
    // It says how large the file was, which is smaller now.
    Files.delete(home.resolve("orrery.db.mark"));

    try (ServerProcess server = ServerProcess.start(home)) {
      JsonNode experiment = server.get("/experiments/" + id);
      assertThat(experiment.path("status").asText()).isEqualTo("DONE");
      assertThat(experiment.path("project").asText()).isEqualTo("public");
      NumberedTrials.check(home, id, server.trials(id), 3);
      // It goes on with more trials, and what is newer is stored beside it.
      server.patch("/experiments/" + id, "{\"maxTrialNumber\": 5}");
      server.awaitStatus(id, Duration.ofSeconds(90), "DONE");
      NumberedTrials.check(home, id, server.trials(id), 5);
      assertThat(server.get("/projects").path("items")).isNotEmpty();
    }
  }
}
