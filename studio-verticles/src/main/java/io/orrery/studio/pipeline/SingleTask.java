package io.orrery.studio.pipeline;

import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a run of one task out of a run of the whole pipeline. */
final class SingleTask {
  /** A shell that is forgotten ends by itself. */
  private static final Duration SHELL_LIFE = Duration.ofHours(8);

  /** Where the files of a step are on this machine. */
  private static final List<String> HERE = List.of("local", StepContainer.PLATFORM);

  private SingleTask() {}

  /**
   * The run of one task: its steps, and those whose outputs they use, which are not run.
   *
   * @param from the run whose outputs are taken; null for the newest that has them
   * @param debug whether the first step is a program for shells in place of its own
   * @throws io.orrery.core.problem.ProblemException NotFound when there is no such task, Refused
   *     when it has no program to debug
   */
  static PipelineRuns.Create of(RunSpec whole, String task, @Nullable RunId from, boolean debug) {
    List<StepSpec> chosen =
        whole.steps().stream().filter(step -> step.task().equals(task)).toList();
    if (chosen.isEmpty()) {
      Set<String> known =
          whole.steps().stream()
              .map(StepSpec::task)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      throw new Problem.NotFound(
              "Pipeline %s has no task '%s'%s."
                  .formatted(whole.pipeline(), task, Nearest.hint(task, known)))
          .toException();
    }
    List<StepSpec> alone =
        debug ? List.of(shell(chosen.getFirst())) : chosen.stream().map(SingleTask::alone).toList();
    Set<String> used =
        alone.stream()
            .flatMap(step -> step.uses().stream())
            .map(OutputRef::task)
            .collect(Collectors.toSet());
    List<StepSpec> steps = new ArrayList<>();
    List<String> taken = new ArrayList<>();
    for (StepSpec step : whole.steps()) {
      if (used.contains(step.task())) {
        steps.add(step);
        taken.add(step.name());
      }
    }
    steps.addAll(alone);
    RunSpec run =
        new RunSpec(
            whole.id(),
            whole.pipeline(),
            whole.version(),
            whole.project(),
            whole.owner(),
            whole.runner(),
            trigger(task, debug),
            null,
            whole.parameters(),
            whole.parallelism(),
            whole.cached(),
            steps,
            null,
            null);
    return new PipelineRuns.Create(run, new PipelineRuns.Taken(taken, from));
  }

  /** What the runs of a task alone are started by. */
  static String trigger(String task, boolean debug) {
    return (debug ? "debug " : "task ") + task;
  }

  /** The step whatever came before it: it is asked for by name. */
  private static StepSpec alone(StepSpec step) {
    return alone(step, step.work(), step.platform(), step.outputs(), step.retry(), step.timeout());
  }

  private static StepSpec shell(StepSpec step) {
    if (!(step.work() instanceof StepCommand command)) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "the task %s is done without a program: there is nothing to debug"
                      .formatted(step.task())))
          .toException();
    }
    if (!HERE.contains(step.platform())) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "the task %s runs on %s, where its files are not: let it run on this machine, or name a cluster of containers of this machine, to debug it"
                      .formatted(
                          step.task(),
                          step.platform().equals(StepContainer.PODS)
                              ? "pods of a cluster"
                              : step.platform())))
          .toException();
    }
    return alone(
        step,
        new StepWork.Debugging(command),
        StepWork.SERVER,
        List.of(),
        RetryPolicy.NONE,
        SHELL_LIFE);
  }

  private static StepSpec alone(
      StepSpec step,
      StepWork work,
      String platform,
      List<OutputSpec> outputs,
      RetryPolicy retry,
      @Nullable Duration timeout) {
    return new StepSpec(
        step.name(),
        step.task(),
        step.each(),
        work,
        step.code(),
        step.git(),
        platform,
        step.settings(),
        step.gpus(),
        List.of(),
        step.inputs(),
        step.environment(),
        step.context(),
        outputs,
        retry,
        timeout,
        null,
        null);
  }
}
