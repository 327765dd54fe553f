package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the locks of an open store stay, by which another process sees that it is in use. */
class SqliteLocksTest {
  @TempDir Path folder;

  @Test
  void theLockOfTheIndexStaysWhenTheMarkIsWritten() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Path file = folder.resolve("x.db");
      SqliteStore store = SqliteStore.openKept(vertx, file);
      Path mark = folder.resolve("x.db.mark");
      FileTime before = Files.getLastModifiedTime(mark);
      store
          .write(List.of(Statement.of("create table t (a integer)")))
          .toCompletionStage()
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS);
      await().until(() -> Files.getLastModifiedTime(mark).compareTo(before) > 0);

      assertThat(locked(folder.resolve("x.db-shm"))).isTrue();

      try (SqliteFile other = SqliteFile.open(file)) {
        other.copyTo(folder.resolve("copy.db"));
      }
      store.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      assertThat(folder.resolve("copy.db")).isNotEmptyFile();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  private static boolean locked(Path file) throws Exception {
    String place = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(line ->
            line.contains(place) && line.contains(" " + ProcessHandle.current().pid() + " "));
  }
}
