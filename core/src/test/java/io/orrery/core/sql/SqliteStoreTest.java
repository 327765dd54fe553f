package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteStoreTest extends StoreContract {
  @Override
  protected Store open(Vertx on, Path in) {
    return SqliteStore.open(on, in.resolve("test.db"));
  }

  @Test
  void theFileIsForItsOwnerAloneWhereverItLies() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Store mine = SqliteStore.open(vertx, directory.resolve("mine.db"));
    Await.success(mine.write(List.of(Statement.of("create table secrets (id integer)"))));

    try (var files = Files.newDirectoryStream(directory, "mine.db*")) {
      for (Path file : files) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
    Await.success(mine.probe());
    Await.success(mine.close());
  }

  @Test
  void statisticsOfSmallerDaysAreForgotten() throws Exception {
    Store mine = SqliteStore.open(vertx, directory.resolve("mine.db"));
    Await.success(
        mine.write(
            List.of(
                Statement.of("create table items (id integer)"),
                Statement.of("create index by_id on items (id)"),
                Statement.of("insert into items values (1)"),
                Statement.of("analyze"))));
    Await.success(mine.close());

    Store again = SqliteStore.open(vertx, directory.resolve("mine.db"));

    assertThat(
            Await.success(
                again.read(
                    Statement.of("select name from sqlite_master where name like 'sqlite_stat%'"),
                    row -> row.text("name"))))
        .isEmpty();
    Await.success(again.close());
  }

  @Test
  void aFileKeepsThePagesThatItWasMadeWith() throws Exception {
    Path file = directory.resolve("large.db");
    assertThat(pages(SqliteStore.openForLargeValues(vertx, file))).containsExactly(16_384L, 256L);
    assertThat(pages(SqliteStore.open(vertx, file))).containsExactly(16_384L, 256L);

    Path older = directory.resolve("small.db");
    assertThat(pages(SqliteStore.open(vertx, older))).containsExactly(4_096L, 1_024L);
    assertThat(pages(SqliteStore.openForLargeValues(vertx, older))).containsExactly(4_096L, 1_024L);
  }

  /** The bytes of a page, and after how many pages the journal is brought into the file. */
  private static List<Long> pages(SqliteStore store) throws Exception {
    Await.success(store.write(List.of(Statement.of("create table if not exists t (a integer)"))));
    List<Long> pages =
        List.of(
            Await.success(
                    store.read(Statement.of("pragma page_size"), row -> row.integer("page_size")))
                .getFirst(),
            Await.success(
                    store.read(
                        Statement.of("pragma wal_autocheckpoint"),
                        row -> row.integer("wal_autocheckpoint")))
                .getFirst());
    Await.success(store.close());
    return pages;
  }

  @Test
  void aFullQueueIsBusyAndTakesNothing() throws Exception {
    Store narrow = SqliteStore.open(vertx, directory.resolve("narrow.db"), 2);
    Await.success(narrow.write(List.of(Statement.of("create table items (id integer)"))));
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      writes.add(narrow.write(List.of(insert(i))));
    }

    int taken = 0;
    for (Future<Void> write : writes) {
      if (write.failed()) {
        assertThat(Await.failure(write)).isInstanceOf(Problem.Busy.class);
      } else {
        Await.success(write);
        taken++;
      }
    }

    assertThat(taken).isBetween(2, 1_999);
    assertThat(
            Await.success(
                narrow.read(
                    Statement.of("select count(*) as n from items"), row -> row.integer("n"))))
        .containsExactly((long) taken);
    Await.success(narrow.close());
  }

  /** As after a full disk, which the driver treats like any other failure while it runs. */
  @Test
  void aStatementThatFailedOnceCanBeUsedAgain() throws Exception {
    String sql = "insert into numbers values (abs(?))";
    Await.success(store.write(List.of(Statement.of("create table numbers (n integer)"))));

    Await.failure(store.write(List.of(Statement.of(sql, Long.MIN_VALUE))));
    Await.success(store.write(List.of(Statement.of(sql, -7L))));

    assertThat(
            Await.success(
                store.read(Statement.of("select n from numbers"), row -> row.integer("n"))))
        .containsExactly(7L);
  }

  @Test
  void aFileThatIsNoStoreIsRefusedWithItsName() throws Exception {
    Path file = Files.writeString(directory.resolve("text.db"), "no database".repeat(99));

    assertThat(catchThrowable(() -> SqliteStore.open(vertx, file))).hasMessageContaining("text.db");
  }
}
