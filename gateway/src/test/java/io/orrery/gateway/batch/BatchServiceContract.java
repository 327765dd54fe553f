package io.orrery.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.batch.Nameless;
import io.orrery.compute.batch.StandIn;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Noted;
import io.orrery.compute.service.PlatformEvent.Unreachable;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptServiceContract;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of every platform, run with jobs of a batch service; and tests of what such a
 * service does to them.
 */
abstract class BatchServiceContract<S extends StandIn> extends KeptServiceContract {
  protected final Map<String, Object> settings = new HashMap<>();
  protected S standIn;

  /** Starts the service, and says in {@link #settings} how to use it. */
  protected abstract S standIn() throws Exception;

  protected abstract String name();

  protected abstract TrainingService quick(Surroundings surroundings);

  /** What the job of an attempt is called. */
  protected abstract String job(AttemptRef attempt);

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
    standIn = standIn();
  }

  @Override
  protected void afterService() throws Exception {
    standIn.close();
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec(name(), new Parameters(Map.copyOf(settings)));
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return quick(surroundings);
  }

  @Override
  protected void lose(AttemptRef attempt) {
    standIn.lose(job(attempt));
  }

  @Override
  protected boolean runs(AttemptRef attempt) {
    return standIn.runs(job(attempt));
  }

  protected boolean has(AttemptRef attempt, Class<? extends PlatformEvent> kind) {
    return listener.events(attempt).stream().anyMatch(kind::isInstance);
  }

  /** Submits as submission does: again while there is no room. */
  protected AttemptRef insist(Submission submission) throws Exception {
    for (int i = 0; ; i++) {
      try {
        submit(submission);
        return submission.attempt();
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.Busy) || i == 50) {
          throw e;
        }
      }
    }
  }

  @Test
  void jobsHaveTheNamesThatPeopleLookFor() throws Exception {
    Submission first = submission("named", "exit 1");
    submit(first);
    listener.ended(first.attempt());
    Submission second =
        new Submission(
            new AttemptRef(first.attempt().trial(), 2), 4, first.parameters(), job("true"));
    submit(second);
    listener.ended(second.attempt());

    assertThat(standIn.jobs())
        .containsExactlyInAnyOrder(job(first.attempt()), job(second.attempt()));
    assertThat(job(first.attempt())).contains("nni_exp_contract_trial_named");
    assertThat(job(second.attempt())).isEqualTo(job(first.attempt()) + "_a2");
  }

  @Test
  void aServiceWithoutTimeIsAskedAgainAndTheTrialRunsOnce() throws Exception {
    Submission submission = submission("busy", "echo run >>runs");
    standIn.crowded.set(1);

    assertThatThrownBy(() -> submit(submission))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem()).isInstanceOf(Problem.Busy.class));
    insist(submission);

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(standIn.jobs()).hasSize(1);
  }

  @Test
  void aSubmissionWhoseAnswerIsLostIsFoundByItsName() throws Exception {
    Submission submission = submission("lost", "echo run >>runs\n" + AWAIT_GO);
    standIn.forgetful.set(true);

    insist(submission);
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(standIn.jobs()).hasSize(1);
  }

  @Test
  void anAnswerThatWasLostBeforeARestartIsFoundByItsName() throws Exception {
    Submission submission = submission("lost", "echo run >>runs\n" + AWAIT_GO);
    standIn.forgetful.set(true);
    assertThatThrownBy(() -> submit(submission)).isInstanceOf(ProblemException.class);

    restart();
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(standIn.jobs()).hasSize(1);
  }

  @Test
  void aServiceThatIsAwayCostsNoTrial() throws Exception {
    AttemptRef attempt =
        submit(REPORT + "touch up\n" + AWAIT_GO + "report FINAL 0 0.3; touch gone");
    Eventually.until("it runs", () -> Files.exists(code().resolve("up")));

    standIn.away();
    Eventually.until("that is told", () -> has(attempt, Unreachable.class));
    go();
    Eventually.until("its command is over", () -> Files.exists(code().resolve("gone")));
    assertThat(listener.endedOf(attempt)).isEmpty();
    standIn.back();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt)).hasSize(1);
  }

  /** K4: its keeper is ended with SIGTERM and tells 143, which is not the command's own. */
  @Test
  void aJobThatIsStoppedAtTheServiceIsLost() throws Exception {
    AttemptRef attempt = submit("touch up; sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));

    standIn.stop(job(attempt));

    Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).as("%s", ended).isNull();
    assertThat(ended.reason()).contains("not by this server");
  }

  /** K4: a command may end itself as if it had been ended. */
  @Test
  void aCommandThatEndsWith143ByItselfHasFailed() throws Exception {
    assertThat(listener.ended(submit("exit 143")).exitCode()).isEqualTo(143);
  }

  /** K3: and K5, for the refusal is never one of our own users. */
  @Test
  void aServiceThatRefusesForAWhileFailsNoTrial() throws Exception {
    AttemptRef attempt = submit(REPORT + "touch up\n" + AWAIT_GO + "report FINAL 0 0.3");
    Eventually.until("it runs", () -> Files.exists(code().resolve("up")));
    Submission late = submission("late", "true");

    for (int status : List.of(401, 403, 404)) {
      standIn.refusing.set(status);
      assertThatThrownBy(() -> submit(late))
          .hasMessageContaining("HTTP " + status + ", not any longer")
          .isInstanceOfSatisfying(
              ProblemException.class,
              e -> assertThat(e.problem()).isInstanceOf(Problem.Busy.class));
    }
    Eventually.until("that is told", () -> has(attempt, Unreachable.class));
    assertThat(listener.endedOf(attempt)).isEmpty();
    standIn.refusing.set(0);
    insist(late);
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.ended(late.attempt()).exitCode()).isZero();
  }

  /** K5. */
  @Test
  void anExperimentIsStoppedAndDeletedThoughItsServiceRefuses() throws Exception {
    AttemptRef attempt = submit("touch up; sleep 300");
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));
    standIn.refusing.set(401);

    done(service.cancel(attempt));

    assertThat(listener.ended(attempt).exitCode()).isNotEqualTo(Integer.valueOf(0));
    assertThat(done(service.remove(EXPERIMENT)))
        .singleElement()
        .asString()
        .contains("may go on", "HTTP 401", job(attempt));
    assertThat(home().resolve("experiments/contract/trials")).doesNotExist();
    standIn.refusing.set(0);
  }

  @Test
  void aJobThatIsDeletedEndsItsTrial() throws Exception {
    AttemptRef attempt = submit("trap '' TERM; sleep 300 & wait; sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));
    // What its keeper would say is not heard any more.
    standIn.lose(job(attempt));

    standIn.delete(job(attempt));

    assertThat(listener.ended(attempt).reason()).contains(job(attempt));
  }

  @Test
  void oneCallLooksAtAllJobs() throws Exception {
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      attempts.add(submit(AWAIT_GO));
    }
    for (AttemptRef attempt : attempts) {
      Eventually.until("it runs", () -> listener.started(attempt));
    }
    int before = standIn.calls.size();

    Eventually.until("some rounds", () -> standIn.calls.size() >= before + 4);

    assertThat(standIn.calls.subList(before, before + 4)).containsOnly(standIn.calls.get(before));
    assertThat(standIn.calls.get(before)).doesNotContain(job(attempts.getFirst()));
    go();
    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
    }
  }

  @Test
  void aRunningTrialSaysWhereItsJobIsShown() throws Exception {
    AttemptRef attempt = submit("true");

    listener.ended(attempt);

    assertThat(listener.events(attempt))
        .filteredOn(event -> event instanceof Noted)
        .singleElement()
        .asString()
        .contains("its job is shown at http");
  }

  @Test
  void anOwnerThatReleasesDoesNothingMoreAndTheNextGoesOn() throws Exception {
    Submission submission = leftRunning();
    AttemptRef attempt = submission.attempt();

    Set<Integer> connections = Set.copyOf(standIn.callers);
    takeOver();
    List<PlatformEvent> told = toldBefore.events(attempt);
    int sinceThen = standIn.callers.size();
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThatTheOneBeforeRefuses(attempt);
    Eventually.until("the heir has looked often", () -> standIn.callers.size() > sinceThen + 10);
    go();

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(5);
    assertThat(toldBefore.events(attempt)).isEqualTo(told);
    assertThat(standIn.callers.subList(sinceThen, standIn.callers.size()))
        .filteredOn(connections::contains)
        .as("but for the look that was under way")
        .hasSizeLessThanOrEqualTo(1);
    assertThat(standIn.jobs()).containsExactly(job(attempt));
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    done(before.close());
  }

  @Test
  void aJobThatAnOwnerOfYesterdayAsksForLateIsNoSecondRun() throws Exception {
    shareWork();
    Submission submission = submission("late", "echo run >>runs\n" + AWAIT_GO);
    AttemptRef attempt = submission.attempt();
    Future<Void> late = onItsWay(submission);
    takeOver();
    assertThat(done(service.adopt(List.of(submission)))).containsExactly(attempt);
    submit(submission);
    Eventually.until("its command runs", () -> Files.exists(code().resolve("runs")));

    standIn.arrive();
    Eventually.until("the late request is answered", late::isComplete);
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(toldBefore.events(attempt)).isEmpty();
    assertThat(standIn.jobs()).containsExactly(job(attempt));
    done(before.close());
  }

  /** Whose request is written, and not there yet. */
  private Future<Void> onItsWay(Submission submission) throws Exception {
    standIn.stall(job(submission.attempt()));
    Future<Void> late = service.submit(submission);
    Eventually.until("it is on its way", standIn::isStalled);
    return late;
  }

  /** For services that give ids: of two jobs of a name, the one that runs may be the late one. */
  protected void theJobThatRunsIsFollowedAndTheOtherOneStopped(Nameless service) throws Exception {
    shareWork();
    Submission submission = submission("late", "echo run >>runs\n" + AWAIT_GO);
    AttemptRef attempt = submission.attempt();
    Future<Void> late = onItsWay(submission);
    takeOver();
    assertThat(done(this.service.adopt(List.of(submission)))).containsExactly(attempt);
    service.full(true);
    submit(submission);
    service.full(false);

    standIn.arrive();
    Eventually.until("the late request is answered", late::isComplete);
    Eventually.until("its command runs", () -> Files.exists(code().resolve("runs")));
    Eventually.until(
        "the job that waits is stopped",
        () ->
            service
                .states(job(attempt))
                .getFirst()
                .toLowerCase(Locale.ROOT)
                .matches("killed|stopped"));
    assertThat(listener.endedOf(attempt)).isEmpty();
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(service.states(job(attempt))).hasSize(2);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(toldBefore.events(attempt)).isEmpty();
    done(before.close());
  }
}
