package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.submission.Submissions;
import io.orrery.orchestrator.trial.StderrTail;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out decisions about single attempts: submits them to their platform and cancels them
 * there. A call that fails for a passing reason is retried while the experiment still needs it.
 */
final class AttemptDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptDispatcher.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration STDERR_WITHIN = Duration.ofSeconds(5);

  private final ExperimentServices services;
  private final BooleanSupplier allowed;
  private final Predicate<AttemptRef> submitted;
  private final Predicate<AttemptRef> moving;
  private final Consumer<Occurrence> happen;
  private @Nullable TrialQuota quota;
  private Supplier<Share> share = () -> Share.EQUAL;
  private String owner = "";

  /**
   * @param allowed whether this server may act for the experiment
   * @param submitted whether an attempt still waits for its platform to start it
   * @param moving whether an attempt has not settled yet
   * @param happen takes what became of it
   */
  AttemptDispatcher(
      ExperimentServices services,
      BooleanSupplier allowed,
      Predicate<AttemptRef> submitted,
      Predicate<AttemptRef> moving,
      Consumer<Occurrence> happen) {
    this.services = services;
    this.allowed = allowed;
    this.submitted = submitted;
    this.moving = moving;
    this.happen = happen;
  }

  /** Charges attempts to the project of their experiment from now on. */
  Future<?> open(ExperimentRecord record, ExperimentModel model, long epoch) {
    TrialQuota charged = new TrialQuota(services, record, model, epoch, this::submit, happen);
    quota = charged;
    share = () -> model.spec().limits().share();
    owner = record.ownership().owner();
    return charged.open();
  }

  /** Has it look again after the number of attempts in flight has changed. */
  void settle() {
    Objects.requireNonNull(quota, "not open").settle();
  }

  /**
   * @param held whether this owner still has the experiment
   */
  void close(boolean held) {
    if (quota != null) {
      quota.close(held);
    }
  }

  void submit(Decision.Submit submit) {
    Objects.requireNonNull(quota, "not open").submit(submit.submission().of(owner));
  }

  private boolean leave(AttemptRef attempt) {
    return quota != null && quota.leave(attempt);
  }

  private void submit(Submission submission) {
    if (!services
        .bus()
        .orderHere(Submissions.SUBMIT, new Submissions.Submit(submission, share.get(), allowed))) {
      returned(
          new Submissions.Returned(submission, new Problem.Broken("no process here runs trials")));
    }
  }

  /** An attempt was not taken in charge. */
  void returned(Submissions.Returned returned) {
    AttemptRef attempt = returned.submission().attempt();
    Problem problem = returned.why();
    switch (problem) {
      case Problem.Passing passing ->
          happen.accept(new Occurrence.Deferred(attempt, passing.detail()));
      case Problem.Broken broken -> {
        LOG.warn("could not submit attempt {}, trying again: {}", attempt, broken.detail());
        again(submitted, attempt, () -> submit(returned.submission()));
      }
      // Such as a platform that is no longer here.
      case Problem.Refused _,
          Problem.NotFound _,
          Problem.Conflict _,
          Problem.Unauthorized _,
          Problem.Forbidden _,
          Problem.TooLarge _ ->
          happen.accept(new Occurrence.NotSubmitted(attempt, problem.detail()));
    }
  }

  /**
   * @param platform where it runs
   */
  void cancel(AttemptRef attempt, String platform) {
    if (leave(attempt)) {
      String why = "was ended before its platform had it";
      happen.accept(
          new Occurrence.Platform(
              new PlatformEvent.Ended(attempt, null, services.clock().now(), why)));
      return;
    }
    services
        .bus()
        .request(Submissions.CANCEL, new Submissions.Cancel(platform, attempt))
        .onFailure(failure -> {
          // The answer is not missed when the attempt has ended, or the owner is gone.
          if (moving.test(attempt)) {
            LOG.warn("could not end attempt {}, trying again: {}", attempt, failure.getMessage());
            again(moving, attempt, () -> cancel(attempt, platform));
          }
        });
  }

  /**
   * Not tried again: an attempt that goes on waiting says so, and is then taken back if that is
   * still wanted.
   */
  void withdraw(AttemptRef attempt, String platform) {
    if (leave(attempt)) {
      happen.accept(new Occurrence.Withdrawn(attempt));
      return;
    }
    services
        .bus()
        .request(Submissions.WITHDRAW, new Submissions.Withdraw(platform, attempt))
        .onSuccess(answer -> {
          if (answer.taken()) {
            happen.accept(new Occurrence.Withdrawn(attempt));
          }
        })
        .onFailure(failure -> LOG.warn("could not withdraw attempt {}", attempt, failure));
  }

  /**
   * Reads the last lines that a failed attempt wrote to stderr. A platform that cannot be asked, or
   * takes too long, has none: the trial settles without them.
   *
   * @param platform where it ran
   */
  void readStderr(AttemptRef attempt, String platform) {
    Promise<String> lines = Promise.promise();
    Clock.Timer late = services.clock().after(STDERR_WITHIN, () -> lines.tryComplete(""));
    services
        .platforms()
        .service(platform)
        .compose(service ->
            service.readLog(attempt, Trials.Stream.STDERR, -StderrTail.BYTES, StderrTail.BYTES))
        .onComplete((piece, failure) -> {
          late.cancel();
          lines.tryComplete(failure == null ? StderrTail.of(piece.bytes()) : "");
        });
    lines.future().onSuccess(text -> happen.accept(new Occurrence.StderrRead(attempt, text)));
  }

  private void again(Predicate<AttemptRef> wanted, AttemptRef attempt, Runnable step) {
    services
        .clock()
        .after(
            PAUSE,
            () -> {
              if (wanted.test(attempt)) {
                step.run();
              }
            });
  }
}
