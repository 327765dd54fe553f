package io.orrery.core.lease;

import io.orrery.core.bus.ServerRole;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of a store that servers share (leases: Gray and Cheriton, 1989; fencing: Kleppmann,
 * 2016).
 *
 * <p>A member tells the database three times within its life that it is there; its leases live as
 * long as it does, so that renewing a thousand of them costs one row. Only the database's clock is
 * compared with itself, and a member counts its life from before it asked, by a clock that only
 * goes forward: so it stops before others may begin, even when it was stopped itself meanwhile. One
 * that lost its place takes a new one, under a new id, as soon as it can.
 */
public final class Membership implements Leases {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  public static final Migrations MIGRATIONS =
      new Migrations(
          "leases",
          Membership.class,
          List.of(
              "0001-members-and-leases.sql",
              "0002-roles-of-members.sql",
              "0003-versions-of-members.sql"));

  /** Looks at its own life so often while it lasts. */
  private static final int LOOKS = 12;

  private final Context home;
  private final Store store;
  private final Clock clock;
  private final Supplier<String> ids;
  private final String url;
  private final String host;
  private final Set<ServerRole> roles;
  private final String version;
  private final Duration life;
  private final String now;
  private volatile @Nullable MembershipSession seat;
  private final AtomicLong lostSeats = new AtomicLong();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean leaving;
  private boolean asking;

  private Membership(
      Vertx vertx,
      Store store,
      Clock clock,
      Supplier<String> ids,
      String url,
      String host,
      Set<ServerRole> roles,
      String version,
      Duration life) {
    this.home = vertx.getOrCreateContext();
    this.store = store;
    this.clock = clock;
    this.ids = ids;
    this.url = url;
    this.host = host;
    this.roles = Set.copyOf(roles);
    this.version = version;
    this.life = life;
    this.now = store.engine().millis();
  }

  /**
   * Becomes a member.
   *
   * @param ids makes a name that no membership has had
   * @param url where this server's API is reached
   * @param host the name of this machine, by which trials on it are known to belong to it
   * @param roles what this server is there for
   * @param version of this program
   * @param life how long after its last word a member lives
   */
  public static Future<Membership> join(
      Vertx vertx,
      Store store,
      Clock clock,
      Supplier<String> ids,
      String url,
      String host,
      Set<ServerRole> roles,
      String version,
      Duration life) {
    Membership joining = new Membership(vertx, store, clock, ids, url, host, roles, version, life);
    return MIGRATIONS
        .apply(store)
        .compose(current -> joining.sitDown())
        .map(seated -> {
          joining.home.runOnContext(go -> joining.look());
          return joining;
        });
  }

  // ---- living --------------------------------------------------------------------------------

  private Future<Void> sitDown() {
    Member member = new Member(ids.get(), url, host, roles, version, null);
    long asked = System.nanoTime();
    return store
        .write(
            List.of(
                deletionOfExpired(),
                Statement.of(
                    "insert into member (id, url, host, roles, version, ahead, expires)"
                        + " values (?, ?, ?, ?, ?, ? - "
                        + now
                        + ", "
                        + now
                        + " + ?)",
                    member.id(),
                    url,
                    host,
                    ServerRole.words(roles),
                    version,
                    clock.millis(),
                    life.toMillis())))
        .onSuccess(seated -> {
          seat = new MembershipSession(member, asked + life.toNanos());
          LOG.info("a member of the cluster as {}", member.id());
          listeners.forEach(listener -> listener.accept(member.id()));
        });
  }

  /** A member that has not been heard of is deleted, and its id never comes again. */
  private Statement deletionOfExpired() {
    return Statement.of("delete from member where expires <= " + now);
  }

  private void look() {
    MembershipSession present = seat;
    if (present != null && !present.alive()) {
      lose(present, "the database has not heard of this server for " + life.toMillis() + " ms");
      present = null;
    }
    if (!asking && !leaving) {
      if (present == null) {
        ask(this::sitDown);
      } else if (present.isDue(life)) {
        renew(present);
      }
    }
    if (!leaving) {
      clock.after(life.dividedBy(LOOKS), this::look);
    }
  }

