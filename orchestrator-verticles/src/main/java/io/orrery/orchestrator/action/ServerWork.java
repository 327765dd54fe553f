package io.orrery.orchestrator.action;

import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepWork;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of work that the server does for one attempt of a step. */
public interface ServerWork {
  /**
   * Begins, or goes on with what an earlier owner of the run has begun. Called once.
   *
   * @return the values that the step gives; fails with Passing when it is to be tried again, with
   *     anything else when the attempt has failed
   */
  Future<Map<String, String>> start();

  /** Ends what was begun; the future of {@link #start} then fails. */
  void cancel();

  /** Forgets it: another owner of the run goes on. The future of {@link #start} stays open. */
  void leave();

  /**
   * The values and files that work is given.
   *
   * @param experiment the id of an experiment that another step has run; null when none is used
   * @param files the file or directory of a model, or the directory of a step; null for none
   * @param container that a step would run in; null for none
   * @param environment of a step
   */
  record Given(
      @Nullable String experiment,
      @Nullable Path files,
      @Nullable StepContainer container,
      Map<String, String> environment) {
    /** Nothing at all. */
    public static final Given NOTHING = new Given(null, null, null, Map.of());

    public Given {
      environment = Map.copyOf(environment);
    }

    /** The names of the variables and not their values, which may be secrets. */
    @Override
    public String toString() {
      return "Given[%s, %s, %s]".formatted(experiment, files, environment.keySet());
    }
  }

  /**
   * The work of an attempt.
   *
   * @param given what it is given of other steps
   */
  static ServerWork of(StepWork.OfServer work, WorkContext context, Given given) {
    return switch (work) {
      case StepWork.Search search -> new SearchWork(context, search);
      case StepWork.Registration registration ->
          new RegistrationWork(context, registration, given.experiment(), given.files());
      case StepWork.Deployment deployment -> new DeploymentWork(context, deployment);
      case StepWork.Debugging debugging ->
          new ShellWork(
              context,
              Objects.requireNonNull(given.files()),
              given.container(),
              given.environment());
    };
  }
}
