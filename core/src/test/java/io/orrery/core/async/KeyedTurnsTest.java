package io.orrery.core.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Does what is asked for one key one after the other. */
class KeyedTurnsTest {
  private final KeyedTurns<String> turns = new KeyedTurns<>();
  private final List<String> begun = new ArrayList<>();

  private Future<String> run(String key, String name, Future<String> result) {
    return turns.run(
        key,
        () -> {
          begun.add(name);
          return result;
        });
  }

  @Test
  void theNextOfAKeyWaitsAndAnotherKeyDoesNot() {
    Promise<String> first = Promise.promise();
    Future<String> one = run("a", "1", first.future());
    Future<String> two = run("a", "2", Future.succeededFuture("second"));
    run("b", "3", Future.succeededFuture("third"));
    assertThat(begun).containsExactly("1", "3");

    first.complete("first");

    assertThat(begun).containsExactly("1", "3", "2");
    assertThat(one.result()).isEqualTo("first");
    assertThat(two.result()).isEqualTo("second");
  }

  @Test
  void aFailureHoldsUpNothing() {
    Promise<String> first = Promise.promise();
    Future<String> one = run("a", "1", first.future());
    Future<String> two = run("a", "2", Future.succeededFuture("second"));

    first.fail("no");

    assertThat(one.failed()).isTrue();
    assertThat(two.result()).isEqualTo("second");
  }
}
