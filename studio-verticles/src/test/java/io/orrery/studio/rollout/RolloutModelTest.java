package io.orrery.studio.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Domains.StepTime;
import io.orrery.core.json.Json;
import io.orrery.core.route.LatencyBuckets;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.studio.rollout.RolloutModel.Sight;
import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decides about rollouts by a clock that only the test moves. */
class RolloutModelTest {
  private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");
  private static final ServiceName OLD = new ServiceName("old");
  private static final ServiceName OTHER = new ServiceName("other");
  private static final ServiceName NEW = new ServiceName("new");
  private static final RolloutPolicy POLICY =
      new RolloutPolicy(
          List.of(5, 50, 100),
          Duration.ofMinutes(2),
          0.01,
          null,
          new LatencyGate(1.2, true),
          20,
          Duration.ofMinutes(10));

  private static Rollout begun() {
    return Rollout.begin(NEW, List.of(new ServiceShare(OLD, 100)), POLICY, BEGIN);
  }

  /** Answers that all took as long as one bucket says. */
  private static Window answers(long all, long errors, int bucket) {
    List<Long> times =
        new ArrayList<>(Collections.nCopies(LatencyBuckets.boundsMicros().size() + 1, 0L));
    times.set(bucket, all);
    return new Window(all, errors, times);
  }

  private static Sight well(long answers) {
    return new Sight(true, null, answers(answers, 0, 5), answers(1_000, 0, 5));
  }

  private static Sight unready(String why) {
    return new Sight(false, why, Window.EMPTY, Window.EMPTY);
  }

  private static Instant after(Duration time) {
    return BEGIN.plus(time);
  }

