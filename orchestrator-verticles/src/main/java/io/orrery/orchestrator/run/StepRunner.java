package io.orrery.orchestrator.run;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.Bus;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.run.RunTable.Reusable;
import io.orrery.orchestrator.submission.Submissions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the model of one run has decided about attempts: prepares their directories,
 * submits, adopts and cancels them, keeps their outputs. What becomes of it comes back as events.
 */
final class StepRunner {
  private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /**
   * The parts of a server that steps need.
   *
   * @param home in which artifacts and the directories of steps lie
   * @param variables that each step gets
   * @param held whether this server still owns the runs
   */
  record Surroundings(
      Vertx vertx,
      Bus bus,
      Clock clock,
      Platforms platforms,
      BundleFolder bundles,
      RunTable table,
      RunArtifacts artifacts,
      Path home,
      Map<String, String> variables,
      BooleanSupplier held,
      long epoch,
      StepServices services,
      ArtifactCharges charges) {}

  private final Surroundings with;
  private final RunSpec run;
  private final RunModel model;
  private final Consumer<RunEvent> events;
  private final OutputCollector collector;
  private final StepCache cache;
  private final SubmissionMaker maker;
  private final Set<AttemptRef> preparing = new HashSet<>();
  private final ServerStepRunner serverSteps;
  final RunQuota quota;
  private boolean closed;

  /**
   * @param model read only, for the outputs of steps
   * @param events told what becomes of attempts
   */
  StepRunner(Surroundings with, RunSpec run, RunModel model, Consumer<RunEvent> events) {
    this.with = with;
    this.run = run;
    this.model = model;
    this.events = events;
    this.serverSteps = new ServerStepRunner(with, run, model, events);
    this.maker = new SubmissionMaker(with, run, model);
    this.quota = new RunQuota(with.bus(), with.clock(), run, with.epoch());
    this.collector = new OutputCollector(with.vertx(), with.artifacts());
    this.cache = new StepCache(with.vertx(), with.clock(), with.table(), with.artifacts());
  }

  void close() {
    closed = true;
    quota.close();
    serverSteps.close();
  }

  private AttemptRef ref(int step, int attempt) {
    return StepSubmission.ref(run.id(), step, attempt);
  }

  private StepDirectories directories(int step, int attempt) {
    return StepDirectories.of(with.home(), run.id(), step, attempt);
  }

  // ---- launching -----------------------------------------------------------------------------

  void launch(int number, int attempt) {
    quota.admit(
        number,
        model.graph().step(number),
        reason -> events.accept(new RunEvent.Waits(number, attempt, reason)),
        () -> start(number, attempt));
  }

  private void start(int number, int attempt) {
    StepSpec step = model.graph().step(number);
    if (step.work() instanceof StepWork.OfServer work) {
      serverSteps.launch(number, attempt, work);
      return;
    }
    AttemptRef ref = ref(number, attempt);
    if (!isWanted(number, attempt) || !preparing.add(ref)) {
      return;
    }
    ResolvedStep resolved;
    try {
      resolved = ResolvedStep.of(run, step, model.outputs());
    } catch (RuntimeException e) {
      preparing.remove(ref);
      events.accept(new RunEvent.Refused(number, attempt, Problem.of(e).detail()));
      return;
    }
    cache
        .find(run, step, resolved)
        .compose(reused -> {
          if (reused.outputs() != null) {
            Reusable taken = Objects.requireNonNull(reused.outputs());
            return with.charges()
                .add(run, step.name(), taken.outputs())
                .onSuccess(charged -> {
                  preparing.remove(ref);
                  events.accept(
                      new RunEvent.CacheHit(
                          number,
                          attempt,
                          resolved.key(),
                          taken.run(),
                          taken.outputs(),
                          reused.reason()));
                });
          }
          if (step.cache() != null) {
            events.accept(
                new RunEvent.CacheMissed(number, attempt, resolved.key(), reused.reason()));
          }
          return maker
              .prepared(number, attempt, step, resolved)
              .onSuccess(submission -> {
                preparing.remove(ref);
                submit(submission);
              })
              .mapEmpty();
        })
        .onFailure(failure -> {
          preparing.remove(ref);
          failedToPrepare(number, attempt, failure);
        });
  }

  /**
   * Whether an attempt that was not taken in charge yet is still to start. One that is being ended
   * never starts: the model is told so here, at each place where such an attempt goes on.
   */
  private boolean isWanted(int number, int attempt) {
    StepState state = model.step(number);
    if (state.attempt() != attempt || !state.status().isInFlight()) {
      return false;
    }
    if (state.ending() == null) {
      return true;
    }
    events.accept(
        new RunEvent.Ended(
            number, attempt, null, "it was ended before it started", with.clock().now()));
    return false;
  }

  /** What has gone wrong with a preparation: a fault of files is one of the step. */
  static Problem problem(Throwable failure) {
    return failure instanceof IOException io
        ? new Problem.Refused(FileFault.words(io), List.of())
        : Problem.of(failure);
  }

  /** What no other attempt can change is a failure of the step; else it is tried again. */
  private void failedToPrepare(int number, int attempt, Throwable failure) {
    Problem problem = problem(failure);
    if (problem instanceof Problem.Passing) {
      again(() -> launch(number, attempt));
    } else {
      events.accept(new RunEvent.Refused(number, attempt, problem.detail()));
    }
  }

  private void submit(Submission submission) {
    AttemptRef attempt = submission.attempt();
    if (!isWanted(StepSubmission.step(attempt), attempt.number())) {
      return;
    }
    boolean taken =
        with.bus()
            .orderHere(
                Submissions.SUBMIT,
                new Submissions.Submit(
                    submission, Share.EQUAL, () -> !closed && with.held().getAsBoolean()));
    if (!taken) {
      // This server goes down, submissions first: the next owner of the run submits it.
      again(() -> submit(submission));
    }
  }

