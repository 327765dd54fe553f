package io.orrery.orchestrator.run;

import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Taken;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepStatus;
import io.orrery.core.sql.Statement;
import io.orrery.orchestrator.run.RunTable.Stored;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores new runs, with the steps whose outputs are taken from another run. */
final class RunCreation {
  private final RunTable table;

  RunCreation(RunTable table) {
    this.table = table;
  }

  /** Refuses a run without steps, or with too many. */
  static void check(RunSpec spec) {
    int steps = spec.steps().size() + (spec.onExit() == null ? 0 : 1);
    if (spec.steps().isEmpty() || steps > RunSpec.MOST_STEPS) {
      throw new Problem.Refused(
              new Finding("", "a run has 1 to %,d steps".formatted(RunSpec.MOST_STEPS)))
          .toException();
    }
  }

  /** Stores a run; a run of the same id that is there already changes nothing. */
  Future<Void> store(PipelineRuns.Create asked, Instant now) {
    return states(asked, now).compose(states -> write(asked.spec(), states, now));
  }

  /** The states of the steps of a new run; fails when there are no outputs to take. */
  Future<List<StepState>> states(PipelineRuns.Create asked, Instant now) {
    RunSpec spec = asked.spec();
    Taken taken = asked.taken();
    return taken == null || taken.steps().isEmpty()
        ? Future.succeededFuture(RunModel.fresh(spec))
        : source(spec, taken).compose(table::load).map(source -> states(spec, taken, source, now));
  }

  private Future<Void> write(RunSpec spec, List<StepState> states, Instant now) {
    List<Statement> statements =
        new ArrayList<>(RunStatements.insert(spec, RunState.NEW, states, now));
    for (int i = 0; i < states.size(); i++) {
      if (states.get(i).status() == StepStatus.CACHED) {
        statements.add(RunStatements.update(spec.id(), i, states.get(i)));
        statements.addAll(
            RunStatements.artifacts(spec.id(), spec.steps().get(i).name(), states.get(i), now));
      }
    }
    return table.write(statements);
  }

  private Future<RunId> source(RunSpec spec, Taken taken) {
    RunId from = taken.from();
    if (from != null) {
      return table
          .get(from)
          .map(run -> {
            if (!run.pipeline().equals(spec.pipeline()) || !run.project().equals(spec.project())) {
              throw new Problem.Refused(
                      new Finding(
                          "/from",
                          "run %s is none of the pipeline %s".formatted(from, spec.pipeline())))
                  .toException();
            }
            return from;
          });
    }
    return table
        .newestWith(spec.pipeline(), spec.project(), taken.steps())
        .map(found ->
            found.orElseThrow(() ->
                new Problem.Conflict(
                        "No run of pipeline %s has outputs of %s: run the pipeline, or these tasks,"
                                .formatted(spec.pipeline(), String.join(", ", taken.steps()))
                            + " first.")
                    .toException()));
  }

  private static List<StepState> states(RunSpec spec, Taken taken, Stored source, Instant now) {
    RunId from = source.spec().id();
    Map<String, StepState> there = new HashMap<>();
    for (int i = 0; i < source.spec().steps().size(); i++) {
      there.put(source.spec().steps().get(i).name(), source.steps().get(i));
    }
    List<StepState> states = new ArrayList<>();
    List<Finding> missing = new ArrayList<>();
    for (StepState fresh : RunModel.fresh(spec)) {
      StepSpec step = states.size() < spec.steps().size() ? spec.steps().get(states.size()) : null;
      if (step == null || !taken.steps().contains(step.name())) {
        states.add(fresh);
        continue;
      }
      @Nullable StepState other = there.get(step.name());
      if (other == null || !other.status().isGood()) {
        missing.add(
            new Finding("/from", "run %s has no outputs of %s".formatted(from, step.name())));
        continue;
      }
      states.add(fresh.cached(from, other.outputs(), "its outputs are those of run " + from, now));
    }
    if (!missing.isEmpty()) {
      throw Problem.Refused.of(missing).toException();
    }
    return states;
  }
}
