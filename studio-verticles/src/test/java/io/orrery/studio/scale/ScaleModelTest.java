package io.orrery.studio.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.studio.scale.ScaleModel.Decision;
import io.orrery.studio.scale.ScaleModel.Sample;
import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Scales a service whose replicas are ready as soon as they are wanted, second by second. */
class ScaleModelTest {
  private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");
  private static final ZoneId ZONE = ZoneId.of("UTC");

  private final ScalePolicy byRate =
      new ScalePolicy(1, 10, List.of(new Target(Measure.RPS, 100)), List.of());
  private final ScalePolicy byConcurrency =
      new ScalePolicy(0, 10, List.of(new Target(Measure.CONCURRENCY, 8)), List.of());

  private int second;
  private long answers;
  private int replicas;
  private String reason = "";

  /** Lets seconds pass under a load of so many requests in each, which are answered at once. */
  private void pass(ScaleModel model, int seconds, IntUnaryOperator load) {
    for (int i = 0; i < seconds; i++) {
      int now = load.applyAsInt(i);
      second++;
      answers += now;
      Optional<Decision> decision = sample(model, now, 0);
      decision.ifPresent(made -> {
        replicas = made.replicas();
        reason = made.reason();
      });
    }
  }

  private Optional<Decision> sample(ScaleModel model, int concurrency, int held) {
    model.add(new Sample(BEGIN.plusSeconds(second), concurrency, held, answers));
    return model.decide(replicas, replicas);
  }

  @Test
  void asManyReplicasAsTheRateWants() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byRate, ZONE);

    pass(model, 120, i -> 380);

    assertThat(replicas).isEqualTo(4);
    assertThat(reason).isEqualTo("380.0 requests/s of 100 each");
  }

  @Test
  void aBurstCountsWithinSecondsAndIsNotForgottenForAMinute() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byRate, ZONE);
    pass(model, 120, i -> 50);
    assertThat(replicas).isEqualTo(1);

    pass(model, 7, i -> 800);
    assertThat(replicas).isGreaterThanOrEqualTo(7);
    int most = replicas;

    pass(model, 50, i -> 50);
    assertThat(replicas).isEqualTo(most);
    pass(model, 120, i -> 50);
    assertThat(replicas).isEqualTo(1);
  }

  @Test
  void theBoundsOfTheDocumentHold() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byRate, ZONE);

    pass(model, 120, i -> 100_000);
    assertThat(replicas).isEqualTo(10);
    pass(model, 300, i -> 0);
    assertThat(replicas).isEqualTo(1);
  }

  @Test
  void theNumberIsAtMostHalvedAtATime() {
    replicas = 10;
    ScaleModel model = new ScaleModel(byRate, ZONE);
    pass(model, 61, i -> 1_000);

    int before = replicas;
    for (int i = 0; i < 200; i++) {
      pass(model, 1, ignored -> 0);
      assertThat(replicas).isGreaterThanOrEqualTo(before / 2);
      before = replicas;
    }
    assertThat(replicas).isEqualTo(1);
  }

  @Test
  void oneThatRestsHasNoReplicaAfterAMinuteAndOneWhenARequestWaits() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byConcurrency, ZONE);
    pass(model, 30, i -> 4);
    pass(model, 59, i -> 0);
    assertThat(replicas).isEqualTo(1);

    pass(model, 5, i -> 0);
    assertThat(replicas).isZero();
    assertThat(reason).isEqualTo("no request for 60 s");

    second++;
    assertThat(sample(model, 50, 50))
        .map(Decision::replicas)
        .hasValueSatisfying(wanted -> assertThat(wanted).isBetween(1, 10));
  }

  @Test
  void oneThatRestsIsNotWokenByAServerThatStarts() {
    replicas = 0;
    ScaleModel model = new ScaleModel(byConcurrency, ZONE);

    pass(model, 10, i -> 0);

    assertThat(replicas).isZero();
  }

  @Test
  void whatIsStartingIsNotTakenAway() {
    ScaleModel model = new ScaleModel(byConcurrency, ZONE);
    replicas = 4;
    pass(model, 61, i -> 32);
    for (int i = 0; i < 61; i++) {
      second++;
      model.add(new Sample(BEGIN.plusSeconds(second), 0, 0, answers));
    }

    assertThat(model.decide(4, 2)).isEmpty();
    assertThat(model.decide(4, 4)).map(Decision::replicas).contains(2);
  }

  @Test
  void theLargestOfSeveralTargetsCounts() {
    replicas = 1;
    ScaleModel model =
        new ScaleModel(
            new ScalePolicy(
                1,
                10,
                List.of(new Target(Measure.RPS, 100), new Target(Measure.CONCURRENCY, 100)),
                List.of()),
            ZONE);

    pass(model, 90, i -> 600);

    assertThat(replicas).isEqualTo(6);
  }

  @Test
  void aTimetableCountsByTheHour() {
    ScaleModel model =
        new ScaleModel(
            new ScalePolicy(
                0,
                5,
                List.of(),
                List.of(
                    new Hours(LocalTime.of(9, 0), LocalTime.of(21, 0), 3),
                    new Hours(LocalTime.of(21, 0), LocalTime.of(9, 0), 0))),
            ZONE);
    replicas = 1;

    pass(model, 1, i -> 0);
    assertThat(replicas).isEqualTo(3);
    assertThat(reason).isEqualTo("from 09:00 until 21:00 by its timetable");

    second += 10 * 3_600;
    pass(model, 1, i -> 0);
    assertThat(replicas).isZero();
  }
}
