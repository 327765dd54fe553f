package io.orrery.orchestrator.run;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Lineage;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.RunPage;
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

  /** Serves what the rows of runs and steps say. */
  static Future<?> serve(Bus bus, RunTable table) {
    return Future.all(
        bus.serve(
            PipelineRuns.STATUSES,
            asked -> table.statuses(asked.ids()).map(PipelineRuns.Statuses::new)),
        bus.serve(PipelineRuns.ENDED, asked -> ended(table, asked).map(all -> page(all, asked))),
        bus.serve(
            PipelineRuns.LINEAGE,
            asked -> table.load(asked.id()).map(stored -> lineage(stored.spec()))),
        bus.serve(
            PipelineRuns.USES,
            asked ->
                table.uses(asked.pipeline().value(), asked.project()).map(PipelineRuns.Uses::new)));
  }

  /** A page of runs that were over before a time, in the order of their creation. */
  static Future<List<Run>> ended(RunTable table, PipelineRuns.AskEnded wanted) {
    String cursor = wanted.cursor();
    RunCursor from = cursor == null ? new RunCursor(Long.MIN_VALUE, "") : RunCursor.parse(cursor);
    long before = wanted.before().toEpochMilli();
    // A run is not over before it is created: the index on this time ends the search.
    return table.runs(
        "where (created_at, run) > (?, ?) and created_at < ?"
            + " and moving = 0 and ended_at < ? order by created_at, run limit ?",
        from.createdAt(),
        from.run(),
        before,
        before,
        (long) wanted.limit());
  }

  private static RunPage page(List<Run> runs, PipelineRuns.AskEnded asked) {
    boolean full = runs.size() == asked.limit();
    return new RunPage(runs, full ? RunCursor.of(runs.getLast()).toString() : null);
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
