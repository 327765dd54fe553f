package io.orrery.orchestrator.submission;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A gate of a server that may be killed, and what {@link SubmissionVerticle} does with it. */
public final class FaultGate {
  private final TrainingService platform;
  private final Gate gate;

  public FaultGate(
      TrainingService platform,
      Clock clock,
      BooleanSupplier alive,
      Consumer<PlatformEvent> waits,
      BiConsumer<AttemptRef, String> refused) {
    this.platform = new Mortal(platform, alive);
    this.gate =
        new Gate(
            "cluster",
            this.platform::submit,
            clock,
            new Gate.Listener() {
              @Override
              public void waits(AttemptRef attempt, String reason) {
                waits.accept(new PlatformEvent.Waiting(attempt, reason));
              }

              @Override
              public void refused(AttemptRef attempt, String reason) {
                refused.accept(attempt, reason);
              }
            },
            null);
  }

  public boolean enter(Submission submission) {
    return gate.enter(submission, Share.EQUAL, () -> true);
  }

  public Future<Boolean> withdraw(AttemptRef attempt) {
    if (gate.mayBeThere(attempt)) {
      return Future.succeededFuture(false);
    }
    return gate.leave(attempt) ? Future.succeededFuture(true) : platform.withdraw(attempt);
  }

  public void cancel(AttemptRef attempt, Instant now, Consumer<PlatformEvent> tell) {
    if (gate.leave(attempt)) {
      tell.accept(new PlatformEvent.Ended(attempt, null, now, "was ended before"));
    } else {
      platform.cancel(attempt);
    }
  }

  /** A platform as a process sees it that is there only for a while. */
  private record Mortal(TrainingService platform, BooleanSupplier alive)
      implements TrainingService {
    private <T> Future<T> whileAlive(Supplier<Future<T>> call) {
      Promise<T> answer = Promise.promise();
      if (alive.getAsBoolean()) {
        call.get()
            .onComplete(done -> {
              if (alive.getAsBoolean()) {
                answer.handle(done);
              }
            });
      }
      return answer.future();
    }

    @Override
    public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
      return whileAlive(() -> platform.prepare(experiment, job));
    }

    @Override
    public Future<Void> submit(Submission submission) {
      return whileAlive(() -> platform.submit(submission));
    }

    @Override
    public Future<Void> cancel(AttemptRef attempt) {
      return whileAlive(() -> platform.cancel(attempt));
    }

    @Override
    public Future<Boolean> withdraw(AttemptRef attempt) {
      return whileAlive(() -> platform.withdraw(attempt));
    }

    @Override
    public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
      return whileAlive(() -> platform.adopt(submissions));
    }

    @Override
    public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
      return whileAlive(() -> platform.readLog(attempt, stream, offset, limit));
    }

    @Override
    public Future<Void> cleanUp(ExperimentId experiment) {
      return whileAlive(() -> platform.cleanUp(experiment));
    }

    @Override
    public Future<Void> close() {
      return whileAlive(platform::close);
    }
  }
}
