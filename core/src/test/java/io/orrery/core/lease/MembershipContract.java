package io.orrery.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.ServerRole;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Await;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of leases; run over each engine. */
@Timeout(120)
abstract class MembershipContract {
  private static final Duration LIFE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path directory;
  Vertx vertx;
  private final List<Store> stores = new ArrayList<>();
  private final List<Membership> members = new ArrayList<>();

  /** Opens a store of one database; the engine decides whether that is another each time. */
  abstract Store open();

  @BeforeEach
  void begin() throws Exception {
    vertx = Vertx.vertx();
    Await.success(
        store().write(List.of(Statement.of("create table items (id integer primary key)"))));
  }

  @AfterEach
  void end() throws Exception {
    for (Membership member : members) {
      Await.success(member.leave().otherwiseEmpty());
    }
    for (Store store : stores) {
      Await.success(store.close());
    }
    Await.success(vertx.close());
  }

  private Store store() {
    Store store = open();
    if (!stores.contains(store)) {
      stores.add(store);
    }
    return store;
  }

  private Membership member(Store store, Duration life) throws Exception {
    Membership member =
        Await.success(
            Membership.join(
                vertx,
                store,
                new SystemClock(vertx),
                () -> UUID.randomUUID().toString(),
                "http://127.0.0.1:1",
                "here",
                Set.of(ServerRole.TUNER, ServerRole.METRICS),
                "1.2.3",
                life));
    members.add(member);
    return member;
  }

  private static Lease taken(Leases leases, String name) throws Exception {
    return Await.success(leases.take(name)).orElseThrow();
  }

  /** Takes it as soon as it can be had. */
  private static Lease awaited(Leases leases, String name) throws Exception {
    Optional<Lease> lease = Await.success(leases.take(name));
    while (lease.isEmpty()) {
      Thread.sleep(20);
      lease = Await.success(leases.take(name));
    }
    return lease.get();
  }

  private List<Long> items() throws Exception {
    return Await.success(
        stores
            .getFirst()
            .read(Statement.of("select id from items order by id"), row -> row.integer("id")));
  }

  private static Future<Void> insert(Store store, long id) {
    return store.write(List.of(Statement.of("insert into items (id) values (?)", id)));
  }

  @Test
  void oneMemberAtATimeHoldsALease() throws Exception {
    Membership one = member(store(), LONG);
    Membership two = member(store(), LONG);
    Lease first = taken(one, "thing");

    assertThat(first.held()).isTrue();
    assertThat(Await.success(two.take("thing"))).isEmpty();
    assertThat(Await.success(two.holder("thing")))
        .hasValueSatisfying(holder -> assertThat(holder.epoch()).isEqualTo(first.epoch()));
    assertThat(taken(two, "another thing").held()).isTrue();
    assertThat(Await.success(one.held()))
        .extracting(Leases.Holder::name)
        .containsExactly("another thing", "thing");
    assertThat(Await.success(one.members())).hasSize(2);
    assertThat(one.holding()).isEqualTo(1);
  }

  @Test
  void aListenerHearsOfTheMembershipThatThereIs() throws Exception {
    Membership one = member(store(), LONG);
    List<String> heard = new ArrayList<>();

    one.onMembership(heard::add);

    assertThat(Await.success(one.members()))
        .extracting(Member::id)
        .containsExactlyElementsOf(heard);
  }

