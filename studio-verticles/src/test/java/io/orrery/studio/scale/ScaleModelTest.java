package io.orrery.studio.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Usages.ReplicaUsage;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.UseScaling;
import io.orrery.studio.scale.ScaleModel.Decision;
import io.orrery.studio.scale.ScaleModel.Sample;
import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
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
  void theAutoscalerOfAClusterCountsInPlaceOfWhatReplicasUse() {
    ScalePolicy policy =
        new ScalePolicy(
            1, 10, List.of(new Target(Measure.RPS, 100), new Target(Measure.CPU, 0.5)), List.of());
    replicas = 1;
    ScaleModel model = new ScaleModel(policy, ZONE);
    model.read(BEGIN, Map.of("cpu", 5.0));
    model.cluster(4);

    pass(model, 5, at -> 200);
    assertThat(replicas).isEqualTo(4);
    assertThat(reason).isEqualTo("the autoscaler of its cluster wants 4");

    pass(model, 120, at -> 700);
    assertThat(replicas).as("the largest wins").isEqualTo(7);

    model.cluster(null);
    model.read(BEGIN.plusSeconds(second), Map.of("cpu", 4.5));
    pass(model, 1, at -> 700);
    assertThat(replicas).as("without it the readings count").isEqualTo(9);
  }

  @Test
  void aServiceRestsThoughAnAutoscalerOfAClusterNeverWantsLessThanOne() {
    ScalePolicy policy = new ScalePolicy(0, 10, List.of(new Target(Measure.CPU, 0.5)), List.of());
    replicas = 1;
    ScaleModel model = new ScaleModel(policy, ZONE);
    model.cluster(1);

    pass(model, 30, at -> 1);
    assertThat(replicas).isOne();
    pass(model, 62, at -> 0);

    assertThat(replicas).isZero();
    assertThat(policy.ofCluster()).isEqualTo(new UseScaling(1, 10, Map.of("cpu", 0.5)));
  }

  @Test
  void aClusterScalesByUseAloneAndOnlyWithinARange() {
    Target cpu = new Target(Measure.CPU, 0.5);
    assertThat(new ScalePolicy(2, 2, List.of(cpu), List.of()).ofCluster()).isNull();
    assertThat(byRate.ofCluster()).isNull();
    assertThat(
            new ScalePolicy(
                    1, 4, List.of(), List.of(new Hours(LocalTime.of(9, 0), LocalTime.of(21, 0), 2)))
                .ofCluster())
        .isNull();
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

  private final ScalePolicy byReadings =
      new ScalePolicy(
          1,
          10,
          List.of(new Target(Measure.METRIC, 10, "queue"), new Target(Measure.CPU, 0.5)),
          List.of(),
          new ScalePolicy.MetricsEndpoint("http0", "/metrics"));

  private void read(ScaleModel model, int seconds, double queue, double cores) {
    for (int i = 0; i < seconds; i++) {
      model.read(BEGIN.plusSeconds(second + 1), Map.of("queue", queue, "cpu", cores));
      pass(model, 1, ignored -> 1);
    }
  }

  @Test
  void aMetricOfTheServiceCountsAndTheReasonSaysHow() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byReadings, ZONE);

    read(model, 5, 40, 0.2);

    assertThat(replicas).isEqualTo(4);
    assertThat(reason).isEqualTo("queue 40 of 10 each");
  }

  @Test
  void whatProgramsUseCountsByTheStableWindowAndWithinATenthChangesNothing() {
    replicas = 2;
    ScaleModel model = new ScaleModel(byReadings, ZONE);
    read(model, 60, 0, 1.08);
    assertThat(replicas).isEqualTo(2);

    read(model, 5, 0, 8);
    assertThat(replicas).isLessThanOrEqualTo(4);
    read(model, 60, 0, 2);
    assertThat(replicas).isEqualTo(4);
    assertThat(reason).endsWith(" cores of 0.50 each");
  }

  @Test
  void nothingIsTakenAwayWhileWhatItHasToDoIsNotKnown() {
    replicas = 1;
    ScaleModel model = new ScaleModel(byReadings, ZONE);
    read(model, 10, 40, 0.1);
    assertThat(replicas).isEqualTo(4);

    pass(model, 300, i -> 1);
    assertThat(replicas).isEqualTo(4);
    read(model, 90, 5, 0.1);
    assertThat(replicas).isEqualTo(1);
  }

  @Test
  void totalsCountByTheirGrowth() {
    UsageRates rates = new UsageRates();
    ReplicaRef first = ReplicaRef.parse("service/hello/1-0");
    ReplicaRef second = ReplicaRef.parse("service/hello/1-1");

    assertThat(rates.add(BEGIN, List.of(usage(first, 5, 100), usage(second, 6, 0))))
        .isEqualTo(Map.of("mem", 11.0));
    assertThat(rates.add(BEGIN.plusSeconds(2), List.of(usage(first, 5, 103), usage(second, 6, 1))))
        .isEqualTo(Map.of("mem", 11.0, "cpu", 2.0));
    // The first was restarted, and the second is gone.
    assertThat(rates.add(BEGIN.plusSeconds(4), List.of(usage(first, 5, 1))))
        .isEqualTo(Map.of("mem", 5.0));
  }

  private static ReplicaUsage usage(ReplicaRef replica, double memory, double seconds) {
    return new ReplicaUsage(replica, new Readings(Map.of("mem", memory), Map.of("cpu", seconds)));
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
