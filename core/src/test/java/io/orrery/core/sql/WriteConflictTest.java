package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteConflictTest {
  private final AtomicInteger others = new AtomicInteger();
  private Vertx vertx;
  private Store store;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("store.sqlite"));
    write(Statement.of("create table items (text text)"));
    write(Statement.of("insert into items (text) values ('first')"));
  }

  @AfterEach
  void close() throws Exception {
    Await.success(store.close());
    Await.success(vertx.close());
  }

  @Test
  void aChangeThatAnotherOneOvertakesIsMadeAgainUponThePresentState() throws Exception {
    Await.success(WriteConflict.retried(() -> overtaken(2)));

    assertThat(text()).isEqualTo("other 2 and mine");
  }

  @Test
  void aChangeThatIsOvertakenAgainAndAgainSaysWhatToDo() throws Exception {
    Problem problem = Await.failure(WriteConflict.retried(() -> overtaken(100)));

    assertThat(problem).isInstanceOf(Problem.Conflict.class);
    assertThat(problem.detail()).contains("Another change", "nothing was changed", "try again");
    assertThat(others).hasValue(3);
    assertThat(text()).isEqualTo("other 3");
  }

  @Test
  void anotherFailureIsNotTriedAgain() throws Exception {
    Problem.Conflict ended = new Problem.Conflict("It has ended.");

    Problem problem =
        Await.failure(
            WriteConflict.retried(() -> {
              others.incrementAndGet();
              return Future.failedFuture(ended.toException());
            }));

    assertThat(problem).isEqualTo(ended);
    assertThat(others).hasValue(1);
  }

  /** A change between whose reading and writing another one comes, the first times. */
  private Future<Void> overtaken(int times) {
    return read()
        .compose(read ->
            between(times)
                .compose(done ->
                    store.write(
                        List.of(
                            Statement.of(
                                    "update items set text = ? where text = ?",
                                    read + " and mine",
                                    read)
                                .expecting(1)))));
  }

  private Future<Void> between(int times) {
    return others.get() == times
        ? Future.succeededFuture()
        : store.write(
            List.of(
                Statement.of("update items set text = ?", "other " + others.incrementAndGet())));
  }

  private void write(Statement statement) throws Exception {
    Await.success(store.write(List.of(statement)));
  }

  private Future<String> read() {
    return store
        .read(Statement.of("select text from items"), row -> row.text("text"))
        .map(List::getFirst);
  }

  private String text() throws Exception {
    return Await.success(read());
  }
}
