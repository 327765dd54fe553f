package io.orrery.orchestrator.submission;

import io.orrery.core.bus.Bus;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.submission.Submissions.Done;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;

/**
 * Hands attempts to platforms, at most {@value #WINDOW} at the same time. Cancellations do not
 * queue: what is to end shall end now.
 */
public final class SubmissionVerticle extends VerticleBase {
  /** A platform call may take long; this many may be under way. */
  static final int WINDOW = 32;

  private static final int QUEUE_LIMIT = 10_000;

  private record Waiting(Submission submission, Promise<Done> answer) {}

  private final Bus bus;
  private final Platforms platforms;
  private final FairQueue<ExperimentId, Waiting> queue = new FairQueue<>(QUEUE_LIMIT);
  private int underWay;

  public SubmissionVerticle(Bus bus, Platforms platforms) {
    this.bus = bus;
    this.platforms = platforms;
  }

  @Override
  public Future<?> start() {
    return Future.all(
        bus.serve(Submissions.SUBMIT, submit -> enqueue(submit.submission())),
        bus.serve(Submissions.CANCEL, this::cancel),
        bus.serve(Submissions.WITHDRAW, this::withdraw));
  }

  private Future<Done> enqueue(Submission submission) {
    Waiting waiting = new Waiting(submission, Promise.promise());
    ExperimentId owner = submission.attempt().trial().experiment();
    if (!queue.offer(owner, waiting)) {
      return Future.failedFuture(
          new Problem.Busy(
                  "the submission queue holds " + QUEUE_LIMIT + " trials", Duration.ofSeconds(1))
              .toException());
    }
    next();
    return waiting.answer().future();
  }

  private void next() {
    while (underWay < WINDOW && queue.size() > 0) {
      underWay++;
      queue.poll().ifPresent(this::hand);
    }
  }

  private void hand(Waiting waiting) {
    Submission submission = waiting.submission();
    platforms
        .service(submission.spec().trainingService().platform())
        .compose(service -> service.submit(submission))
        .map(taken -> new Done())
        .onComplete(done -> {
          underWay--;
          waiting.answer().handle(done);
          next();
        });
  }

  private Future<Submissions.Withdrawn> withdraw(Submissions.Withdraw withdraw) {
    return platforms
        .service(withdraw.platform())
        .compose(service -> service.withdraw(withdraw.attempt()))
        .map(Submissions.Withdrawn::new);
  }

  private Future<Done> cancel(Submissions.Cancel cancel) {
    return platforms
        .service(cancel.platform())
        .compose(service -> service.cancel(cancel.attempt()))
        .map(gone -> new Done());
  }
}
