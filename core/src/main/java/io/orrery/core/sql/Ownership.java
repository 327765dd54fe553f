package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exclusive right to write to a database. The writing connection holds an advisory lock, so
 * there is no write without the lock: when the connection ends, the lock ends with it, and
 * uncommitted changes are rolled back. A server that has its database alone holds the lock of all;
 * servers that share one hold it together, and each a lock of its own seat.
 *
 * <p>Beside the lock of a seat there is a row. Its {@code epoch} is one more for every start of a
 * server: a server that comes back after its connection was lost, and finds another epoch than its
 * own, has been replaced meanwhile. Its {@code written} is the number of the last group of this
 * epoch and part of each group's transaction: after a connection was lost in the middle of a
 * commit, it tells whether the commit was made. It can be trusted once the lock is held again,
 * because the session that held it before has ended.
 */
final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  /** "orrery" in ASCII; advisory locks are the database's own, so there is nothing to add. */
  private static final long LOCK = 0x6f7272657279L;

  /** The row of a server that has the database alone. */
  private static final int ALONE = 1;

  private static final long PAUSE_MILLIS = 100;

  /** Servers that share a database may come at once, and two who make one table at once fail. */
  private static final Statement TABLE =
      Statement.of(
          "do $$ begin perform pg_advisory_xact_lock("
              + (LOCK - 1)
              + "); create table if not exists store_owner (id integer primary key,"
              + " epoch bigint not null, owner text not null, description text not null,"
              + " written bigint not null, said_goodbye integer not null); end $$");

  private static final String HOLDER =
      "pg_locks l join pg_stat_activity a on a.pid = l.pid"
          + " where l.locktype = 'advisory' and l.granted and l.objsubid = 1"
          + " and l.database = (select oid from pg_database where datname = current_database())"
          + " and ((l.classid::bigint << 32) | l.objid::bigint) = ?";

  /** A failure because another server owns the database. */
  static final class Taken extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    Taken(Problem problem) {
      super(problem.detail());
      this.problem = problem;
    }

    Problem problem() {
      return problem;
    }
  }

  private record Entry(
      long epoch, String owner, String description, long written, boolean saidGoodbye) {}

  private final StoreOwner owner;
  private final PostgresAddress address;
  private final DatabaseTimeouts patience;
  private final Tenancy tenancy;

  /** The row of this server. */
  private final int seat;

  Ownership(StoreOwner owner, PostgresAddress address, DatabaseTimeouts patience, Tenancy tenancy) {
    this.owner = owner;
    this.address = address;
    this.patience = patience;
    this.tenancy = tenancy;
    this.seat =
        switch (tenancy) {
          case SOLE -> ALONE;
          case SHARED -> ALONE + 1 + (owner.id().hashCode() & 0x3fffffff);
        };
  }

  /**
   * Makes this server the owner, and waits before that until the one before is surely gone.
   *
   * @return the epoch
   */
  long claim(PostgresSession session) throws ConnectionLost, Taken, InterruptedException {
    long deadline = System.nanoTime() + patience.takeOver().toNanos();
    while (!lock(session)) {
      if (System.nanoTime() > deadline) {
        throw new Taken(
            new Problem.Conflict(
                "another Orrery server uses the database "
                    + address
                    + present(session).map(name -> " (" + name + ")").orElse("")
                    + "; stop it with 'orrery down', or give this one a database of its own"));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    session.read(TABLE, row -> row);
    Optional<Entry> before = entry(session, ALONE);
    if (before.isPresent()) {
      mourn(session, before.get());
    }
    return session
        .read(
            Statement.of(
                "insert into store_owner (id, epoch, owner, description, written, said_goodbye)"
                    + " values (?, 1, ?, ?, 0, 0) on conflict (id) do update"
                    + " set epoch = store_owner.epoch + 1, owner = excluded.owner,"
                    + " description = excluded.description, written = 0, said_goodbye = 0"
                    + " returning epoch",
                seat,
                owner.id(),
                owner.description()),
            row -> row.integer("epoch"))
        .getFirst();
  }

  /**
   * Waits for a server that had the database alone and did not say goodbye: it may not have noticed
   * yet that it has lost it. Servers that share need not be waited for: they hold leases.
   */
  private void mourn(PostgresSession session, Entry before)
      throws ConnectionLost, InterruptedException {
    if (before.saidGoodbye() || before.owner().equals(owner.id())) {
      return;
    }
    LOG.warn(
        "the server that used {} before did not say goodbye ({}): waiting {} s to be sure that it"
            + " has stopped",
        address,
        before.description(),
        patience.takeoverDelay().toSeconds());
    long deadline = System.nanoTime() + patience.takeoverDelay().toNanos();
    while (System.nanoTime() < deadline) {
      Thread.sleep(PAUSE_MILLIS);
      session.ping();
    }
    sayGoodbye(session, ALONE, before.epoch());
  }

  /**
   * Takes the lock again with a new connection.
   *
   * @return the number of the last group of this epoch that was committed
   * @throws ConnectionLost when the connection is lost again, or the session that was lost is still
   *     on its way out: to be tried again
   */
  long reclaim(PostgresSession session, long epoch) throws ConnectionLost, Taken {
    written(session, epoch); // before the lock: a server that was replaced ends no session
    if (!lock(session)) {
      throw new ConnectionLost(new IllegalStateException("the session before still has the lock"));
    }
    return written(session, epoch);
  }

  private long written(PostgresSession session, long epoch) throws ConnectionLost, Taken {
    Optional<Entry> entry = entry(session, seat);
    if (entry.isPresent() && entry.get().epoch() == epoch) {
      return entry.get().written();
    }
    throw new Taken(
        new Problem.Conflict(
            "another Orrery server has taken over the database "
                + address
                + entry.map(now -> " (" + now.description() + ")").orElse("")));
  }

  /**
   * Tries to take the locks. When a session of this owner holds that of its seat, it is one that
   * has not noticed yet that its client is gone: it is told to end.
   */
  private boolean lock(PostgresSession session) throws ConnectionLost {
    return switch (tenancy) {
      case SOLE -> lockSeat(session, LOCK);
      case SHARED ->
          lockSeat(session, LOCK + seat) && tell(session, "pg_try_advisory_lock_shared(?)", LOCK);
    };
  }

  private boolean lockSeat(PostgresSession session, long lock) throws ConnectionLost {
    boolean locked = tell(session, "pg_try_advisory_lock(?)", lock);
    if (!locked) {
      session.read(
          Statement.of(
              "select pg_terminate_backend(a.pid)::integer as told from "
                  + HOLDER
                  + " and a.application_name = ?",
              lock,
              owner.applicationName()),
          row -> row.integer("told"));
    }
    return locked;
  }

  private static boolean tell(PostgresSession session, String function, long lock)
      throws ConnectionLost {
    return session
            .read(
                Statement.of("select " + function + "::integer as locked", lock),
                row -> row.integer("locked"))
            .getFirst()
        == 1;
  }

  /** Describes the owner of the database, for people. */
  private static Optional<String> present(PostgresSession session) throws ConnectionLost {
    return exists(session)
        ? session
            .read(
                Statement.of(
                    "select description from store_owner order by said_goodbye, id limit 1"),
                row -> row.text("description"))
            .stream()
            .findFirst()
        : Optional.empty();
  }

  private static boolean exists(PostgresSession session) throws ConnectionLost {
    return session
            .read(
                Statement.of("select (to_regclass('store_owner') is not null)::integer as n"),
                row -> row.integer("n"))
            .getFirst()
        == 1;
  }

  private static Optional<Entry> entry(PostgresSession session, int seat) throws ConnectionLost {
    if (!exists(session)) {
      return Optional.empty();
    }
    List<Entry> entries =
        session.read(
            Statement.of(
                "select epoch, owner, description, written, said_goodbye from store_owner"
                    + " where id = ?",
                seat),
            row ->
                new Entry(
                    row.integer("epoch"),
                    row.text("owner"),
                    row.text("description"),
                    row.integer("written"),
                    row.integer("said_goodbye") == 1));
    return entries.stream().findFirst();
  }

  /** The statement that numbers a group; touches no row when the epoch is over. */
  Statement number(long epoch, long group) {
    return Statement.of(
            "update store_owner set written = ? where id = ? and epoch = ?", group, seat, epoch)
        .expecting(1);
  }

  void sayGoodbye(PostgresSession session, long epoch) throws ConnectionLost {
    sayGoodbye(session, seat, epoch);
  }

  private static void sayGoodbye(PostgresSession session, int seat, long epoch)
      throws ConnectionLost {
    session.read(
        Statement.of(
            "update store_owner set said_goodbye = 1 where id = ? and epoch = ?", seat, epoch),
        row -> row);
  }
}
