package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.file.MarkFile;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a database that is missing, shorter, damaged or another's is no new one (F1). */
@ExtendWith(VertxExtension.class)
class SqliteMarkTest {
  @TempDir Path temp;
  private Path directory;
  private Path file;
  private Vertx vertx;

  @BeforeEach
  void aDatabaseWithRows(Vertx injected) throws Exception {
    vertx = injected;
    directory = filled("mine");
    file = directory.resolve("orrery.db");
  }

  private Path filled(String name) throws Exception {
    Path made = Files.createDirectories(temp.resolve(name));
    SqliteStore store = SqliteStore.openKept(vertx, made.resolve("orrery.db"));
    write(store, "create table items (id integer, text text)");
    insert(store, 0, 200);
    Await.success(store.close());
    return made;
  }

  private static void insert(SqliteStore store, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      write(store, "insert into items values (" + i + ", '" + "x".repeat(200) + "')");
    }
  }

  private static void write(SqliteStore store, String sql) throws Exception {
    Await.success(store.write(List.of(Statement.of(sql))));
  }

  private void has(Path directory, int rows) throws Exception {
    SqliteStore store = SqliteStore.openKept(vertx, directory.resolve("orrery.db"));
    assertThat(
            Await.success(
                store.read(
                    Statement.of("select count(*) as n from items"), row -> row.integer("n"))))
        .containsExactly((long) rows);
    Await.success(store.close());
  }

  private void refuses(Path directory, Path changed, byte[] content) throws Exception {
    byte[] right = Files.readAllBytes(changed);
    byte[] mark = Files.readAllBytes(directory.resolve("orrery.db.mark"));
    Files.write(changed, content);
    assertThatThrownBy(() -> SqliteStore.openKept(vertx, directory.resolve("orrery.db")))
        .as("%d of %d bytes", content.length, right.length)
        .hasMessageContaining(changed.toString());
    Files.write(changed, right);
    Files.write(directory.resolve("orrery.db.mark"), mark);
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] damaged = bytes.clone();
    damaged[at] ^= 0x10;
    return damaged;
  }

  @Test
  void ofAClosedDatabaseEveryByteCounts() throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 3; at < bytes.length; at += bytes.length / 7) {
      refuses(directory, file, flipped(bytes, at));
    }
    for (int length : new int[] {bytes.length - 4096, bytes.length - 1, 100, 0}) {
      refuses(directory, file, Arrays.copyOf(bytes, length));
    }
    refuses(directory, file, Files.readAllBytes(filled("other").resolve("orrery.db")));
    Files.delete(file);
    assertThatThrownBy(() -> SqliteStore.openKept(vertx, file))
        .hasMessageContaining(file + " is missing");
    Files.write(file, bytes);

    has(directory, 200);
  }

  @Test
  void aLogOfAnotherTimeIsNotReadInto() throws Exception {
    Files.write(directory.resolve("orrery.db-wal"), new byte[4_000]);

    assertThatThrownBy(() -> SqliteStore.openKept(vertx, file))
        .hasMessageContaining("orrery.db-wal");
  }

  @Test
  void withoutItsMarkADatabaseHasAllThatItHad() throws Exception {
    Path mark = directory.resolve("orrery.db.mark");
    for (int at : new int[] {50, 3_000}) {
      Files.write(mark, flipped(Files.readAllBytes(mark), at));
      has(directory, 200);
    }
    Files.write(mark, new byte[0]);
    has(directory, 200);
    Files.delete(mark);
    has(directory, 200);
    Files.delete(file);
    assertThatThrownBy(() -> SqliteStore.openKept(vertx, file))
        .as("the mark was made anew")
        .hasMessageContaining("is missing");
  }

  /** As kill -9 leaves it: the mark has caught up, and nothing was closed. */
  @Test
  void ofAKilledDatabaseTheLastCommitIsNoTornTail() throws Exception {
    SqliteStore store = SqliteStore.openKept(vertx, file);
    insert(store, 200, 220);
    await().until(() -> frames() >= 20);
    Path killed = copy("killed");
    Path again = copy("again");
    Await.success(store.close());

    Path log = killed.resolve("orrery.db-wal");
    byte[] bytes = Files.readAllBytes(log);
    int end = 32 + frames() * (4096 + 24);
    for (int at : new int[] {2, 100, end / 2, end - 1}) {
      refuses(killed, log, flipped(bytes, at));
    }
    for (int length : new int[] {end - 1, end / 2, 10, 0}) {
      refuses(killed, log, Arrays.copyOf(bytes, length));
    }
    Files.delete(log);
    assertThatThrownBy(() -> SqliteStore.openKept(vertx, killed.resolve("orrery.db")))
        .hasMessageContaining(log + " is missing");
    Files.write(log, bytes);
    Files.write(killed.resolve("orrery.db-shm"), new byte[100]);
    has(killed, 220);
    has(again, 220);
    has(again, 220);
  }

  /** The log is begun anew when all of it is in the database, again and again. */
  @Test
  void aKilledDatabaseOfManyCommitsIsSound() throws Exception {
    SqliteStore store = SqliteStore.openKept(vertx, file);
    write(store, "create table large (bytes blob)");
    for (int i = 0; i < 40; i++) {
      write(store, "insert into large values (zeroblob(400000))");
      if (i % 8 == 0) {
        has(quiet("killed" + i), 200);
      }
    }
    Await.success(store.close());
    has(directory, 200);
  }

  /** A copy of what has come to rest. */
  private Path quiet(String name) throws Exception {
    await()
        .until(() -> {
          int before = frames();
          return before == frames();
        });
    return copy(name);
  }

  private int frames() throws IOException {
    return MarkFile.read(directory.resolve("orrery.db.mark"))
            instanceof MarkFile.Found.Known(JsonNode record)
        ? record.path("log").path("frames").asInt()
        : 0;
  }

  /** The mark first: it may be behind, never ahead. */
  private Path copy(String name) throws IOException {
    Path copy = Files.createDirectories(temp.resolve(name));
    Files.copy(directory.resolve("orrery.db.mark"), copy.resolve("orrery.db.mark"));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path each : files.filter(each -> !each.toString().endsWith(".mark")).toList()) {
        Files.copy(each, copy.resolve(each.getFileName()));
      }
    }
    return copy;
  }
}