  @Test
  void ofManyWhoTakeALeaseAtOnceOneHasIt() throws Exception {
    List<Membership> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(member(store(), LONG));
    }
    for (int round = 0; round < 20; round++) {
      String name = "thing " + round;
      List<Future<Optional<Lease>>> takes =
          Stream.concat(all.stream(), all.reversed().stream())
              .map(member -> member.take(name))
              .toList();
      int taken = 0;
      for (Future<Optional<Lease>> take : takes) {
        taken += Await.success(take).isPresent() ? 1 : 0;
      }
      assertThat(taken).isEqualTo(1);
    }
  }

  @Test
  void whatIsGivenBackIsAnotherMembersUnderAHigherEpoch() throws Exception {
    Membership one = member(store(), LONG);
    Membership two = member(store(), LONG);
    Lease first = taken(one, "thing");

    Await.success(first.giveBack());
    Lease second = taken(two, "thing");

    assertThat(first.held()).isFalse();
    assertThat(first.lost().isComplete()).isFalse();
    assertThat(second.epoch()).isGreaterThan(first.epoch());
  }

  @Test
  void aMemberThatLeavesGivesEverythingBack() throws Exception {
    Membership one = member(store(), LONG);
    Membership two = member(store(), LONG);
    taken(one, "thing");

    Await.success(one.leave());

    assertThat(taken(two, "thing").epoch()).isEqualTo(2);
    assertThat(Await.success(two.members())).hasSize(1);
  }

  @Test
  void aMemberThatIsNotHeardOfStopsBeforeAnotherBegins() throws Exception {
    Silent quiet = new Silent(store());
    Membership one = member(quiet, LIFE);
    Membership two = member(store(), LONG);
    Lease first = taken(one, "thing");

    quiet.silent = true;
    Lease second = awaited(two, "thing");

    assertThat(first.held()).isFalse();
    assertThat(second.epoch()).isGreaterThan(first.epoch());
    Await.success(first.lost());
    assertThat(Await.failure(insert(first.fencing(stores.getFirst()), 1)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(items()).isEmpty();
    assertThat(one.lostSeats()).isEqualTo(1);
  }

  @Test
  void aMemberThatWasTakenForDeadComesBackAndHoldsNothing() throws Exception {
    Membership one = member(store(), LIFE);
    Membership two = member(store(), LONG);
    Lease first = taken(one, "thing");
    Await.success(
        stores
            .getFirst()
            .write(
                List.of(
                    Statement.of(
                        "delete from member where id = (select member from lease where name = ?)",
                        "thing"))));
    Lease second = awaited(two, "thing");

    Await.success(first.lost());
    Lease other = awaited(one, "another thing");

    assertThat(other.held()).isTrue();
    assertThat(second.held()).isTrue();
    assertThat(Await.success(one.take("thing"))).isEmpty();
  }

  /** The member believes in its lease: it is the database that knows better. */
  @Test
  void theDatabaseRefusesWhatTheLastHolderWrites() throws Exception {
    Store shared = store();
    Membership one = member(shared, LONG);
    Membership two = member(store(), LONG);
    Lease first = taken(one, "thing");
    Await.success(insert(first.fencing(shared), 1));
    Await.success(
        shared.write(
            List.of(
                Statement.of(
                    "delete from member where id = (select member from lease where name = ?)",
                    "thing"))));
    Lease second = taken(two, "thing");
    Await.success(insert(second.fencing(shared), 2));
    assertThat(first.held()).isTrue();

    Problem problem = Await.failure(insert(first.fencing(shared), 3));

    assertThat(problem).isInstanceOf(Problem.Conflict.class);
    assertThat(problem.detail()).contains("does not hold thing any more");
    assertThat(items()).containsExactly(1L, 2L);
    assertThat(first.held()).isFalse();
    Await.success(first.lost());
  }

  @Test
  void aMemberTellsItsVersionAndItsClock() throws Exception {
    Membership one = member(store(), LONG);

    Member member = Await.success(one.members()).getFirst();

    assertThat(member.version()).isEqualTo("1.2.3");
    assertThat(member.ahead()).isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(1));
  }

  /** The servers of one upgrade share the table. */
  @Test
  void aMemberOfAnEarlierVersionIsListedWithoutBoth() throws Exception {
    Store shared = store();
    Membership one = member(shared, LONG);
    Await.success(
        shared.write(
            List.of(
                Statement.of(
                    "insert into member (id, url, host, expires)"
                        + " select 'older', 'http://127.0.0.1:2', host, expires from member"))));

    Member older =
        Await.success(one.members()).stream()
            .filter(member -> member.id().equals("older"))
            .findFirst()
            .orElseThrow();

    assertThat(older.version()).isEmpty();
    assertThat(older.ahead()).isNull();
  }

  @Test
  void aWriteThatFailsForAnotherReasonLosesNoLease() throws Exception {
    Store shared = store();
    Lease lease = taken(member(shared, LONG), "thing");
    Store fenced = lease.fencing(shared);
    Await.success(insert(fenced, 1));

    assertThat(Await.failure(insert(fenced, 1))).isInstanceOf(Problem.Broken.class);
    assertThat(
            Await.failure(
                fenced.write(List.of(Statement.of("delete from items where id = 7").expecting(1)))))
        .isInstanceOf(Problem.Conflict.class);

    assertThat(lease.held()).isTrue();
    Await.success(insert(fenced, 2));
    assertThat(items()).containsExactly(1L, 2L);
  }

  /** A store whose writes get lost on the way from some moment on. */
  private static final class Silent implements Store {
    private final Store inner;
    volatile boolean silent;

    Silent(Store inner) {
      this.inner = inner;
    }

    @Override
    public Engine engine() {
      return inner.engine();
    }

    @Override
    public Future<Void> write(List<Statement> statements) {
      return silent ? Promise.<Void>promise().future() : inner.write(statements);
    }

    @Override
    public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
      return inner.read(query, each);
    }

    @Override
    public Future<Void> probe() {
      return inner.probe();
    }

    @Override
    public Future<Void> close() {
      return inner.close();
    }
  }
}
