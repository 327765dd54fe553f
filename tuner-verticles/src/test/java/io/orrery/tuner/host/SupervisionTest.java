package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what becomes of algorithms that crash or hang, of their experiments, and of the others. */
class SupervisionTest extends SupervisionFixture {
  @ParameterizedTest
  @ValueSource(strings = {"exception", "stack", "memory"})
  void aTunerThatCrashesIsStartedAgainFromHistory(String kind) throws TimeoutException {
    scripted.fault = fault(kind);
    history.add(suggested(1, "0"));
    get(open(EXPERIMENT, "Scripted", 1));
    scripted.faults.set(1);
    assertThat(get(ask(EXPERIMENT, 1)).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("1");
    assertThat(scripted.lives)
        .containsExactly(List.of("remember 0"), List.of("remember 0", "suggest 1+1"));
  }

  /** C1. */
  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void aSuggestionThatIsNotFiniteIsTheTunersFailure(double value) throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.odd.set(List.of(Map.of("deep", value)));

    assertThat(get(ask(EXPERIMENT, 0)).items().getFirst().parameters().values())
        .containsEntry("p", 0L);
    assertThat(scripted.lives).containsExactly(List.of("suggest 0+1"), List.of("suggest 0+1"));
  }

  @Test
  void oneThatIsClosedWhileItReadsThePastReadsNoMore() throws TimeoutException {
    history.addAll(List.of(suggested(1, "0"), suggested(2, "1"), suggested(3, "2")));
    Promise<Void> slow = Promise.promise();
    historyOpen = slow.future();
    mostEntries = 1;
    get(open(EXPERIMENT, "Scripted", 3));
    await(() -> historyReads.get() == 1);

    get(bus.request(Tuners.CLOSE.of(EXPERIMENT), new Tuners.Close(EXPERIMENT)));
    slow.complete();
    get(open(OTHER, "Scripted", 3));

    assertThat(get(ask(OTHER, 3)).items()).hasSize(1);
    assertThat(historyReads).hasValue(4);
    assertThat(scripted.lives).contains(List.of("remember 0"));
  }

  @Test
  void theSecondTimeItIsStartedAgainAfterAPause() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.faults.set(2);
    Future<Suggestions> asked = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(SECOND) == 1);
    assertThat(asked.isComplete()).isFalse();
    assertThat(scripted.lives).hasSize(2);
    clock.advance(SECOND);
    assertThat(get(asked).items()).hasSize(1);
  }

  @Test
  void aTunerThatFailsTooOftenInARowSaysSoUntilItIsOpenedAgain() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.faults.set(3);
    Future<Suggestions> asked = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(SECOND) == 1);
    clock.advance(SECOND);
    for (Future<?> question : List.of(asked, ask(EXPERIMENT, 0), tell(settled(1, "0")))) {
      assertThatThrownBy(() -> get(question))
          .extracting(SupervisionTest::problem)
          .isEqualTo(
              new Problem.Broken(
                  "the tuner Scripted failed 3 times in a row; the last time:"
                      + " IllegalStateException: scripted fault"));
    }
    assertThat(scripted.lives).hasSize(3);
    get(open(EXPERIMENT, "Scripted", 0));
    assertThat(get(ask(EXPERIMENT, 0)).items()).hasSize(1);
  }

  @Test
  void failuresThatAreNotInARowDoNotAddUp() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    for (int number = 0; number < 10; number++) {
      scripted.faults.set(1);
      assertThat(get(ask(EXPERIMENT, number)).items()).hasSize(1);
    }
  }

  @Test
  void aHistoryThatCannotBeReadIsReadAgain() throws TimeoutException {
    history.add(settled(1, "0"));
    historyOpen = Future.failedFuture("the store is not open");
    get(open(EXPERIMENT, "Scripted", 1));
    Future<Suggestions> asked = ask(EXPERIMENT, 1);
    await(() -> clock.dueIn(SECOND) == 1);
    historyOpen = Future.succeededFuture();
    clock.advance(SECOND);
    assertThat(get(asked).items()).hasSize(1);
    assertThat(scripted.lives.getLast()).containsExactly("learn 0=0.5", "suggest 1+1");
  }

  @Test
  void aLongPastIsProgressAsLongAsItIsTakenIn() throws TimeoutException {
    for (int i = 1; i <= 20; i++) {
      history.add(settled(i, Integer.toString(i)));
    }
    List<Integer> learnt = new ArrayList<>();
    AtomicInteger allowed = new AtomicInteger();
    scripted.fault =
        () -> {
          learnt.add(learnt.size());
          hanging.set(learnt.size());
          while (allowed.get() < learnt.size() && !released) {
            pause();
          }
        };
    scripted.faults.set(20);
    get(open(EXPERIMENT, "Scripted", 20));
    for (int i = 1; i <= 20; i++) {
      int entry = i;
      await(() -> hanging.get() == entry);
      clock.advance(PATIENCE.minus(NOTICE));
      allowed.set(i);
    }
    assertThat(get(ask(EXPERIMENT, 21)).items()).hasSize(1);
    assertThat(scripted.lives).hasSize(1);
  }

  private Runnable fault(String kind) {
    return switch (kind) {
      case "stack" -> SupervisionTest::recurse;
      case "memory" ->
          () -> {
            throw new OutOfMemoryError("scripted");
          };
      default -> scripted.fault;
    };
  }

  @SuppressWarnings("InfiniteRecursion") // the point of it
  private static void recurse() {
    recurse();
  }
}
