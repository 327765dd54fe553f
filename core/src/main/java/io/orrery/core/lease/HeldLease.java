package io.orrery.core.lease;

import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A lease of a {@link Membership}. */
final class HeldLease implements Lease {
  private final MembershipSession seat;
  private final Store store;
  private final String name;
  private final long epoch;
  private final Promise<Void> lost = Promise.promise();
  private volatile boolean over;

  HeldLease(MembershipSession seat, Store store, String name, long epoch) {
    this.seat = seat;
    this.store = store;
    this.name = name;
    this.epoch = epoch;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public boolean held() {
    return !over && seat.alive();
  }

  @Override
  public Future<Void> lost() {
    return lost.future();
  }

  void lose() {
    over = true;
    seat.letGo(this);
    lost.tryComplete();
  }

  @Override
  public Future<Void> giveBack() {
    if (over) {
      return Future.succeededFuture();
    }
    over = true;
    seat.letGo(this);
    return store.write(
        List.of(
            Statement.of(
                "update lease set member = '' where name = ? and epoch = ? and member = ?",
                name,
                epoch,
                seat.member().id())));
  }

  @Override
  public Store fencing(Store what) {
    return new Fenced(what);
  }

  /**
   * Writes the lease's own row, and so locks it: who takes the lease at the same moment waits until
   * this write is decided, and the other way round.
   */
  private Statement fence() {
    return Statement.of(
            "update lease set epoch = epoch where name = ? and epoch = ? and member = ?",
            name,
            epoch,
            seat.member().id())
        .expecting(1);
  }

  private Problem gone() {
    return new Problem.Conflict("this server does not hold " + name + " any more");
  }

  /** What else may have been in the way of a write is the caller's business. */
  private Future<Void> explain(Throwable failure) {
    if (!(Problem.of(failure) instanceof Problem.Conflict)) {
      return Future.failedFuture(failure);
    }
    return store
        .read(
            Statement.of(
                "select epoch from lease where name = ? and epoch = ? and member = ?",
                name,
                epoch,
                seat.member().id()),
            row -> row.integer("epoch"))
        .compose(rows -> {
          if (!rows.isEmpty()) {
            return Future.failedFuture(failure);
          }
          lose();
          return Future.failedFuture(gone().toException());
        });
  }

  private final class Fenced implements Store {
    private final Store inner;

    Fenced(Store inner) {
      this.inner = inner;
    }

    @Override
    public Engine engine() {
      return inner.engine();
    }

    @Override
    public Future<Void> write(List<Statement> statements) {
      if (!held()) {
        return Future.failedFuture(gone().toException());
      }
      List<Statement> fenced = new ArrayList<>();
      fenced.add(fence());
      fenced.addAll(statements);
      return inner.write(fenced).recover(HeldLease.this::explain);
    }

    @Override
    public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
      return inner.read(query, each);
    }

    @Override
    public Future<Void> probe() {
      return inner.probe();
    }

    /** The store is its owner's. */
    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }
}
