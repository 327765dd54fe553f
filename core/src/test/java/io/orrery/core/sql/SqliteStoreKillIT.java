package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that what was acknowledged outlives a killed process. */
class SqliteStoreKillIT {
  @TempDir Path directory;

  @Test
  void everyAcknowledgedWriteIsThereAfterAKill() throws Exception {
    Random random = new Random(20260101);
    for (int round = 0; round < 3; round++) {
      Path file = directory.resolve("round" + round + ".db");
      List<Long> acknowledged = writeAndKill(file, 1 + random.nextInt(3_000));

      Vertx vertx = Vertx.vertx();
      Store store = SqliteStore.open(vertx, file);
      List<Long> whole =
          Await.success(
              store.read(
                  Statement.of("select id from rows where half = 'whole' order by id"),
                  row -> row.integer("id")));
      List<Long> all =
          Await.success(store.read(Statement.of("select id from rows"), row -> row.integer("id")));
      Await.success(store.close());
      Await.success(vertx.close());

      assertThat(whole).containsAll(acknowledged).hasSameSizeAs(all);
    }
  }

  /** Kills the writer when it has acknowledged so many rows; returns all that it acknowledged. */
  private static List<Long> writeAndKill(Path file, int rows) throws Exception {
    Process writer =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AcknowledgedWriter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<Long> acknowledged = new ArrayList<>();
    try (BufferedReader lines = writer.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.matches("[0-9]+")) {
          break; // cut off by the kill
        }
        acknowledged.add(Long.valueOf(line));
        if (acknowledged.size() == rows) {
          writer.toHandle().destroyForcibly(); // leaves what it printed readable
        }
      }
    } finally {
      writer.destroyForcibly();
    }
    assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(rows);
    return acknowledged;
  }
}