  /** An attempt was not taken in charge. */
  void returned(Submissions.Returned returned) {
    if (returned.why() instanceof Problem.Passing) {
      again(() -> submit(returned.submission()));
    } else {
      AttemptRef attempt = returned.submission().attempt();
      events.accept(
          new RunEvent.Refused(
              StepSubmission.step(attempt), attempt.number(), returned.why().detail()));
    }
  }

  private void again(Runnable action) {
    with.clock()
        .after(
            AGAIN,
            () -> {
              if (!closed) {
                action.run();
              }
            });
  }

  // ---- what is under way ---------------------------------------------------------------------

  /** Takes up attempts that an earlier owner launched. */
  void adopt(List<RunDecision.Adopt> all) {
    Map<String, List<Future<@Nullable Submission>>> byPlatform = new HashMap<>();
    for (RunDecision.Adopt each : all) {
      StepSpec step = model.graph().step(each.step());
      if (step.work() instanceof StepWork.OfServer work) {
        serverSteps.launch(each.step(), each.attempt(), work);
        continue;
      }
      byPlatform
          .computeIfAbsent(step.platform(), added -> new ArrayList<>())
          .add(again(each, step));
    }
    byPlatform.forEach((platform, found) ->
        Future.join(found)
            .onComplete(done -> {
              List<Submission> submissions =
                  found.stream().map(Future::result).filter(Objects::nonNull).toList();
              if (!closed && !submissions.isEmpty()) {
                adopt(platform, submissions);
              }
            }));
  }

  /** An attempt as it was submitted; null when that is not known yet, or not any more. */
  private Future<@Nullable Submission> again(RunDecision.Adopt adopted, StepSpec step) {
    int number = adopted.step();
    int attempt = adopted.attempt();
    return Future.succeededFuture()
        .compose(now -> {
          ResolvedStep resolved = ResolvedStep.of(run, step, model.outputs());
          return maker.again(number, attempt, step, resolved);
        })
        .<@Nullable Submission>map(submission -> submission)
        .recover(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Passing) {
            again(() -> adopt(List.of(adopted)));
          } else {
            // What was started is known to its training service by name.
            with.bus()
                .request(
                    Submissions.CANCEL,
                    new Submissions.Cancel(step.platform(), ref(number, attempt)))
                .onComplete(ended ->
                    events.accept(new RunEvent.Refused(number, attempt, problem.detail())));
          }
          return Future.succeededFuture(null);
        });
  }

  private void adopt(String platform, List<Submission> submissions) {
    with.platforms()
        .service(platform)
        .compose(service ->
            service
                .prepare(run.id().owner(), submissions.getFirst().job())
                // What is missing of its directories, a launch makes again.
                .otherwiseEmpty()
                .compose(prepared -> service.adopt(submissions)))
        .onSuccess(unknown ->
            unknown.forEach(
                ref -> events.accept(new RunEvent.Unknown(StepSubmission.step(ref), ref.number()))))
        .onFailure(failure -> {
          LOG.warn("could not adopt steps of run {}: {}", run.id(), failure.getMessage());
          again(() -> adopt(platform, submissions));
        });
  }

  void cancel(int number, int attempt) {
    if (quota.leave(number) && !isWanted(number, attempt)) {
      return;
    }
    if (model.graph().step(number).work() instanceof StepWork.OfServer work) {
      serverSteps.cancel(number, attempt, work);
      return;
    }
    AttemptRef ref = ref(number, attempt);
    if (preparing.contains(ref)) {
      // It ends where its preparation does.
      return;
    }
    String platform = model.graph().step(number).platform();
    with.bus()
        .request(Submissions.CANCEL, new Submissions.Cancel(platform, ref))
        .onFailure(failure -> {
          LOG.warn("could not end {} of run {}: {}", ref, run.id(), failure.getMessage());
          again(() -> {
            StepState state = model.step(number);
            if (state.attempt() == attempt && state.status().isInFlight()) {
              cancel(number, attempt);
            }
          });
        });
  }

  void collect(int number, int attempt) {
    StepSpec step = model.graph().step(number);
    StepDirectories directories = directories(number, attempt);
    AttemptRef ref = ref(number, attempt);
    with.platforms()
        .service(step.platform())
        .compose(service ->
            service
                .bring(ref, directories.outputs())
                .compose(there -> imagined(step, directories))
                .compose(there -> collector.collect(step.outputs(), directories, service, ref))
                .compose(made -> with.charges().add(run, step.name(), made).map(made)))
        .onSuccess(outputs -> events.accept(new RunEvent.Collected(number, attempt, outputs)))
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Passing) {
            again(() -> collect(number, attempt));
          } else {
            events.accept(new RunEvent.NotCollected(number, attempt, problem.detail()));
          }
        });
  }

  /** Makes the outputs of a step that was simulated. */
  private Future<Void> imagined(StepSpec step, StepDirectories directories) {
    return with.platforms().rehearses(step.platform()) && !step.outputs().isEmpty()
        ? with.vertx()
            .executeBlocking(
                () -> {
                  SimulatedOutputs.write(step, directories.outputs());
                  return null;
                },
                false)
            .recover(failure -> Future.failedFuture(problem(failure).toException()))
            .mapEmpty()
        : Future.succeededFuture();
  }

  /** Deletes the directories of an attempt whose outputs are kept. */
  void tidy(int number, int attempt) {
    StepDirectories directories = directories(number, attempt);
    with.vertx()
        .executeBlocking(
            () -> {
              directories.delete();
              return null;
            },
            false)
        .onFailure(failure ->
            LOG.warn("could not delete {}: {}", directories.root(), failure.getMessage()));
  }
}
