package io.orrery.orchestrator.run;

import io.orrery.compute.command.ParameterVariables;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.orchestrator.action.ServerWork;
import io.orrery.orchestrator.action.WorkContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the attempts of steps that the server does itself. Their work is idempotent, so an
 * attempt that an earlier owner began is begun again.
 */
final class ServerStepRunner {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final StepRunner.Surroundings with;
  private final RunSpec run;
  private final RunModel model;
  private final Consumer<RunEvent> events;
  private final Map<AttemptRef, Attempt> attempts = new HashMap<>();
  private boolean closed;

  /** An attempt that is under way. */
  private static final class Attempt {
    private @Nullable ServerWork work;
    private boolean canceled;
  }

  ServerStepRunner(
      StepRunner.Surroundings with, RunSpec run, RunModel model, Consumer<RunEvent> events) {
    this.with = with;
    this.run = run;
    this.model = model;
    this.events = events;
  }

  void close() {
    closed = true;
    attempts
        .values()
        .forEach(attempt -> {
          if (attempt.work != null) {
            attempt.work.leave();
          }
        });
  }

  /** Begins an attempt, or takes it up. */
  void launch(int number, int attempt, StepWork.OfServer work) {
    AttemptRef ref = StepSubmission.ref(run.id(), number, attempt);
    if (!attempts.containsKey(ref)) {
      events.accept(new RunEvent.Started(number, attempt, with.clock().now()));
      begin(number, attempt, work, new Attempt());
    }
  }

  private void begin(int number, int attempt, StepWork.OfServer work, Attempt under) {
    AttemptRef ref = StepSubmission.ref(run.id(), number, attempt);
    attempts.put(ref, under);
    given(number, attempt, work, under)
        .compose(given -> {
          if (closed) {
            return Future.<Map<String, String>>failedFuture(
                new Problem.Busy("the run changes its owner", AGAIN).toException());
          }
          under.work = ServerWork.of(work, context(number, attempt), given);
          if (under.canceled) {
            under.work.cancel();
          }
          return under.work.start();
        })
        .onComplete(done -> {
          attempts.remove(ref);
          if (closed) {
            return;
          }
          if (done.succeeded()) {
            events.accept(new RunEvent.Collected(number, attempt, outputs(done.result())));
          } else {
            failed(number, attempt, work, under, StepRunner.problem(done.cause()));
          }
        });
  }

  private void failed(
      int number, int attempt, StepWork.OfServer work, Attempt under, Problem problem) {
    if (under.canceled) {
      events.accept(
          new RunEvent.Ended(number, attempt, null, problem.detail(), with.clock().now()));
    } else if (problem instanceof Problem.Passing) {
      events.accept(new RunEvent.Waits(number, attempt, problem.detail()));
      with.clock()
          .after(
              AGAIN,
              () -> {
                StepState state = model.step(number);
                if (!closed
                    && state.attempt() == attempt
                    && state.status().isInFlight()
                    && state.ending() == null) {
                  launch(number, attempt, work);
                }
              });
    } else {
      events.accept(new RunEvent.NotCollected(number, attempt, problem.detail()));
    }
  }

  private WorkContext context(int number, int attempt) {
    Instant begun = model.step(number).startedAt();
    return new WorkContext(
        with.vertx(),
        with.bus(),
        with.clock(),
        run.id(),
        model.graph().step(number).name(),
        number,
        attempt,
        run.project(),
        run.runner(),
        begun == null ? with.clock().now() : begun);
  }

  /** The id of the experiment that the work takes files of; null when it takes none. */
  private @Nullable String experiment(StepWork.OfServer work) {
    return work instanceof StepWork.Registration registration && registration.experiment() != null
        ? model.outputs().text(registration.experiment())
        : null;
  }

  /** What the work reads of other steps. */
  private Future<ServerWork.Given> given(
      int number, int attempt, StepWork.OfServer work, Attempt under) {
    StepSpec step = model.graph().step(number);
    StepDirectories directories = StepDirectories.of(with.home(), run.id(), number, attempt);
    boolean shell = work instanceof StepWork.Debugging;
    if (under.canceled) {
      return Future.succeededFuture(new ServerWork.Given(null, directories.root(), null, Map.of()));
    }
    Map<String, ResolvedStep.Input> inputs;
    String experiment;
    Map<String, String> environment;
    try {
      inputs = ResolvedStep.inputs(step, model.outputs());
      experiment = experiment(work);
      environment = shell ? environment(step, directories) : Map.of();
    } catch (ProblemException e) {
      return Future.failedFuture(e);
    }
    if (inputs.isEmpty() && !shell) {
      return Future.succeededFuture(new ServerWork.Given(experiment, null, null, environment));
    }
    // What a user has made in a shell outlives a restart of the server.
    return directories
        .make(with, inputs, step.code(), shell)
        .map(made ->
            new ServerWork.Given(
                experiment,
                shell ? made.root() : made.inputs().resolve(StepWork.Registration.INPUT),
                shell ? StepContainer.in(step) : null,
                environment));
  }

  private Map<String, String> environment(StepSpec step, StepDirectories directories) {
    ResolvedStep resolved = ResolvedStep.of(run, step, model.outputs());
    Map<String, String> environment =
        StepSubmission.environment(run, step, resolved, directories, with.variables());
    ParameterVariables.all(run.parameters()).forEach(environment::putIfAbsent);
    environment.put("ORRERY_COMMAND", resolved.command());
    environment.forEach((name, value) -> {
      if (SecretReference.name(value).isPresent() && !resolved.secrets().contains(name)) {
        throw new Problem.Refused(
                new Finding(
                    "",
                    "%s is the text '%s', and a shell would have the secret of this name in its place: start it with another value"
                        .formatted(name, value)))
            .toException();
      }
    });
    return environment;
  }

  private static List<StepOutput> outputs(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> StepOutput.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Ends an attempt, also what an earlier owner of the run has begun of it. */
  void cancel(int number, int attempt, StepWork.OfServer work) {
    Attempt under = attempts.get(StepSubmission.ref(run.id(), number, attempt));
    if (under == null) {
      Attempt ended = new Attempt();
      ended.canceled = true;
      begin(number, attempt, work, ended);
      return;
    }
    under.canceled = true;
    if (under.work != null) {
      under.work.cancel();
    }
  }
}