  @Test
  void oneThatNeverBecomesReadyGetsNoRequestAndSaysWhy() {
    Rollout waiting =
        RolloutModel.next(begun(), unready("no model"), after(Duration.ofMinutes(29)));

    assertThat(waiting.shares()).containsExactly(new ServiceShare(OLD, 100));
    assertThat(waiting.reason()).isEqualTo("new is not ready yet: no model");

    Rollout over = RolloutModel.next(waiting, unready("no model"), after(Duration.ofMinutes(30)));
    assertThat(over.state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(over.shares()).containsExactly(new ServiceShare(OLD, 100));
    assertThat(over.reason()).contains("did not become ready within 30 minutes: no model");
  }

  @Test
  void itGoesByStepsOfTimeAndRequestsAndKeepsTheOldOneWarm() {
    Rollout first = RolloutModel.next(begun(), well(0), after(Duration.ofSeconds(10)));
    assertThat(first.shares()).containsExactly(new ServiceShare(OLD, 95), new ServiceShare(NEW, 5));

    Instant due = after(Duration.ofSeconds(130));
    assertThat(RolloutModel.next(first, well(100), due.minusMillis(1))).isSameAs(first);
    Rollout few = RolloutModel.next(first, well(19), due);
    assertThat(few.step()).isEqualTo(1);
    assertThat(few.reason()).contains("when it has answered 20 requests");
    assertThat(RolloutModel.next(few, well(19), due)).isSameAs(few);

    Rollout second = RolloutModel.next(few, well(20), due);
    assertThat(second.shares())
        .containsExactly(new ServiceShare(OLD, 50), new ServiceShare(NEW, 50));
    Rollout third = RolloutModel.next(second, well(20), due.plus(Duration.ofMinutes(2)));
    assertThat(third.shares()).containsExactly(new ServiceShare(NEW, 100));
    Rollout done = RolloutModel.next(third, well(20), due.plus(Duration.ofMinutes(4)));
    assertThat(done.state()).isEqualTo(RolloutState.DONE);
    assertThat(done.before()).containsExactly(new ServiceShare(OLD, 100));

    Instant warm = done.since().plus(Duration.ofMinutes(10));
    assertThat(RolloutModel.next(done, well(0), warm.minusMillis(1))).isSameAs(done);
    assertThat(RolloutModel.next(done, well(0), warm).state()).isEqualTo(RolloutState.IDLE);
  }

  @Test
  void errorsRollItBackWithinItsStep() {
    Rollout first = RolloutModel.next(begun(), well(0), BEGIN);

    Rollout few =
        RolloutModel.next(
            first, new Sight(true, null, answers(9, 9, 5), Window.EMPTY), BEGIN.plusSeconds(1));
    assertThat(few).isSameAs(first);

    Rollout back =
        RolloutModel.next(
            first, new Sight(true, null, answers(50, 1, 5), Window.EMPTY), BEGIN.plusSeconds(2));
    assertThat(back.state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(back.shares()).containsExactly(new ServiceShare(OLD, 100));
    assertThat(back.reason())
        .isEqualTo("2.0 % of its 50 answers were errors (5xx): less than 1 % is wanted");
  }

  @Test
  void aSlowerOneIsRolledBackAndOneAsFastIsNot() {
    Rollout first = RolloutModel.next(begun(), well(0), BEGIN);

    assertThat(RolloutModel.next(first, well(30), BEGIN.plusSeconds(5))).isSameAs(first);
    Rollout back =
        RolloutModel.next(
            first,
            new Sight(true, null, answers(30, 0, 7), answers(500, 0, 5)),
            BEGIN.plusSeconds(5));

    assertThat(back.state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(back.reason()).startsWith("its p99 is ").contains("less than 1.2 times");
  }

  @Test
  void oneThatFallsIsRolledBackAtOnce() {
    Rollout first = RolloutModel.next(begun(), well(0), BEGIN);

    Rollout back =
        RolloutModel.next(first, unready("it ended with exit code 3"), BEGIN.plusSeconds(1));

    assertThat(back.state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(back.reason()).isEqualTo("new is not ready any more: it ended with exit code 3");
  }

  @Test
  void peopleSteerIt() {
    assertThatThrownBy(() -> RolloutModel.promote(begun(), "ann", BEGIN))
        .hasMessageContaining("new is not ready yet");
    Rollout first = RolloutModel.next(begun(), well(0), BEGIN);

    Rollout paused = RolloutModel.pause(first, "ann", BEGIN.plusSeconds(1));
    assertThat(RolloutModel.next(paused, well(100), BEGIN.plusSeconds(10_000))).isSameAs(paused);
    assertThat(paused.shares()).isEqualTo(first.shares());

    Rollout resumed = RolloutModel.resume(paused, BEGIN.plusSeconds(20_000));
    assertThat(resumed.step()).isEqualTo(1);
    assertThat(RolloutModel.next(resumed, well(100), BEGIN.plusSeconds(20_001))).isSameAs(resumed);

    assertThat(RolloutModel.promote(resumed, "ann", BEGIN).shares())
        .containsExactly(new ServiceShare(NEW, 100));
    Rollout aborted = RolloutModel.abort(resumed, "ann", BEGIN);
    assertThat(aborted.shares()).containsExactly(new ServiceShare(OLD, 100));
    assertThat(aborted.reason()).isEqualTo("aborted by ann");
    assertThatThrownBy(() -> RolloutModel.abort(aborted, "ann", BEGIN))
        .hasMessageContaining("ROLLED_BACK");
  }

  /** Whatever happens, all requests go to what is there, and none to what was never ready. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void sharesAreWholeAndNoneIsOfOneThatWasNeverReady(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int part = random.nextInt(101);
      Rollout rollout =
          Rollout.begin(
              NEW,
              List.of(new ServiceShare(OLD, part), new ServiceShare(OTHER, 100 - part)),
              POLICY,
              BEGIN);
      Instant now = BEGIN;
      boolean wasReady = false;
      for (int i = 0; i < 20; i++) {
        now = now.plusSeconds(random.nextInt(300));
        boolean ready = random.nextInt(4) > 0;
        wasReady |= ready;
        long answers = random.nextInt(60);
        rollout =
            RolloutModel.next(
                rollout,
                new Sight(
                    ready,
                    null,
                    answers(answers, random.nextInt(20) == 0 ? 2 : 0, 5),
                    well(1).before()),
                now);
        if (rollout.state() != RolloutState.IDLE) {
          assertThat(rollout.shares().stream().mapToInt(ServiceShare::percent).sum())
              .isEqualTo(100);
        }
        if (!wasReady) {
          assertThat(rollout.shares()).noneMatch(share -> share.service().equals(NEW));
        }
      }
    }
  }

  @Test
  void theTimesOfPastStepsAreKeptToTheEndAndAfterIt() {
    Rollout first = RolloutModel.next(begun(), well(0), after(Duration.ofMinutes(1)));
    Rollout paused = RolloutModel.pause(first, "ann", after(Duration.ofMinutes(2)));
    Rollout resumed = RolloutModel.resume(paused, after(Duration.ofMinutes(4)));
    Rollout second = RolloutModel.next(resumed, well(20), after(Duration.ofMinutes(7)));
    Rollout done = RolloutModel.promote(second, "ann", after(Duration.ofMinutes(8)));
    Rollout over = RolloutModel.next(done, well(20), after(Duration.ofHours(1)));

    assertThat(second.ended()).isNull();
    assertThat(over.state()).isEqualTo(RolloutState.IDLE);
    assertThat(over.times())
        .containsExactly(
            new StepTime(0, BEGIN),
            new StepTime(1, after(Duration.ofMinutes(1))),
            new StepTime(2, after(Duration.ofMinutes(7))));
    assertThat(over.ended()).isEqualTo(after(Duration.ofMinutes(8)));
    assertThat(RolloutModel.abort(second, "ann", after(Duration.ofMinutes(9))).ended())
        .isEqualTo(after(Duration.ofMinutes(9)));
  }

  @Test
  void aRolloutThatAnEarlierVersionHasStoredIsRead() {
    ObjectNode stored = (ObjectNode) Json.parse(Json.write(begun()));
    stored.remove(List.of("times", "ended"));

    assertThat(Json.read(stored.toString(), Rollout.class).times()).isEmpty();
  }
}
