package io.orrery.orchestrator.run;

import io.orrery.core.access.ProjectName;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.run.Condition;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Specifications of runs for tests. */
final class RunSpecs {
  static final RunId RUN = new RunId("r1");

  private RunSpecs() {}

  /** A step that is put together. */
  static final class Step {
    private final String name;
    private final String task;
    private final List<String> after = new ArrayList<>();
    private final Map<String, OutputRef> inputs = new LinkedHashMap<>();
    private final Map<String, ValueText> environment = new LinkedHashMap<>();
    private final List<OutputSpec> outputs = new ArrayList<>();
    private Map<String, String> each = Map.of();
    private StepWork command = new StepCommand(List.of(ValueText.of("true")), true);
    private RetryPolicy retry = RetryPolicy.NONE;
    private @Nullable Duration timeout;
    private @Nullable Condition when;
    private @Nullable Duration cache;

    private Step(String name, String task) {
      this.name = name;
      this.task = task;
    }

    static Step named(String name) {
      return new Step(name, name);
    }

    static Step of(String task, int number) {
      Step step = new Step(task + "-" + number, task);
      step.each = Map.of("n", Integer.toString(number));
      return step;
    }

    Step after(String... tasks) {
      after.addAll(List.of(tasks));
      return this;
    }

    Step input(String name, String task, String output) {
      inputs.put(name, new OutputRef(task, output));
      return this;
    }

    Step variable(String name, ValueText value) {
      environment.put(name, value);
      return this;
    }

    Step output(OutputSpec output) {
      outputs.add(output);
      return this;
    }

    Step command(StepWork work) {
      command = work;
      return this;
    }

    Step retry(RetryPolicy policy) {
      retry = policy;
      return this;
    }

    Step timeout(Duration limit) {
      timeout = limit;
      return this;
    }

    Step when(Condition condition) {
      when = condition;
      return this;
    }

    Step cache(Duration life) {
      cache = life;
      return this;
    }

    StepSpec spec() {
      return new StepSpec(
          name,
          task,
          each,
          command,
          null,
          null,
          "local",
          Parameters.EMPTY,
          null,
          after,
          inputs,
          environment,
          Map.of(),
          outputs,
          retry,
          timeout,
          when,
          cache);
    }
  }

  static RunSpec run(int parallelism, Step... steps) {
    return run(parallelism, List.of(steps), null);
  }

  static RunSpec run(int parallelism, List<Step> steps, @Nullable Step onExit) {
    return new RunSpec(
        RUN,
        "digits",
        1,
        ProjectName.PUBLIC,
        "ann",
        "ann",
        "manual",
        null,
        Parameters.EMPTY,
        parallelism,
        true,
        steps.stream().map(Step::spec).toList(),
        onExit == null ? null : onExit.spec(),
        null);
  }
}
