package io.orrery.core.sql;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;

/** Writes rows without end and prints the number of each one that is durable. */
final class AcknowledgedWriter {
  private AcknowledgedWriter() {}

  public static void main(String[] arguments) throws Exception {
    Store store = SqliteStore.open(Vertx.vertx(), Path.of(arguments[0]));
    Await.success(
        store.write(
            List.of(Statement.of("create table rows (id integer primary key, half text)"))));
    for (long next = 0; ; next += 50) {
      Future<Void> last = Future.succeededFuture();
      for (long id = next; id < next + 50; id++) {
        long row = id;
        last =
            store
                .write(
                    List.of(
                        Statement.of("insert into rows (id) values (?)", row),
                        Statement.of("update rows set half = 'whole' where id = ?", row)))
                .onSuccess(durable -> {
                  System.out.println(row);
                  System.out.flush();
                });
      }
      Await.success(last);
    }
  }
}
