package io.orrery.core.trace;

import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trace.Spans.Work;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;

/** A store whose reads and writes are spans. A span has the SQL text, never a value. */
public final class TracedStore implements Store {
  private static final String SQL = "db.query.text";

  private final Vertx vertx;
  private final Store store;

  public TracedStore(Vertx vertx, Store store) {
    this.vertx = vertx;
    this.store = store;
  }

  @Override
  public Engine engine() {
    return store.engine();
  }

  @Override
  public Future<Void> write(List<Statement> statements) {
    String sql = statements.isEmpty() ? "" : statements.getFirst().sql();
    return Spans.around(vertx, new Work("store write", SQL, sql), () -> store.write(statements));
  }

  @Override
  public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
    return Spans.around(
        vertx, new Work("store read", SQL, query.sql()), () -> store.read(query, each));
  }

  @Override
  public Future<Void> probe() {
    return store.probe();
  }

  @Override
  public Backlog backlog() {
    return store.backlog();
  }

  @Override
  public Future<Void> close() {
    return store.close();
  }
}
