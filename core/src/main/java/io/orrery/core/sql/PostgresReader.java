package io.orrery.core.sql;

import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A session of a PostgreSQL server that takes no ownership and only reads. */
public final class PostgresReader implements DatabaseReader {
  /** The longest wait for one answer. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final PostgresSession session;

  private PostgresReader(PostgresSession session) {
    this.session = session;
  }

  /**
   * Connects; takes ten seconds at most.
   *
   * @param command that reads, as {@code pg_stat_activity} names it
   * @throws UnusableDatabase with what to do when it cannot
   */
  public static PostgresReader open(Vertx vertx, PostgresAddress address, String command)
      throws UnusableDatabase {
    try {
      return new PostgresReader(
          PostgresSession.connect(
              vertx,
              address
                  .options(command)
                  .addProperty("default_transaction_read_only", "on")
                  .addProperty("statement_timeout", String.valueOf(SILENCE.toMillis())),
              SILENCE));
    } catch (ConnectionLost | RuntimeException e) {
      throw address.unusable(e);
    }
  }

  @Override
  public Engine engine() {
    return Engine.POSTGRESQL;
  }

  @Override
  public <T> List<T> read(String sql, Function<Row, T> each) throws IOException {
    try {
      return session.read(Statement.of(sql), each);
    } catch (ConnectionLost | VertxException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
