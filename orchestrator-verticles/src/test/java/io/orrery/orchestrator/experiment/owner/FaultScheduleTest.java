package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment.Best;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.experiment.owner.FaultDisk.Reported;
import io.orrery.orchestrator.experiment.owner.FaultDisk.Row;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Schedules of faults, drawn from a seed: the server is killed at any instant, the disk refuses,
 * the cluster is out, news come late and twice, users interfere. Then everything heals, and what
 * must always hold is looked at. {@code -Dorrery.faults=10000} plays more of them, {@code
 * -Dorrery.faults.seed=N} a single one again, with {@code -Dorrery.faults.trace=true} step by step.
 */
class FaultScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("orrery.faults", 300);
  private static final Long ONE = Long.getLong("orrery.faults.seed");

  @TestFactory
  java.util.stream.Stream<DynamicTest> whateverGoesWrongNothingIsLostAndNothingIsRunTwice() {
    LongStream seeds = ONE == null ? LongStream.range(0, SCHEDULES) : LongStream.of(ONE);
    return seeds.mapToObj(
        seed -> DynamicTest.dynamicTest("seed " + seed, () -> new Schedule(seed).play()));
  }

  /** A schedule of faults, with its server and its cluster. */
  private static final class Schedule implements FaultCluster.Listener {
    private static final Duration TROUBLE = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofHours(3);

    private final long seed;
    private final SplittableRandom chance;
    private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
    private final FaultDisk disk;
    private final FaultCluster cluster;
    private final RetryPolicy retry;
    private FaultServer server;
    private boolean healed;
    private int mostSlots;

    /** What users were told is so, to be looked at in the end. */
    private final Set<Long> added = new HashSet<>();

    private final Map<TrialId, Integer> retried = new HashMap<>();
    private final Map<AttemptRef, String> canceled = new HashMap<>();
    private final Map<TrialId, Integer> retriesAsked = new HashMap<>();
    private boolean stopped;
    private long wishes = 1_000_000;

    Schedule(long seed) {
      this.seed = seed;
      this.chance = new SplittableRandom(seed);
      this.mostSlots = chance.nextInt(1, 7);
      this.retry =
          new RetryPolicy(
              chance.nextInt(1, 4),
              Duration.ofSeconds(chance.nextInt(1, 5)),
              Set.of(RetryPolicy.Cause.FAILED, RetryPolicy.Cause.LOST));
      this.disk =
          new FaultDisk(
              ExperimentRecord.of(
                  new ExperimentId("faults"), spec(chance.nextInt(5, 60)), clock.now()));
      this.cluster = new FaultCluster(chance.split(), clock, this);
    }

    private ExperimentSpec spec(long trials) {
      Duration trialLimit = chance.nextBoolean() ? Duration.ofSeconds(10) : null;
      Direction direction = chance.nextBoolean() ? Direction.MAXIMIZE : Direction.MINIMIZE;
      ExperimentLimits limits =
          ExperimentLimits.of(mostSlots, trials).withDurations(null, trialLimit).withRetry(retry);
      return new ExperimentSpec(
          ExperimentDescription.named("faults"),
          SearchSpec.random(
              new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), direction, 7),
          JobSpec.of("true", "/", null, new TrainingServiceSpec("cluster", Parameters.EMPTY))
              .withMultiPhase(seed % 3 == 2),
          limits);
    }

    void play() {
      begin();
      trouble();
      clock.advance(TROUBLE);
      heal();
      Instant deadline = clock.now().plus(PATIENCE);
      while (!(server.over() && cluster.idle())) {
        assertThat(clock.step()).as(say("something is waited for that never comes")).isTrue();
        assertThat(clock.now())
            .as(say("it is not over, " + cluster.restless() + ", " + disk.record))
            .isBefore(deadline);
      }
      // What is late is given its time.
      clock.advance(Duration.ofSeconds(30));
      look();
    }

    private String say(String what) {
      return "seed " + seed + ": " + what;
    }

    private void begin() {
      server = new FaultServer(chance.split(), clock, disk, cluster);
      server.start();
    }

    // ---- what goes wrong ---------------------------------------------------------------------

    private void trouble() {
      if (chance.nextInt(4) > 0) {
        again(8_000, this::killServer);
      }
      if (chance.nextBoolean()) {
        again(
            15_000,
            () -> {
              cluster.out(true);
              clock.after(pause(8_000), () -> cluster.out(false));
            });
      }
      if (chance.nextBoolean()) {
        again(
            10_000,
            () -> {
              server.diskFails(true);
              FaultServer which = server;
              clock.after(pause(4_000), () -> which.diskFails(false));
            });
      }
      if (chance.nextInt(4) > 0) {
        again(4_000, this::userActs);
      }
    }

    private Duration pause(int mean) {
      return Duration.ofMillis((long) (-mean * Math.log(1 - chance.nextDouble())) + 1);
    }

    private void again(int mean, Runnable trouble) {
      clock.after(
          pause(mean),
          () -> {
            if (!healed) {
              trouble.run();
              again(mean, trouble);
            }
          });
    }

    private void killServer() {
      server.kill();
      FaultServer dead = server;
      clock.after(
          pause(2_000),
          () -> {
            if (server == dead) {
              begin();
            }
          });
    }

    private void heal() {
      healed = true;
      cluster.out(false);
      server.kill();
      begin();
      if (server.model().status() == ExperimentStatus.PAUSED) {
        server.ask(new Occurrence.ResumeAsked());
      }
    }

    private void userActs() {
      List<TrialState> moving = server.model().moving();
      switch (chance.nextInt(12)) {
        case 0, 1 -> server.ask(new Occurrence.PauseAsked());
        case 2, 3, 4 -> server.ask(new Occurrence.ResumeAsked());
        case 5, 6 -> {
          if (!moving.isEmpty()) {
            cancel(moving.get(chance.nextInt(moving.size())).attempt());
          }
        }
        case 7 -> {
          long wish = wishes++;
          server
              .ask(new Occurrence.TrialAdded(new Parameters(Map.of("x", wish))))
              .onSuccess(durable -> added.add(wish));
        }
        case 8, 9 -> retryOne();
        case 10 -> {
          mostSlots++;
          ExperimentSpec now = server.model().spec();
          server.ask(
              new Occurrence.SpecChanged(
                  now.withLimits(
                      mostSlots,
                      now.limits().maxTrialNumber(),
                      now.limits().maxExperimentDuration())));
        }
        default -> {
          if (chance.nextInt(6) == 0) {
            server.ask(new Occurrence.StopAsked()).onSuccess(durable -> stopped = true);
          }
        }
      }
    }

    private void cancel(AttemptRef attempt) {
      server
          .ask(new Occurrence.TrialCancelAsked(attempt.trial().trial()))
          .onSuccess(durable -> {
            Row row = disk.rows.get(attempt.trial().trial());
            boolean takenUp =
                row != null
                    && row.stored().attempt() == attempt.number()
                    && (row.stored().ending() == TrialStatus.USER_CANCELED
                        || row.stored().status() == TrialStatus.USER_CANCELED);
            if (takenUp) {
              canceled.put(attempt, "USER_CANCELED");
            }
          });
    }

    private void retryOne() {
      List<Row> settled =
          disk.rows.values().stream()
              .filter(row -> row.stored().phase() == Phase.SETTLED)
              .filter(row -> row.stored().status() != TrialStatus.SUCCEEDED)
              .toList();
      if (settled.isEmpty()) {
        return;
      }
      Row row = settled.get(chance.nextInt(settled.size()));
      TrialId trial = row.ref().trial();
      retriesAsked.merge(trial, 1, Integer::sum);
      server.askAgain(trial).onSuccess(durable -> retried.put(trial, row.stored().attempt() + 1));
    }

    // ---- what reaches the server -------------------------------------------------------------

    @Override
    public void happened(PlatformEvent event) {
      server.happened(event);
    }

    @Override
    public Future<Trials.Next> next(AttemptRef attempt, int index) {
      return server.next(attempt, index);
    }

    @Override
    public boolean reported(AttemptRef attempt, MetricKind kind, Reported value) {
      if (!server.alive()) {
        return false;
      }
      if (kind == MetricKind.FINAL) {
        disk.finals.put(attempt, value);
        disk.all
            .computeIfAbsent(attempt, first -> new HashMap<>())
            .put(value.parameterId(), value.value());
        server.stored(attempt, value);
      } else {
        disk.latest.put(attempt, value);
      }
      return true;
    }

    // ---- what must always hold ---------------------------------------------------------------

    private void look() {
      ExperimentRecord record = disk.record;
      List<Row> rows = new ArrayList<>(disk.rows.values());
      assertThat(cluster.faults).as(say("the cluster was done wrong to")).isEmpty();
      assertThat(cluster.running).as(say("processes left behind")).isZero();
      assertThat(cluster.mostRunning)
          .as(say("more ran than there are slots"))
          .isLessThanOrEqualTo(mostSlots);
      assertThat(rows)
          .as(say("a trial was forgotten"))
          .allMatch(row -> row.stored().phase() == Phase.SETTLED);
      assertThat(rows.stream().map(Row::sequence)).as(say("numbers")).doesNotHaveDuplicates();
      assertThat(
              rows.stream()
                  .flatMap(row -> row.sets().stream())
                  .map(GivenSet::set)
                  .filter(set -> set.source() == ParameterSource.ALGORITHM)
                  .map(set -> set.parameterId()))
          .as(say("a suggestion was tried by two trials"))
          .doesNotHaveDuplicates();
      Map<TrialStatus, Long> counts = new HashMap<>();
      rows.forEach(row -> counts.merge(row.stored().status(), 1L, Long::sum));
      assertThat(record.counts()).as(say("the sums")).isEqualTo(counts);
      assertThat(record.created()).as(say("created")).isEqualTo(rows.size());
      assertThat(record.created()).isLessThanOrEqualTo(record.spec().limits().maxTrialNumber());
      // Among equals anyone may be the best.
      assertThat(Optional.ofNullable(record.best()).map(Best::metric))
          .as(say("the best"))
          .isEqualTo(disk.best(record.spec().search().direction()).map(Best::metric));
      ends(record, rows);
      rows.forEach(this::result);
      wishes(rows);
    }

    private void ends(ExperimentRecord record, List<Row> rows) {
      if (stopped) {
        // It may have been resumed since.
        assertThat(record.status())
            .isIn(ExperimentStatus.STOPPED, ExperimentStatus.DONE, ExperimentStatus.FAILED);
      } else {
        assertThat(record.status())
            .as(say("its end"))
            .isIn(ExperimentStatus.DONE, ExperimentStatus.FAILED, ExperimentStatus.STOPPED);
      }
      if (record.status() != ExperimentStatus.STOPPED) {
        assertThat((long) rows.size())
            .as(say("trials"))
            .isEqualTo(record.spec().limits().maxTrialNumber());
      }
    }

    private void result(Row row) {
      TrialState.Stored end = row.stored();
      AttemptRef attempt = row.state().attempt();
      Map<String, MetricValue> reported = disk.all.getOrDefault(attempt, Map.of());
      reported.forEach((of, value) ->
          assertThat(row.state().sets().resultOf(of))
              .as(say("the result of " + attempt + " for " + of + ", " + row))
              .isEqualTo(value));
      if (row.state().sets().several()) {
        assertThat(row.sets()).as(say("sets of " + row)).allMatch(set -> set.settled() != null);
      }
      if (end.status() == TrialStatus.SUCCEEDED) {
        assertThat(end.exitCode()).as(say(attempt.toString())).isEqualTo(0);
      }
      int allowed = retry.attempts() + retriesAsked.getOrDefault(row.ref().trial(), 0) * 3;
      assertThat(end.attempt()).as(say("attempts of " + attempt)).isLessThanOrEqualTo(allowed);
    }

    private void wishes(List<Row> rows) {
      Set<Object> tried = new HashSet<>();
      rows.forEach(row -> tried.add(row.sets().getFirst().set().values().values().get("x")));
      assertThat(tried).as(say("trials that users were promised")).containsAll(added);
      retried.forEach((trial, attempt) ->
          assertThat(disk.rows.get(trial).stored().attempt())
              .as(say("the retry of " + trial))
              .isGreaterThanOrEqualTo(attempt));
      canceled.forEach((attempt, as) -> {
        Row row = disk.rows.get(attempt.trial().trial());
        if (row.stored().attempt() == attempt.number()) {
          assertThat(row.stored().status().name()).as(say("the end of " + attempt)).isEqualTo(as);
        }
      });
    }
  }
}
