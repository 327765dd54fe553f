package io.orrery.compute.runtime.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.workload.ReplicaPhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaModelTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  private static ReplicaModel ready() {
    return ReplicaModel.fresh(START).launched(at(1), 1).answered(at(2));
  }

  @Test
  void theDocumentationShowsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("../docs/runtimes.md"))).contains(ReplicaState.diagram());
  }

  @Test
  void aReplicaThatWasReadyIsUnreadyAfterThreeFailuresInARow() {
    ReplicaModel twice = ready().unanswered(at(3), "no").unanswered(at(4), "no");
    assertThat(twice.state()).isEqualTo(ReplicaState.READY);
    assertThat(twice.reason()).isNull();

    ReplicaModel answered = twice.answered(at(5)).unanswered(at(6), "no").unanswered(at(7), "no");
    assertThat(answered.state()).isEqualTo(ReplicaState.READY);

    ReplicaModel third = answered.unanswered(at(8), "it answered 500");
    assertThat(third.state()).isEqualTo(ReplicaState.UNREADY);
    assertThat(third.reason()).isEqualTo("it answered 500");
    assertThat(third.since()).isEqualTo(at(8));
    assertThat(third.answered(at(9)).state()).isEqualTo(ReplicaState.READY);
    assertThat(third.answered(at(9)).reason()).isNull();
  }

  @Test
  void aStartingReplicaTellsWhyItIsNotReady() {
    ReplicaModel model = ReplicaModel.fresh(START).launched(at(1), 1).unanswered(at(2), "no");
    assertThat(model.state()).isEqualTo(ReplicaState.STARTING);
    assertThat(model.reason()).isEqualTo("no");
    assertThat(model.since()).isEqualTo(at(1));
  }

  @Test
  void aProgramThatHasEndedIsStartedAgainWhenItIsDueAndNotBefore() {
    ReplicaModel ended = ready().ended(at(10), "gone", 1).told(7, List.of("last"));
    assertThat(ended.state()).isEqualTo(ReplicaState.CLEARING);
    assertThat(ended.state().phase()).isEqualTo(ReplicaPhase.BACKOFF);

    ReplicaModel waiting = ended.cleared(at(11), at(20));
    assertThat(waiting.state()).isEqualTo(ReplicaState.BACKOFF);
    assertThat(waiting.dueAt(at(19))).isEqualTo(waiting);
    ReplicaModel again = waiting.dueAt(at(20)).launched(at(21), 2);
    assertThat(again.state()).isEqualTo(ReplicaState.STARTING);
    assertThat(again.restarts()).isEqualTo(1);
    assertThat(again.failures()).isEqualTo(1);
    assertThat(again.exitCode()).isEqualTo(7);
    assertThat(again.lastLines()).containsExactly("last");
  }

  @Test
  void aDrainedReplicaIsNeverStartedAgainWhateverHappens() {
    Random random = new Random(5);
    for (int round = 0; round < 1_000; round++) {
      ReplicaModel model = anything(ReplicaModel.fresh(START), random, random.nextInt(8));
      model = model.drained(at(100));
      assertThat(model.state()).isIn(ReplicaState.STOPPING, ReplicaState.GONE);
      model = anything(model, random, 20);
      assertThat(model.state()).isIn(ReplicaState.STOPPING, ReplicaState.GONE);
      assertThat(model.cleared(at(300), at(300)).state()).isEqualTo(ReplicaState.GONE);
    }
  }

  private static ReplicaModel anything(ReplicaModel from, Random random, int events) {
    ReplicaModel model = from;
    for (int i = 0; i < events; i++) {
      Instant now = at(110 + i);
      model =
          switch (random.nextInt(8)) {
            case 0 -> model.launched(now, 3);
            case 1 -> model.impossible(now, "missing", now);
            case 2 -> model.answered(now);
            case 3 -> model.unanswered(now, "no");
            case 4 -> model.ended(now, "gone", 2);
            case 5 -> model.cleared(now, now);
            case 6 -> model.dueAt(now);
            default -> model.waiting("room");
          };
    }
    return model;
  }

  @Test
  void backoffDoublesToItsLimitAndBeginsAnewAfterAStableRun() {
    RestartBackoff backoff = RestartBackoff.DEFAULT;
    Random random = new Random(1);
    assertThat(backoff.pause(1, random)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_100));
    assertThat(backoff.pause(2, random)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_200));
    assertThat(backoff.pause(9, random))
        .isBetween(Duration.ofSeconds(256), Duration.ofSeconds(282));
    assertThat(backoff.pause(10, random)).isBetween(Duration.ofMinutes(5), Duration.ofSeconds(330));
    assertThat(backoff.pause(1_000_000, random))
        .isBetween(Duration.ofMinutes(5), Duration.ofSeconds(330));

    assertThat(backoff.failures(4, Duration.ofSeconds(599))).isEqualTo(5);
    assertThat(backoff.failures(4, Duration.ofMinutes(10))).isEqualTo(1);
  }

  @Test
  void twoTurnsThatAreGivenBackAtOnceAreTakenByTwo() {
    StartLimit limit = new StartLimit(2);
    StringBuilder turns = new StringBuilder();
    Runnable first = () -> turns.append('1');
    Runnable second = () -> turns.append('2');
    Runnable third = () -> turns.append('3');
    Runnable fourth = () -> turns.append('4');
    assertThat(limit.ask(first) && limit.ask(second)).isTrue();
    assertThat(limit.ask(third) || limit.ask(fourth)).isFalse();

    limit.leave(first);
    limit.leave(second);
    assertThat(turns).hasToString("33");
    assertThat(limit.ask(third)).isTrue();

    assertThat(turns).hasToString("334");
    assertThat(limit.ask(fourth)).isTrue();
  }

  @Test
  void noMoreReplicasStartThanMayAndThoseThatWaitGoInOrder() {
    StartLimit limit = new StartLimit(1);
    StringBuilder turns = new StringBuilder();
    Runnable first = () -> turns.append('1');
    Runnable second = () -> turns.append('2');
    Runnable third = () -> turns.append('3');

    assertThat(limit.ask(first)).isTrue();
    assertThat(limit.ask(first)).isTrue();
    assertThat(limit.ask(second)).isFalse();
    assertThat(limit.ask(third)).isFalse();
    limit.leave(first);
    assertThat(turns).hasToString("2");
    assertThat(limit.ask(third)).isFalse();
    assertThat(limit.ask(second)).isTrue();
    limit.leave(third);
    limit.leave(second);
    assertThat(limit.ask(third)).isTrue();
  }
}
