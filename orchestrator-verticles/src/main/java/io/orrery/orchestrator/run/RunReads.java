package io.orrery.orchestrator.run;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Lineage;
import io.orrery.core.bus.contract.PipelineRuns.Use;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Answers what the rows of runs say, without taking a run into memory. */
final class RunReads {
  private RunReads() {}

  /** Serves the statuses of runs, which outputs their steps use, and what these took to run. */
  static Future<?> serve(Bus bus, RunTable table) {
    return Future.all(
        bus.serve(
            PipelineRuns.STATUSES,
            asked -> table.statuses(asked.ids()).map(PipelineRuns.Statuses::new)),
        bus.serve(
            PipelineRuns.LINEAGE,
            asked -> table.load(asked.id()).map(stored -> lineage(stored.spec()))),
        bus.serve(
            PipelineRuns.USES,
            asked ->
                table.uses(asked.pipeline().value(), asked.project()).map(PipelineRuns.Uses::new)));
  }

  /** The outputs that each step uses: its inputs by their names, the others once. */
  static Lineage lineage(RunSpec run) {
    List<Use> uses = new ArrayList<>();
    for (StepSpec step : run.steps()) {
      add(step, uses);
    }
    if (run.onExit() != null) {
      add(run.onExit(), uses);
    }
    return new Lineage(uses);
  }

  private static void add(StepSpec step, List<Use> uses) {
    step.inputs().forEach((input, output) -> uses.add(new Use(step.name(), input, output)));
    Set<OutputRef> others = new LinkedHashSet<>(step.uses());
    others.removeAll(step.inputs().values());
    others.forEach(output -> uses.add(new Use(step.name(), null, output)));
  }
}
