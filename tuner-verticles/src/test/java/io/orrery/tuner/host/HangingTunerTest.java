package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests tuners that do not answer, with what waits for them. */
class HangingTunerTest extends SupervisionFixture {
  @Test
  void aTunerThatDoesNotAnswerIsNoticedAndWhatItFindsAtLastCounts() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    Future<Suggestions> asked = askAndHang(EXPERIMENT, 0);
    clock.advance(NOTICE);
    assertBusy(asked, "the tuner Scripted has not answered for 5 s");
    clock.advance(SECOND);
    Future<Suggestions> again = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(NOTICE) == 1);
    clock.advance(NOTICE);
    assertBusy(again, "the tuner Scripted has not answered for 11 s");
    released = true;
    assertThat(get(ask(EXPERIMENT, 0)).items()).hasSize(1);
    assertThat(scripted.lives).containsExactly(List.of("suggest 0+1"));
  }

  @Test
  void newsForATunerThatDoesNotAnswerAreKeptInTheirOrder() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    Future<Tuners.Told> first = tell(settled(1, "a"));
    Future<Tuners.Told> second = tell(settled(2, "b"));
    await(() -> clock.dueIn(NOTICE) == 4); // the question, its thread, and these two
    clock.advance(NOTICE);
    get(first);
    get(second);
    released = true;
    get(ask(EXPERIMENT, 1));
    assertThat(scripted.lives.getFirst())
        .containsExactly("suggest 0+1", "learn a=0.5", "learn b=0.5", "suggest 1+1");
  }

  @Test
  void newsOfAQuestionThatWaitedForTooLongAreLearntBeforeWhatCameAfterThem()
      throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    Future<Suggestions> dropped = ask(EXPERIMENT, 1, settled(1, "a"));
    Future<Tuners.Told> kept = tell(settled(2, "b"));
    await(() -> clock.dueIn(NOTICE) == 4); // both questions, a thread, and what was told
    clock.advance(NOTICE);
    assertBusy(dropped, "the tuner Scripted has not answered for 5 s");
    get(kept);
    released = true;
    get(ask(EXPERIMENT, 1, settled(1, "a")));
    assertThat(scripted.lives.getFirst())
        .containsExactly("suggest 0+1", "learn a=0.5", "learn b=0.5", "suggest 1+1");
  }

  @Test
  void aTunerThatHangsForGoodIsGivenUpAndStartedAgain() throws TimeoutException {
    history.add(suggested(1, "0"));
    get(open(EXPERIMENT, "Scripted", 1));
    Future<Suggestions> asked = askAndHang(EXPERIMENT, 1);
    clock.advance(PATIENCE);
    assertBusy(asked, "the tuner Scripted has not answered for 5 s");
    assertThat(get(ask(EXPERIMENT, 1)).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("1");
    assertThat(scripted.lives)
        .containsExactly(List.of("remember 0"), List.of("remember 0", "suggest 1+1"));
  }

  @Test
  void whoHangsEveryTimeIsGivenUpWithTheReason() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    await(() -> clock.dueIn(SECOND) == 1);
    clock.advance(SECOND);
    assertThatThrownBy(() -> get(ask(EXPERIMENT, 0)))
        .extracting(SupervisionTest::problem)
        .isInstanceOfSatisfying(
            Problem.Broken.class,
            broken ->
                assertThat(broken.detail()).contains("3 times in a row", "2 threads are lost"));
  }

  @Test
  void lostThreadsDelayNoCallUntilThereAreTooManyOfThem() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    get(open(OTHER, "Random", 0));
    get(ask(OTHER, 0));
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    askAndHang(EXPERIMENT, 0);
    assertThat(get(ask(OTHER, 1)).items()).hasSize(1);
    clock.advance(PATIENCE);
    Future<Suggestions> refused = ask(OTHER, 2);
    await(() -> clock.dueIn(SECOND) == 2); // both start again
    clock.advance(SECOND);
    assertThatThrownBy(() -> get(refused))
        .extracting(SupervisionTest::problem)
        .isInstanceOfSatisfying(
            Problem.Broken.class,
            broken -> assertThat(broken.detail()).contains("restart the server"));
    released = true;
    await(() -> hanging.get() == 0);
    get(open(OTHER, "Random", 0));
    await(() -> succeeds(ask(OTHER, 3)));
  }

  /** Asks, and returns when the tuner has begun to think, deaf to interrupts, until released. */
  private Future<Suggestions> askAndHang(ExperimentId experiment, long number) {
    int before = hanging.get();
    scripted.fault =
        () -> {
          hanging.incrementAndGet();
          while (!released) {
            pause();
          }
          hanging.decrementAndGet();
        };
    scripted.faults.set(1);
    Future<Suggestions> asked = ask(experiment, number);
    await(() -> hanging.get() == before + 1);
    return asked;
  }
}
