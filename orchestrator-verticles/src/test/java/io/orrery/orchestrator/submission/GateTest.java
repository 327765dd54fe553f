package io.orrery.orchestrator.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Problem OUT =
      new Problem.Busy("the machines are out", Duration.ofSeconds(1));

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final Scripted platform = new Scripted();
  private final Map<String, String> waits = new HashMap<>();
  private final List<String> refused = new ArrayList<>();
  private int told;
  private boolean allowed = true;

  private final Gate.Listener listener =
      new Gate.Listener() {
        @Override
        public void waits(AttemptRef attempt, String reason) {
          told++;
          waits.put(attempt.trial().trial().value(), reason);
        }

        @Override
        public void refused(AttemptRef attempt, String reason) {
          refused.add(attempt.trial().trial().value() + ": " + reason);
        }

        @Override
        public void refusedToAll(AttemptRef attempt, String reason) {
          refused.add("all of " + attempt.trial().trial().value() + ": " + reason);
        }
      };

  private Gate gate = new Gate("scripted", platform::submit, clock, listener, null);

  @Test
  void noMoreThanTheWindowIsHandedOverAtOnce() {
    enter("e", 40);
    assertThat(platform.calls).hasSize(Gate.WINDOW);
    platform.takeAll();
    platform.takeAll();
    assertThat(platform.taken).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void aSubmissionThatIsRepeatedIsTheSame() {
    enter("e", 40);
    enter("e", 40);
    platform.takeAll();
    platform.takeAll();
    assertThat(platform.taken).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void anOutageFailsNothingAndOneAttemptAtATimeTries() {
    platform.problem = OUT;
    enter("e", 1_000);
    assertThat(waits).hasSize(1_000).containsValue("the machines are out");
    int atOnce = platform.asked;

    clock.advance(Duration.ofMinutes(10));
    assertThat(platform.asked - atOnce).isBetween(9, 30);
    assertThat(told).as("the same reason is told once").isEqualTo(1_000);

    platform.problem = null;
    clock.advance(Duration.ofMinutes(2));
    while (!platform.calls.isEmpty()) {
      platform.takeAll();
    }
    assertThat(platform.taken).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(refused).isEmpty();
  }

  @Test
  void whatHoldsUpOneExperimentHoldsUpNoOther() {
    platform.problem = OUT;
    enter("full", 100);
    platform.problem = null;
    enter("free", 10);
    platform.takeAll();
    assertThat(platform.taken).hasSize(10).allMatch(name -> name.startsWith("free"));
  }

  @Test
  void aPlatformThatAsksForAPauseIsGivenIt() {
    platform.problem = new Problem.Busy("slow down", Duration.ofSeconds(90));
    enter("e", 1);
    int asked = platform.asked;
    clock.advance(Duration.ofSeconds(89));
    assertThat(platform.asked).isEqualTo(asked);
  }

  @Test
  void anOutcomeThatIsUnknownIsAskedForAgainAndThenGivenUp() {
    platform.problem = new Problem.Broken("connection reset");
    enter("e", 1);
    for (int i = 0; i < 4; i++) {
      assertThat(refused).isEmpty();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(platform.asked).isEqualTo(5);
    assertThat(refused).containsExactly("e0: connection reset");
  }

  /** K10. */
  @Test
  void whatIsRefusedForTheSectionOfAllTrialsIsToldToAll() {
    platform.problem =
        new Problem.Refused("no root", List.of(new Finding("/trainingService", "no root")));
    enter("e", 1);
    assertThat(refused).containsExactly("all of e0: no root");

    platform.problem =
        new Problem.Refused("too long", List.of(new Finding("/trialCommand", "too long")));
    enter("f", 1);
    assertThat(refused).containsExactly("all of e0: no root", "f0: too long");
  }

  @Test
  void whatIsRefusedIsToldAndTheNextComes() {
    platform.problem = new Problem.Conflict("no such image");
    enter("e", 1_000);
    assertThat(refused).hasSize(1_000);
  }

  @Test
  void whatHasNotBeenHandedOverCanBeTakenBack() {
    enter("e", 33);
    assertThat(gate.leave(submission("e", 32).attempt())).isTrue();
    assertThat(gate.leave(submission("e", 0).attempt())).as("is with the platform").isFalse();
    platform.takeAll();
    platform.takeAll();
    assertThat(platform.taken).hasSize(32);
  }

  @Test
  void aPlatformWithALimitIsGivenNoMoreThanItsRateAndWhatWaitsSaysSo() {
    gate = new Gate("scripted", platform::submit, clock, listener, new RateLimit(5, 10));
    enter("e", 20);
    enter("f", 20);
    int given = takeAll();
    assertThat(given).as("the burst").isEqualTo(10);
    assertThat(waits)
        .hasSize(30)
        .containsValue("its turn has not come: scripted is given 5 trials a second");

    for (int second = 0; second < 4; second++) {
      clock.advance(Duration.ofSeconds(1));
      given += takeAll();
      assertThat(given).isBetween(10 + 5 * second + 4, 10 + 5 * second + 5);
    }
    assertThat(platform.taken.stream().filter(name -> name.startsWith("f")).count())
        .as("both have their turns")
        .isBetween(8L, 12L);
    clock.advance(Duration.ofSeconds(10));
    takeAll();
    assertThat(platform.taken).hasSize(40).doesNotHaveDuplicates();
    assertThat(refused).isEmpty();
  }

  @Test
  void aRestGivesABurstAndNotMore() {
    gate = new Gate("scripted", platform::submit, clock, listener, new RateLimit(0.5, 3));
    clock.advance(Duration.ofHours(1));
    enter("e", 10);
    assertThat(takeAll()).isEqualTo(3);
    clock.advance(Duration.ofSeconds(2));
    assertThat(takeAll()).isEqualTo(1);
  }

  /** How many the platform took. */
  private int takeAll() {
    int before = platform.taken.size();
    while (!platform.calls.isEmpty()) {
      platform.takeAll();
    }
    return platform.taken.size() - before;
  }

  @Test
  void anAttemptThatAnotherServerStartsIsNotHandedOverHere() {
    enter("e", 40);
    allowed = false;
    platform.takeAll();
    assertThat(platform.taken).as("were with the platform already").hasSize(32);
    assertThat(platform.calls).isEmpty();
    assertThat(refused).isEmpty();

    allowed = true;
    enter("e", 40);
    platform.takeAll();
    platform.takeAll();
    assertThat(platform.taken).contains("e39");
  }

  private void enter(String experiment, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(gate.enter(submission(experiment, i), Share.EQUAL, () -> allowed)).isTrue();
    }
  }

  private static Submission submission(String experiment, int number) {
    TrialRef trial = new TrialRef(new ExperimentId(experiment), new TrialId(experiment + number));
    JobSpec job = BareJob.on("scripted", "true", "/", null);
    return new Submission(
        new AttemptRef(trial, 1),
        number,
        new ParameterSet(0, "0", ParameterSource.ALGORITHM, Parameters.EMPTY),
        job);
  }

  /**
   * A platform that declines at once while it has a problem, and else answers when it is told to.
   */
  private static final class Scripted implements TrainingService {
    final Map<String, Promise<Void>> calls = new LinkedHashMap<>();
    final List<String> taken = new ArrayList<>();
    Problem problem;
    int asked;

    void takeAll() {
      Map<String, Promise<Void>> now = new LinkedHashMap<>(calls);
      calls.clear();
      now.forEach((name, promise) -> {
        taken.add(name);
        promise.complete();
      });
    }

    @Override
    public Future<Void> submit(Submission submission) {
      asked++;
      if (problem != null) {
        return Future.failedFuture(problem.toException());
      }
      Promise<Void> promise = Promise.promise();
      calls.put(submission.attempt().trial().trial().value(), promise);
      return promise.future();
    }

    @Override
    public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> cancel(AttemptRef attempt) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> cleanUp(ExperimentId experiment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }
}
