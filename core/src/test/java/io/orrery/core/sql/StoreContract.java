package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.check.CheckResult;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every store; each engine runs it. */
public abstract class StoreContract {
  private static final String TABLE =
      "create table items (id integer primary key, real double precision, text text, blob %s)";

  @TempDir Path directory;
  Vertx vertx;
  Store store;

  /** Opens the store that lives in a directory, and makes it when it is not there. */
  protected abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void openStore() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    String blob =
        switch (store.engine()) {
          case SQLITE -> "blob";
          case POSTGRESQL -> "bytea";
        };
    Await.success(store.write(List.of(Statement.of(TABLE.formatted(blob)))));
  }

  @AfterEach
  void closeStore() throws Exception {
    Await.success(store.close());
    Await.success(vertx.close());
  }

  static Statement insert(long id) {
    return Statement.of("insert into items (id) values (?)", id);
  }

  List<Long> ids() throws Exception {
    return Await.success(
        store.read(Statement.of("select id from items order by id"), row -> row.integer("id")));
  }

  @Test
  void aWriteIsAllOrNothing() throws Exception {
    Problem problem = Await.failure(store.write(List.of(insert(1), insert(2), insert(1))));

    assertThat(problem).isInstanceOf(Problem.Broken.class);
    assertThat(ids()).isEmpty();
  }

  @Test
  void aFailedWriteDoesNotDisturbItsNeighbours() throws Exception {
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 300; i++) {
      boolean bad = i % 3 == 1;
      writes.add(
          store.write(
              bad
                  ? List.of(insert(i), Statement.of("delete from items where id = -1").expecting(1))
                  : List.of(insert(i))));
    }

    for (int i = 0; i < writes.size(); i++) {
      if (i % 3 == 1) {
        assertThat(Await.failure(writes.get(i))).isInstanceOf(Problem.Conflict.class);
      } else {
        Await.success(writes.get(i));
      }
    }
    assertThat(ids())
        .containsExactlyElementsOf(
            LongStream.range(0, 300).filter(i -> i % 3 != 1).boxed().toList());
  }

  @Test
  void aWriteThatTouchesAnotherNumberOfRowsIsAConflictAndLeavesNoTrace() throws Exception {
    Await.success(store.write(List.of(insert(1))));
    Statement update = Statement.of("update items set text = ? where id > ?", "changed", 0);

    Await.success(store.write(List.of(insert(2), update.expecting(2))));
    Problem problem = Await.failure(store.write(List.of(insert(3), update.expecting(2))));

    assertThat(problem).isEqualTo(new Problem.Conflict("expected 2 rows, touched 3"));
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @Test
  void writesCompleteInTheOrderInWhichTheyWereHandedIn() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    Promise<Void> all = Promise.promise();
    vertx.runOnContext(go -> {
      List<Future<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        int number = i;
        writes.add(store.write(List.of(insert(i))).onSuccess(done -> order.add(number)));
      }
      Future.all(writes).<Void>mapEmpty().onComplete(all);
    });

    Await.success(all.future());
    assertThat(order).hasSize(500).isSorted();
  }

  @Test
  void futuresCompleteOnTheContextThatAsked() throws Exception {
    Promise<Boolean> same = Promise.promise();
    vertx.runOnContext(go -> {
      Context asking = vertx.getOrCreateContext();
      store
          .write(List.of(insert(1)))
          .compose(done -> {
            boolean written = Vertx.currentContext() == asking;
            return store
                .read(Statement.of("select id from items"), row -> row.integer("id"))
                .map(rows -> written && Vertx.currentContext() == asking);
          })
          .onComplete(same);
    });

    assertThat(Await.success(same.future())).isTrue();
  }

  @Test
  void numbersThatAreNotFiniteStayWhatTheyAre() throws Exception {
    List<Double> values =
        Arrays.asList(
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            0.1,
            1e308,
            Double.MIN_VALUE,
            null);
    for (int i = 0; i < values.size(); i++) {
      Await.success(
          store.write(
              List.of(
                  Statement.of("insert into items (id, real) values (?, ?)", i, values.get(i)))));
    }

    assertThat(
            Await.success(
                store.read(
                    Statement.of("select real from items order by id"),
                    row -> Optional.ofNullable(row.realOrNull("real")))))
        .containsExactlyElementsOf(values.stream().map(Optional::ofNullable).toList());
  }

  @Test
  void textBytesBooleansAndNullsComeBack() throws Exception {
    byte[] bytes = "\u0000ÿ\n".getBytes(StandardCharsets.ISO_8859_1);
    Await.success(
        store.write(
            List.of(
                Statement.of(
                    "insert into items (id, text, blob) values (?, ?, ?)",
                    true,
                    "ü\u0001✓😀",
                    bytes),
                insert(2),
                Statement.of(
                    "insert into items (id, text, blob) values (?, ?, ?)", 3, "", new byte[0]))));

    record Item(@Nullable String text, byte @Nullable [] blob) {}
    List<Item> items =
        Await.success(
            store.read(
                Statement.of("select text, blob from items order by id"),
                row -> new Item(row.textOrNull("text"), row.blobOrNull("blob"))));

    assertThat(items.get(0).text()).isEqualTo("ü\u0001✓😀");
    assertThat(items.get(0).blob()).isEqualTo(bytes);
    assertThat(items.get(1)).isEqualTo(new Item(null, null));
    assertThat(items.get(2).text()).isEmpty();
    assertThat(items.get(2).blob()).isEmpty();
  }

  @Test
  void readersSeeWholeWritesOnly() throws Exception {
    Future<Void> last = Future.succeededFuture();
    List<Future<List<Long>>> counts = new ArrayList<>();
    for (long i = 0; i < 200; i++) {
      last = store.write(List.of(insert(2 * i), insert(2 * i + 1)));
      counts.add(
          store.read(Statement.of("select count(*) as n from items"), row -> row.integer("n")));
    }
    Await.success(last);

    for (Future<List<Long>> count : counts) {
      assertThat(Await.success(count).getFirst() % 2).isZero();
    }
    assertThat(ids()).hasSize(400);
  }

  @Test
  void tenThousandSmallWritesAreTakenAtOnce() throws Exception {
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 10_000; i++) {
      writes.add(store.write(List.of(insert(i))));
    }

    Await.success(Future.all(writes));
    assertThat(ids()).hasSize(10_000);
  }

  @Test
  void closingFinishesWhatWasHandedIn() throws Exception {
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 1_000; i++) {
      writes.add(store.write(List.of(insert(i))));
    }
    Future<List<Long>> read =
        store.read(Statement.of("select count(*) as n from items"), row -> row.integer("n"));

    Await.success(store.close());

    assertThat(writes).allMatch(Future::isComplete).allMatch(Future::succeeded);
    assertThat(read.isComplete()).isTrue();
    assertThat(Await.failure(store.write(List.of(insert(-1))))).isInstanceOf(Problem.Broken.class);
    assertThat(Await.failure(store.read(Statement.of("select 1 as n"), row -> row.integer("n"))))
        .isInstanceOf(Problem.Broken.class);
    store = open(vertx, directory);
    assertThat(ids()).hasSize(1_000);
  }

  @Test
  void closingTwiceIsClosingOnce() throws Exception {
    Await.success(Future.all(store.close(), store.close()));
  }

  @Test
  void migrationsAreAppliedOnce() throws Exception {
    Migrations first = new Migrations("pets", StoreContract.class, List.of("0001-pets.sql"));
    Migrations second =
        new Migrations("pets", StoreContract.class, List.of("0001-pets.sql", "0002-owners.sql"));

    Await.success(first.apply(store));
    Await.success(first.apply(store));
    Await.success(second.apply(store));
    Await.success(second.apply(store));

    assertThat(
            Await.success(
                store.read(
                    Statement.of("select name from pets where owner is null"),
                    row -> row.text("name"))))
        .containsExactly("first");
  }

  @Test
  void aMigrationMayBeOtherSqlOnAnotherEngine() throws Exception {
    Migrations photos = new Migrations("photos", StoreContract.class, List.of("0001-photos.sql"));

    Await.success(photos.apply(store));
    Await.success(
        store.write(
            List.of(Statement.of("insert into photos (pixels) values (?)", new byte[] {7}))));

    assertThat(
            Await.success(
                store.read(Statement.of("select pixels from photos"), row -> row.blob("pixels"))))
        .containsExactly(new byte[] {7});
  }

  @Test
  void aProgramWorksWithWhatANewerOneHasAdded() throws Exception {
    Migrations old = new Migrations("pets", StoreContract.class, List.of("0001-pets.sql"));
    Migrations recent =
        new Migrations("pets", StoreContract.class, List.of("0001-pets.sql", "0002-owners.sql"));
    Await.success(recent.apply(store));

    Await.success(old.apply(store));

    Await.success(
        store.write(List.of(Statement.of("insert into pets (name, age) values ('second', 7)"))));
    Await.success(recent.apply(store));
    assertThat(
            Await.success(
                store.read(
                    Statement.of("select name from pets where owner is null order by name"),
                    row -> row.text("name"))))
        .containsExactly("first", "second");
  }

  @Test
  void aStoreFromWhichANewerProductHasTakenSomethingIsRefused() throws Exception {
    Migrations old = new Migrations("pets", StoreContract.class, List.of("0001-pets.sql"));
    Migrations recent =
        new Migrations(
            "pets",
            StoreContract.class,
            List.of("0001-pets.sql", "0002-owners.sql", "0003-names-breaking.sql"));
    Await.success(recent.apply(store));

    Problem problem = Await.failure(old.apply(store));

    assertThat(problem).isInstanceOf(Problem.Broken.class);
    assertThat(problem.detail())
        .contains("version 3 of pets")
        .contains("newer Orrery")
        .contains("0003-names-breaking.sql");
  }

  @Test
  void aProgramStartsAfterTheReleaseThatFollowsItsOwnAndAfterNoLaterOne() throws Exception {
    StoreRelease before = new StoreRelease(6, "0.6");
    StoreRelease here = new StoreRelease(7, "0.7");
    StoreRelease next = new StoreRelease(8, "0.8");
    for (StoreRelease each : List.of(before, here, next, here, next)) {
      Await.success(each.open(store));
    }

    Problem problem = Await.failure(before.open(store));

    assertThat(problem).isInstanceOf(Problem.Conflict.class);
    assertThat(problem.detail())
        .contains("Orrery 0.8 has opened the database, and this is 0.6")
        .contains("start Orrery 0.8 or the release before it");
    assertThat(
            Await.success(
                store.read(
                    Statement.of("select name from store_release"), row -> row.text("name"))))
        .containsExactly("0.8");
  }

  @Test
  void aDatabaseOfALaterReleaseIsSaidByItsCheck() throws Exception {
    List<Migrations> known = List.of(StoreRelease.MIGRATIONS);
    Await.success(StoreRelease.CURRENT.open(store));
    assertThat(Await.success(DatabaseCheck.schema(vertx, store, known)))
        .extracting(CheckResult::state)
        .containsExactly(CheckResult.State.OK, CheckResult.State.OK);

    Await.success(new StoreRelease(StoreRelease.CURRENT.number() + 1, "next").open(store));
    assertThat(Await.success(DatabaseCheck.schema(vertx, store, known)))
        .extracting(CheckResult::state)
        .containsExactly(CheckResult.State.OK, CheckResult.State.OK);

    Await.success(new StoreRelease(StoreRelease.CURRENT.number() + 2, "later").open(store));
    CheckResult found = Await.success(DatabaseCheck.schema(vertx, store, known)).getFirst();
    assertThat(found.state()).isEqualTo(CheckResult.State.FAILED);
    assertThat(found.found()).startsWith("Orrery later has opened the database");
  }
}
