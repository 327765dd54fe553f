package io.orrery.core.sql;

import io.orrery.core.net.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real PostgreSQL server of the tests' own, on a free port of 127.0.0.1, as durable as one in
 * production: the embedded one comes with {@code fsync} and {@code synchronous_commit} off.
 */
public final class PostgresServer implements AutoCloseable {
  public static final String USER = "postgres";
  public static final String PASSWORD = "postgres";

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final Path data;
  private EmbeddedPostgres server;

  private PostgresServer(Path data, EmbeddedPostgres server) {
    this.data = data;
    this.server = server;
  }

  private static final class Shared {
    static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
      try {
        return durable().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static EmbeddedPostgres.Builder durable() {
    return EmbeddedPostgres.builder()
        .setPort(FreePort.take())
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on");
  }

  /** A new database on the one server of this process, by its URL with password. */
  public static String newDatabase() {
    return create(Shared.SERVER);
  }

  /** A server of its own, which can be stopped and started again. */
  public static PostgresServer start(Path data) throws IOException {
    return new PostgresServer(
        data, durable().setDataDirectory(data).setCleanDataDirectory(false).start());
  }

  /** A new database on this server, by its URL with password. */
  public String database() {
    return create(server);
  }

  /** Stops the server as an administrator would, throwing all clients out. */
  public void stop() throws IOException {
    server.close();
  }

  /** Starts it again, on the same port. */
  public void startAgain() throws IOException {
    int port = server.getPort();
    server = durable().setDataDirectory(data).setCleanDataDirectory(false).setPort(port).start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** Runs SQL as an administrator, past the store; the first column of the first row. */
  public static String tell(String url, String sql) throws SQLException {
    try (Connection connection =
            Shared.SERVER
                .getDatabase(USER, url.substring(url.lastIndexOf('/') + 1), Map.of())
                .getConnection();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? rows.getString(1) : "";
      }
    }
  }

  private static String create(EmbeddedPostgres on) {
    String name = "test" + DATABASES.incrementAndGet();
    try (Connection connection = on.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return "postgresql://%s:%s@127.0.0.1:%d/%s".formatted(USER, PASSWORD, on.getPort(), name);
  }
}
