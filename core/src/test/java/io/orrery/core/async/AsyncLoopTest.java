package io.orrery.core.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A test of loops of futures: order, ends, failures, and that their length needs no stack. */
class AsyncLoopTest {
  private static final int MANY = 200_000;
  private static Vertx vertx;

  @BeforeAll
  static void open() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void close() throws TimeoutException {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private static Future<Void> later() {
    Promise<Void> promise = Promise.promise();
    vertx.runOnContext(go -> promise.complete());
    return promise.future();
  }

  private static <T> T onLoop(Supplier<Future<T>> work) throws TimeoutException {
    Promise<T> outcome = Promise.promise();
    vertx.runOnContext(go -> work.get().onComplete(outcome::handle));
    return outcome.future().await(60, TimeUnit.SECONDS);
  }

  @Test
  void manyStepsThatCompleteLaterNeedNoStack() throws TimeoutException {
    AtomicInteger steps = new AtomicInteger();
    onLoop(() -> AsyncLoop.repeat(() -> later().map(done -> steps.incrementAndGet() < MANY)));
    assertThat(steps).hasValue(MANY);
  }

  @Test
  void manyStepsThatAreCompleteAlreadyNeedNoStack() throws TimeoutException {
    AtomicInteger steps = new AtomicInteger();
    onLoop(() -> AsyncLoop.repeat(() -> Future.succeededFuture(steps.incrementAndGet() < MANY)));
    assertThat(steps).hasValue(MANY);
  }

  @Test
  void manyStepsOnWorkersNeedNoStack() throws TimeoutException {
    AtomicInteger steps = new AtomicInteger();
    onLoop(() ->
        AsyncLoop.repeat(() -> vertx.executeBlocking(() -> steps.incrementAndGet() < MANY / 10)));
    assertThat(steps).hasValue(MANY / 10);
  }

  @Test
  void itemsAreGoneThroughOneAfterTheOther() throws TimeoutException {
    List<String> seen = new ArrayList<>();
    onLoop(() ->
        AsyncLoop.inTurn(
            IntStream.range(0, 4).boxed().toList(),
            item -> {
              seen.add("begin " + item);
              return (item % 2 == 0 ? later() : Future.<Void>succeededFuture())
                  .onSuccess(done -> seen.add("end " + item));
            }));
    assertThat(seen)
        .containsExactly(
            "begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3");
  }

  @Test
  void aStateLeadsToTheNextUntilThereIsNone() throws TimeoutException {
    List<Integer> seen = new ArrayList<>();
    onLoop(() ->
        AsyncLoop.iterate(
            1,
            state -> {
              seen.add(state);
              return later().map(done -> state < 50 ? Optional.of(state * 3) : Optional.empty());
            }));
    assertThat(seen).containsExactly(1, 3, 9, 27, 81);
  }

  @Test
  void pagesAreReadUntilNoCursorFollows() throws TimeoutException {
    List<String> seen = new ArrayList<>();
    onLoop(() ->
        AsyncLoop.pages(cursor -> {
          seen.add(String.valueOf(cursor));
          return later().map(done -> seen.size() < 3 ? "after " + seen.size() : null);
        }));
    assertThat(seen).containsExactly("null", "after 1", "after 2");
  }

  @Test
  void nothingToGoThroughIsDoneAtOnce() {
    assertThat(AsyncLoop.inTurn(List.of(), item -> later()).succeeded()).isTrue();
  }

  @Test
  void aFailedStepEndsTheLoopWithItsFailure() {
    AtomicInteger steps = new AtomicInteger();
    assertThatThrownBy(() ->
            onLoop(() ->
                AsyncLoop.repeat(() ->
                    steps.incrementAndGet() == 3
                        ? Future.failedFuture(new IllegalStateException("the third"))
                        : later().map(true))))
        .hasMessageContaining("the third");
    assertThat(steps).hasValue(3);
  }

  @Test
  void aStepThatThrowsEndsTheLoopWithWhatItThrows() {
    assertThatThrownBy(() ->
            onLoop(() ->
                AsyncLoop.inTurn(
                    List.of(1, 2),
                    item -> {
                      throw new IllegalArgumentException("item " + item);
                    })))
        .hasMessageContaining("item 1");
  }
}
