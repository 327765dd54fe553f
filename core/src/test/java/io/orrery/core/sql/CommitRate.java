package io.orrery.core.sql;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Measures by hand how many writes of one row each store makes durable in a second: alone, one
 * after the other, and with many callers at once, whose writes share commits. The argument is the
 * URL of an empty PostgreSQL database; without one the embedded server of the tests is started.
 */
public final class CommitRate {
  private static final int ALONE = 1_000;
  private static final int TOGETHER = 50_000;
  private static final int CALLERS = 1_000;

  private CommitRate() {}

  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    Path directory = Files.createTempDirectory("commit-rate");
    measure("SQLite", SqliteStore.open(vertx, directory.resolve("rate.db")));
    String url = arguments.length > 0 ? arguments[0] : PostgresServer.newDatabase();
    PostgresAddress address = PostgresAddress.parse(url, System.getenv());
    measure(
        "PostgreSQL", PostgresStore.open(vertx, address, new StoreOwner("rate", "a measurement")));
    Await.success(vertx.close());
    System.exit(0);
  }

  private static void measure(String name, Store store) throws Exception {
    Await.success(
        store.write(List.of(Statement.of("create table rate (id bigint primary key, text text)"))));
    for (int round = 0; round < 2; round++) { // the first one warms up
      long began = System.nanoTime();
      long id = 1_000_000L * round;
      for (int i = 0; i < ALONE; i++) {
        Await.success(store.write(insert(id++)));
      }
      double alone = ALONE / seconds(began);
      began = System.nanoTime();
      Semaphore free = new Semaphore(CALLERS);
      List<Future<Void>> writes = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        free.acquire();
        writes.add(store.write(insert(id++)).onComplete(done -> free.release()));
      }
      Await.success(Future.all(writes));
      System.out.printf(
          "%s: %.0f/s alone, %.0f/s with %d callers%s%n",
          name, alone, TOGETHER / seconds(began), CALLERS, round == 0 ? " (warming up)" : "");
    }
    Await.success(store.close());
  }

  private static List<Statement> insert(long id) {
    return List.of(
        Statement.of("insert into rate (id, text) values (?, ?)", id, "seventy bytes".repeat(5)));
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }
}
