package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits groups over the connection that holds the lock; when it is lost, over the next one.
 *
 * <p>Every group has a number that is committed with it. After a loss the number tells whether the
 * group is in the database: then its outcomes are known, else it is sent again. So a caller never
 * sees a lost connection, only a write that takes longer, until the database has been away for too
 * long or belongs to another server; then this one has lost it for good.
 */
final class PostgresWriter implements GroupCommit.Committer {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresWriter.class);
  private static final long PAUSE_MILLIS = 200;

  /**
   * A server that is stopped in the middle of a transaction holds rows that others wait for. The
   * database ends its session after this long, and the group is sent again when the server goes on.
   */
  private static final String STANDSTILL_MILLIS = "2000";

  private final Vertx vertx;
  private final PostgresAddress address;
  private final PgConnectOptions options;
  private final Ownership ownership;
  private final DatabaseTimeouts patience;
  private final Promise<Problem> gone = Promise.promise();
  private @Nullable PostgresSession session;
  private long epoch;
  private long written;

  /** By {@link System#nanoTime}, when nothing has succeeded since. */
  private @Nullable Long awaySince;

  private volatile @Nullable String away;
  private volatile @Nullable Problem lost;

  PostgresWriter(
      Vertx vertx,
      PostgresAddress address,
      StoreOwner owner,
      Tenancy tenancy,
      DatabaseTimeouts patience) {
    this.vertx = vertx;
    this.address = address;
    this.options = options(address.options(owner), tenancy);
    this.ownership = new Ownership(owner, address, patience, tenancy);
    this.patience = patience;
  }

  private static PgConnectOptions options(PgConnectOptions options, Tenancy tenancy) {
    return switch (tenancy) {
      case SOLE -> options;
      case SHARED -> options.addProperty("idle_in_transaction_session_timeout", STANDSTILL_MILLIS);
    };
  }

  /** Connects and takes the database; see {@link Ownership#claim}. */
  void open() throws ConnectionLost, Ownership.Taken, InterruptedException {
    PostgresSession fresh = PostgresSession.connect(vertx, options, patience.silence());
    try {
      epoch = ownership.claim(fresh);
      session = fresh;
    } finally {
      if (session == null) {
        fresh.close();
      }
    }
  }

  /** Why the database cannot be reached now, null when it can; any thread may ask. */
  @Nullable String away() {
    return away;
  }

  /** Completes when the database is lost for good, with why. */
  Future<Problem> lost() {
    return gone.future();
  }

  @Override
  public List<@Nullable Throwable> commit(List<List<Statement>> group) {
    long number = written + 1;
    List<List<Statement>> numbered = new ArrayList<>(group);
    numbered.add(List.of(ownership.number(epoch, number)));
    List<@Nullable Throwable> outcomes = List.of();
    while (lost == null) {
      try {
        PostgresSession now = session();
        if (written == number) {
          return outcomes; // the commit that was never answered had been made
        }
        outcomes = new ArrayList<>(now.apply(numbered));
        Throwable own = outcomes.removeLast();
        if (own != null) {
          return rolledBack(now, group, own);
        }
        now.commit();
        written = number;
        awaySince = null;
        away = null;
        return outcomes;
      } catch (ConnectionLost e) {
        waitFor(e);
      } catch (Ownership.Taken e) {
        giveUp(e.problem());
      } catch (RuntimeException e) {
        return rolledBack(session, group, PostgresSession.refused(e));
      }
    }
    return all(group, lost.toException());
  }

  private List<@Nullable Throwable> rolledBack(
      @Nullable PostgresSession now, List<List<Statement>> group, Throwable failure) {
    LOG.error("could not commit: {}", failure.getMessage());
    try {
      if (now != null) {
        now.rollback();
      }
    } catch (ConnectionLost | RuntimeException e) {
      LOG.debug("nothing to roll back", e);
    }
    return all(group, failure);
  }

  private static List<@Nullable Throwable> all(List<List<Statement>> group, Throwable failure) {
    return new ArrayList<>(Collections.nCopies(group.size(), failure));
  }

  @Override
  public Duration restlessAfter() {
    return patience.heartbeat();
  }

  @Override
  public void idle() {
    while (lost == null) {
      try {
        session().ping();
        awaySince = null;
        away = null;
        return;
      } catch (ConnectionLost e) {
        waitFor(e);
      } catch (Ownership.Taken e) {
        giveUp(e.problem());
      }
    }
  }

  /** The session that holds the lock, a new one when the last was lost. */
  private PostgresSession session() throws ConnectionLost, Ownership.Taken {
    PostgresSession now = session;
    if (now == null) {
      now = reopen();
      session = now;
      LOG.warn("the database {} is back", address);
    }
    return now;
  }

  private PostgresSession reopen() throws ConnectionLost, Ownership.Taken {
    PostgresSession fresh = connect();
    try {
      written = ownership.reclaim(fresh, epoch);
      return fresh;
    } catch (ConnectionLost | Ownership.Taken e) {
      fresh.close();
      throw e;
    } catch (RuntimeException e) {
      fresh.close();
      throw new ConnectionLost(e);
    }
  }

  private PostgresSession connect() throws ConnectionLost {
    try {
      return PostgresSession.connect(vertx, options, patience.silence());
    } catch (RuntimeException e) { // refused, which a server may do while it comes up
      throw new ConnectionLost(e);
    }
  }

  private void waitFor(ConnectionLost loss) {
    if (session != null) {
      LOG.warn("the connection to the database {} is lost: {}", address, loss.getMessage());
      session.close();
      session = null;
    }
    if (awaySince == null) {
      awaySince = System.nanoTime();
    }
    away = loss.getMessage();
    if (System.nanoTime() - awaySince > patience.outage().toNanos()) {
      giveUp(
          new Problem.Broken(
              "the database "
                  + address
                  + " has been away for "
                  + patience.outage().toSeconds()
                  + " s ("
                  + loss.getMessage()
                  + "); whether another server has it now is not known, so this one decides"
                  + " nothing more"));
      return;
    }
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      giveUp(new Problem.Broken("the store was interrupted"));
    }
  }

  private void giveUp(Problem problem) {
    LOG.error("{}", problem.detail());
    lost = problem;
    if (session != null) {
      session.close();
      session = null;
    }
    gone.tryComplete(problem);
  }

  @Override
  public void close() {
    PostgresSession last = session;
    if (last != null) {
      try {
        ownership.sayGoodbye(last, epoch);
      } catch (ConnectionLost | RuntimeException e) {
        LOG.warn("could not release the ownership of database {}: {}", address, e.getMessage());
      }
      last.close();
    }
  }
}
