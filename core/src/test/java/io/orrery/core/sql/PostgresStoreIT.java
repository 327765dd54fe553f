package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PostgresStoreIT extends StoreContract {
  private static final StoreOwner ONE = new StoreOwner("one", "the first home");
  private static final StoreOwner TWO = new StoreOwner("two", "the second home");

  private static final DatabaseTimeouts HASTE =
      new DatabaseTimeouts(
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMillis(500),
          Duration.ofMillis(1_500));

  private final Map<Path, String> databases = new HashMap<>();

  @Override
  protected Store open(Vertx on, Path in) {
    return open(on, url(in), ONE);
  }

  private String url(Path in) {
    return databases.computeIfAbsent(in, fresh -> PostgresServer.newDatabase());
  }

  private static PostgresStore open(Vertx on, String url, StoreOwner owner) {
    return PostgresStore.open(
        on, address(url), owner, Tenancy.SOLE, HASTE, GroupCommit.QUEUE_LIMIT);
  }

  private static PostgresAddress address(String url) {
    return PostgresAddress.parse(url, Map.of());
  }

  private static Problem refusal(Vertx on, String url, StoreOwner owner) {
    try {
      open(on, url, owner);
      throw new AssertionError("it was opened");
    } catch (ProblemException e) {
      return e.problem();
    }
  }

  private String ended() throws Exception {
    return PostgresServer.tell(
        url(directory),
        "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            + " where application_name = 'orrery one' and datname = current_database()");
  }

  @Test
  void aCommitIsOnDiskWhenItIsAnswered() throws Exception {
    assertThat(PostgresServer.tell(url(directory), "show fsync")).isEqualTo("on");
    PostgresServer.tell(
        url(directory),
        "do $$ begin execute 'alter database ' || current_database()"
            + " || ' set synchronous_commit = off'; end $$");
    ended();
    Await.success(
        store.write(
            List.of(
                Statement.of(
                    "insert into items (id, text) values (1,"
                        + " current_setting('synchronous_commit'))"))));

    assertThat(
            Await.success(
                store.read(Statement.of("select text from items"), row -> row.text("text"))))
        .containsExactly("on");
  }

  @Test
  void aFullQueueIsBusyAndTakesNothing() throws Exception {
    String url = PostgresServer.newDatabase();
    PostgresStore narrow = PostgresStore.open(vertx, address(url), TWO, Tenancy.SOLE, HASTE, 2);
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
    assertThat(PostgresServer.tell(url, "select count(*) from items")).isEqualTo("" + taken);
    Await.success(narrow.close());
  }

  @Test
  void connectionsThatBreakInTheMiddleOfCommitsLoseNothingAndDoNothingTwice() throws Exception {
    Await.success(store.write(List.of(Statement.of("create table log (id integer)"))));
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 3_000; i++) {
      writes.add(
          store.write(List.of(insert(i), Statement.of("insert into log (id) values (?)", i))));
      if (i % 100 == 99) {
        ended();
      }
    }
    List<Future<List<Long>>> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      reads.add(
          store.read(Statement.of("select count(*) as n from items"), row -> row.integer("n")));
    }

    Await.success(Future.all(writes));
    Await.success(Future.all(reads));
    assertThat(ids()).containsExactlyElementsOf(LongStream.range(0, 3_000).boxed().toList());
    assertThat(PostgresServer.tell(url(directory), "select count(*) from log")).isEqualTo("3000");
  }

  @ParameterizedTest
  @EnumSource(
      value = CuttingProxy.Next.class,
      names = {"IS_LOST", "IS_NOT_ANSWERED"})
  void aCommitWhoseAnswerIsLostIsLookedUpAndMadeOnce(CuttingProxy.Next fate) throws Exception {
    String url = PostgresServer.newDatabase();
    int port = Integer.parseInt(url.replaceAll(".*:([0-9]+)/.*", "$1"));
    CuttingProxy proxy = CuttingProxy.before(vertx, port);
    String through = url.replace(":" + port + "/", ":" + Await.success(proxy.listen()) + "/");
    PostgresStore over = open(vertx, through, ONE);
    Await.success(over.write(List.of(Statement.of("create table items (id integer primary key)"))));
    Await.success(over.write(List.of(Statement.of("create table sum (n integer)"))));
    Await.success(over.write(List.of(Statement.of("insert into sum (n) values (0)"))));
    Statement more = Statement.of("update sum set n = n + 1");

    for (long i = 0; i < 5; i++) {
      proxy.commit(fate);
      Future<Void> good = over.write(List.of(insert(i), more));
      Future<Void> bad = over.write(List.of(insert(i), more));
      Await.success(good);
      assertThat(Await.failure(bad)).isInstanceOf(Problem.Broken.class);
      assertThat(proxy.hasCut()).isTrue();
    }

    assertThat(PostgresServer.tell(url, "select n from sum")).isEqualTo("5");
    assertThat(PostgresServer.tell(url, "select count(*) from items")).isEqualTo("5");
    Await.success(over.close());
  }

  @Test
  void aRestartOfTheDatabaseIsOnlySlow(@TempDir Path data) throws Exception {
    try (PostgresServer server = PostgresServer.start(data.resolve("pg"))) {
      PostgresStore over = open(vertx, server.database(), ONE);
      Await.success(over.write(List.of(Statement.of("create table items (id integer)"))));
      List<Future<Void>> writes = new ArrayList<>();
      for (long i = 0; i < 2_000; i++) {
        writes.add(over.write(List.of(insert(i))));
      }
      server.stop();
      writes.add(over.write(List.of(insert(2_000))));
      Future<List<Long>> count =
          over.read(Statement.of("select count(*) as n from items"), row -> row.integer("n"));
      server.startAgain();

      Await.success(Future.all(writes));
      assertThat(Await.success(count).getFirst()).isBetween(0L, 2_001L);
      assertThat(
              Await.success(
                  over.read(
                      Statement.of("select count(*) as n from items"), row -> row.integer("n"))))
          .containsExactly(2_001L);
      Await.success(over.close());
    }
  }

  @Test
  void aDatabaseThatStaysAwayIsLostAndEveryCallSaysSo(@TempDir Path data) throws Exception {
    DatabaseTimeouts short_ =
        new DatabaseTimeouts(
            HASTE.heartbeat(),
            HASTE.silence(),
            Duration.ofSeconds(1),
            HASTE.takeOver(),
            HASTE.takeoverDelay());
    PostgresServer server = PostgresServer.start(data.resolve("pg"));
    PostgresStore over =
        PostgresStore.open(
            vertx, address(server.database()), ONE, Tenancy.SOLE, short_, GroupCommit.QUEUE_LIMIT);
    server.stop();

    Problem problem = Await.success(over.lost());

    assertThat(problem.detail()).contains("away for 1 s").doesNotContain(":postgres@");
    assertThat(Await.failure(over.write(List.of(insert(1))))).isEqualTo(problem);
    assertThat(Await.failure(over.read(Statement.of("select 1 as n"), row -> row.integer("n"))))
        .isEqualTo(problem);
    Await.success(over.close());
  }

  @Test
  void aSecondServerIsRefusedAndToldOfTheFirst() {
    Problem problem = refusal(vertx, url(directory), TWO);

    assertThat(problem).isInstanceOf(Problem.Conflict.class);
    assertThat(problem.detail())
        .contains("another Orrery server")
        .contains("the first home")
        .doesNotContain("postgres:postgres");
  }

  @Test
  void aServerThatClosesItsStoreIsFollowedAtOnce() throws Exception {
    Await.success(store.close());

    long began = System.nanoTime();
    store = open(vertx, url(directory), TWO);

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(HASTE.takeoverDelay());
  }

  @Test
  void aServerThatIsReplacedWritesNothingMore() throws Exception {
    Await.success(store.write(List.of(insert(1))));
    // The lock is taken from it as by a database that believes its client is gone.
    PostgresServer.tell(
        url(directory), "update store_owner set epoch = epoch + 1, description = 'another'");
    ended();

    Problem problem = Await.failure(store.write(List.of(insert(2))));

    assertThat(problem).isInstanceOf(Problem.Conflict.class);
    assertThat(problem.detail()).contains("taken over").contains("another");
    assertThat(Await.success(((PostgresStore) store).lost())).isEqualTo(problem);
    assertThat(PostgresServer.tell(url(directory), "select count(*) from items")).isEqualTo("1");
  }

  @Test
  void aServerThatDidNotSayGoodbyeIsWaitedForByAnotherButNotByItself() throws Exception {
    Await.success(store.write(List.of(insert(1))));
    PostgresServer.tell(
        url(directory), "update store_owner set epoch = epoch + 1"); // as if it had been killed
    ended();
    Await.success(((PostgresStore) store).lost());
    PostgresServer.tell(url(directory), "update store_owner set said_goodbye = 0, owner = 'one'");

    long began = System.nanoTime();
    PostgresStore itself = open(vertx, url(directory), ONE);
    Duration forItself = Duration.ofNanos(System.nanoTime() - began);
    Await.success(itself.close());
    PostgresServer.tell(url(directory), "update store_owner set said_goodbye = 0");
    began = System.nanoTime();
    PostgresStore stranger = open(vertx, url(directory), TWO);
    Duration forTheStranger = Duration.ofNanos(System.nanoTime() - began);
    Await.success(stranger.close());

    assertThat(forItself).isLessThan(HASTE.takeoverDelay());
    assertThat(forTheStranger).isGreaterThanOrEqualTo(HASTE.takeoverDelay());
  }

  private PostgresStore share(String url, StoreOwner owner) {
    return PostgresStore.open(
        vertx, address(url), owner, Tenancy.SHARED, HASTE, GroupCommit.QUEUE_LIMIT);
  }

  @Test
  void serversThatShareADatabaseAllWriteAndKeepOutAServerThatWantsItAlone() throws Exception {
    String url = PostgresServer.newDatabase();
    PostgresStore one = share(url, ONE);
    PostgresStore two = share(url, TWO);
    Await.success(one.write(List.of(Statement.of("create table items (id integer)"))));
    List<Future<Void>> writes = new ArrayList<>();
    for (long i = 0; i < 1_000; i++) {
      writes.add((i % 2 == 0 ? one : two).write(List.of(insert(i))));
      if (i % 100 == 99) {
        PostgresServer.tell(
            url,
            "select count(pg_terminate_backend(pid)) from pg_stat_activity"
                + " where application_name like 'orrery %' and datname = current_database()");
      }
    }
    Await.success(Future.all(writes));

    assertThat(PostgresServer.tell(url, "select count(distinct id) || ' ' || count(*) from items"))
        .isEqualTo("1000 1000");
    assertThat(refusal(vertx, url, new StoreOwner("three", "the third home")).detail())
        .contains("another Orrery server uses the database")
        .contains("home");
    Await.success(one.close());
    Await.success(two.close());
    Await.success(open(vertx, url, ONE).close());
  }

  @Test
  void aServerThatHasADatabaseAloneKeepsOutThoseThatWantToShareIt() throws Exception {
    try {
      share(url(directory), TWO);
      throw new AssertionError("it was opened");
    } catch (ProblemException e) {
      assertThat(e.problem().detail()).contains("the first home");
    }
  }

  @Test
  void aNulIsReplacedBecauseNoTextCanHoldIt() throws Exception {
    Await.success(
        store.write(
            List.of(Statement.of("insert into items (id, text) values (1, ?)", "a\u0000b?"))));

    assertThat(
            Await.success(
                store.read(
                    Statement.of("select text from items where text like '%?'"),
                    row -> row.text("text"))))
        .containsExactly("a\uFFFDb?");
  }

  @Test
  void whatIsWrongWithADatabaseIsSaidWithWhatToDo() {
    String url = url(directory);

    assertThat(refusal(vertx, url.replaceAll(":[0-9]+/", ":1/"), TWO).detail())
        .contains("@127.0.0.1:1/")
        .contains("refused")
        .contains("start it, or correct store.url");
    assertThat(refusal(vertx, url.replaceAll("[^/]+$", "nowhere"), TWO).detail())
        .contains("nowhere")
        .contains("createdb");
    assertThat(refusal(vertx, url.replace("127.0.0.1", "nowhere.invalid"), TWO).detail())
        .contains("nowhere.invalid");
  }
}