  private void renew(MembershipSession present) {
    long asked = System.nanoTime();
    ask(() ->
        store
            .write(
                List.of(
                    Statement.of(
                            "update member set ahead = ? - "
                                + now
                                + ", expires = "
                                + now
                                + " + ? where id = ? and expires > "
                                + now,
                            clock.millis(),
                            life.toMillis(),
                            present.member().id())
                        .expecting(1),
                    deletionOfExpired()))
            .onSuccess(renewed -> present.liveUntil(asked + life.toNanos()))
            .onFailure(failure -> {
              if (Problem.of(failure) instanceof Problem.Conflict) {
                lose(present, "others have taken this server for dead");
              }
            }));
  }

  private void ask(Supplier<Future<Void>> question) {
    asking = true;
    question
        .get()
        .onFailure(failure ->
            LOG.warn("could not renew the membership of the cluster: {}", failure.getMessage()))
        .onComplete(done -> home.runOnContext(go -> asking = false));
  }

  private void lose(MembershipSession lost, String why) {
    if (seat == lost) {
      LOG.warn("no member of the cluster any more: {}", why);
      seat = null;
      lostSeats.incrementAndGet();
    }
    lost.lose();
  }

  /** Gives back all leases and leaves; for a server that goes down and has nothing left to do. */
  public Future<Void> leave() {
    leaving = true;
    MembershipSession present = seat;
    seat = null;
    return present == null
        ? Future.succeededFuture()
        : store.write(
            List.of(
                Statement.of(
                    "update lease set member = '' where member = ?", present.member().id()),
                Statement.of("delete from member where id = ?", present.member().id())));
  }

  // ---- leases --------------------------------------------------------------------------------

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public Future<Optional<Lease>> take(String name) {
    MembershipSession present = seat;
    if (present == null || !present.alive()) {
      return Future.succeededFuture(Optional.empty());
    }
    return store
        .write(
            List.of(
                deletionOfExpired(),
                Statement.of(
                        "insert into lease (name, epoch, member) values (?, 1, ?)"
                            + " on conflict (name) do update"
                            + " set epoch = lease.epoch + 1, member = excluded.member"
                            + " where lease.member = ''"
                            + " or not exists (select 1 from member where id = lease.member)",
                        name,
                        present.member().id())
                    .expecting(1)))
        .compose(taken ->
            store.read(
                Statement.of(
                    "select epoch from lease where name = ? and member = ?",
                    name,
                    present.member().id()),
                row -> row.integer("epoch")))
        .map(epochs -> epochs.stream().findFirst().map(epoch -> present.hold(store, name, epoch)))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Conflict
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure));
  }

  @Override
  public Future<Optional<Holder>> holder(String name) {
    return store
        .read(
            Statement.of(
                "select name, epoch, id, url, host, roles, version, ahead from lease join member"
                    + " on id = lease.member where name = ? and expires > "
                    + now,
                name),
            Membership::holder)
        .map(rows -> rows.stream().findFirst());
  }

  @Override
  public Future<List<Holder>> held() {
    return store.read(
        Statement.of(
            "select name, epoch, id, url, host, roles, version, ahead from lease join member"
                + " on id = lease.member where expires > "
                + now
                + " order by name"),
        Membership::holder);
  }

  @Override
  public Future<List<Member>> members() {
    return store.read(
        Statement.of(
            "select id, url, host, roles, version, ahead from member where expires > "
                + now
                + " order by url, id"),
        Membership::member);
  }

  @Override
  public void onMembership(Consumer<String> listener) {
    // Before the present one is read, so that one that is taken meanwhile is told, if twice.
    listeners.add(listener);
    MembershipSession present = seat;
    if (present != null) {
      listener.accept(present.member().id());
    }
  }

  private static Holder holder(Row row) {
    return new Holder(row.text("name"), row.integer("epoch"), member(row));
  }

  private static Member member(Row row) {
    Long ahead = row.integerOrNull("ahead");
    return new Member(
        row.text("id"),
        row.text("url"),
        row.text("host"),
        Arrays.stream(row.text("roles").split(","))
            .flatMap(word -> ServerRole.of(word).stream())
            .collect(Collectors.toSet()),
        row.text("version"),
        ahead == null ? null : Duration.ofMillis(ahead));
  }

  /** How many leases this server holds now. */
  public int holding() {
    MembershipSession present = seat;
    return present == null ? 0 : present.holding();
  }

  /** How often this server was taken for dead since it started. */
  public long lostSeats() {
    return lostSeats.get();
  }
}
