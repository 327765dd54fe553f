package io.orrery.studio.due;

import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A store that fails some reads, and some writes before or after they are committed.
 *
 * @param lost whether the lease is another server's, so that no write is committed
 */
public record FaultyStore(Store store, BooleanSupplier fails, BooleanSupplier lost)
    implements Store {
  public FaultyStore(Store store, BooleanSupplier fails) {
    this(store, fails, () -> false);
  }

  private static <T> Future<T> broken() {
    return Future.failedFuture(new Problem.Broken("the disk is away").toException());
  }

  @Override
  public Engine engine() {
    return store.engine();
  }

  @Override
  public Future<Void> write(List<Statement> statements) {
    if (fails.getAsBoolean()) {
      return broken();
    }
    if (lost.getAsBoolean()) {
      return Future.failedFuture(
          new Problem.Conflict("this server does not hold schedules any more").toException());
    }
    boolean afterwards = fails.getAsBoolean();
    return store.write(statements).compose(written -> afterwards ? broken() : written());
  }

  private static Future<Void> written() {
    return Future.succeededFuture();
  }

  @Override
  public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
    return fails.getAsBoolean() ? broken() : store.read(query, each);
  }

  @Override
  public Future<Void> probe() {
    return store.probe();
  }

  @Override
  public Future<Void> close() {
    return store.close();
  }
}
