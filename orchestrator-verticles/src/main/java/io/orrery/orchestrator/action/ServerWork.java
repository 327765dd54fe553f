package io.orrery.orchestrator.action;

import io.orrery.core.run.StepWork;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
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
   * The work of an attempt.
   *
   * @param experiment the id of an experiment that another step has run; null when none is used
   * @param files the file or directory of a model; null when none is used
   */
  static ServerWork of(
      StepWork.OfServer work,
      WorkContext context,
      @Nullable String experiment,
      @Nullable Path files) {
    return switch (work) {
      case StepWork.Search search -> new SearchWork(context, search);
      case StepWork.Registration registration ->
          new RegistrationWork(context, registration, experiment, files);
      case StepWork.Deployment deployment -> new DeploymentWork(context, deployment);
    };
  }
}
