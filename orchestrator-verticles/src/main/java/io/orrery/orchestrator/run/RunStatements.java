package io.orrery.orchestrator.run;

import io.orrery.core.alert.AlertRows;
import io.orrery.core.json.Json;
import io.orrery.core.process.ProgramUse;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepSpec;
import io.orrery.core.sql.Statement;
import io.orrery.orchestrator.alert.AlertBody;
import io.orrery.orchestrator.alert.AlertTable;
import io.orrery.orchestrator.bundle.CodeUses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The statements that store runs, their steps, and what these have made. */
final class RunStatements {
  private RunStatements() {}

  static List<Statement> insert(RunSpec spec, RunState state, List<StepState> steps, Instant now) {
    Instant due = spec.due();
    List<Statement> statements = new ArrayList<>();
    Set<String> code = new HashSet<>();
    statements.add(
        Statement.of(
                "insert into runs ("
                    + RunTable.COLUMNS
                    + ", moving, spec) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)"
                    + " on conflict (run) do nothing",
                spec.id().value(),
                spec.pipeline(),
                spec.version(),
                spec.project().value(),
                spec.runner(),
                spec.owner(),
                spec.trigger(),
                due == null ? null : due.toEpochMilli(),
                Json.write(spec.parameters()),
                state.status().name(),
                now.toEpochMilli(),
                null,
                null,
                null,
                Json.write(spec))
            .expecting(1));
    for (int i = 0; i < steps.size(); i++) {
      StepSpec exit = spec.onExit();
      StepSpec step = i < spec.steps().size() ? spec.steps().get(i) : Objects.requireNonNull(exit);
      statements.add(
          Statement.of(
              "insert into steps (run, number, name, task, platform, each_values, project, status,"
                  + " code_commit, attempt, base, outputs)"
                  + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '[]')",
              spec.id().value(),
              i,
              step.name(),
              step.task(),
              step.platform(),
              Json.write(step.each()),
              spec.project().value(),
              steps.get(i).status().name(),
              step.git() == null ? null : step.git().commit()));
      if (step.code() != null && code.add(step.code())) {
        statements.add(CodeUses.insert(step.code(), "run-" + spec.id()));
      }
    }
    statements.addAll(alerts(spec, state, now));
    return statements;
  }

  /** The statements that store the alerts about a new status; none when it is not told. */
  static List<Statement> alerts(RunSpec spec, RunState state, Instant now) {
    return AlertTable.insert(
        new AlertBody(
            spec, state.status(), state.startedAt(), state.endedAt(), state.error(), now));
  }

  static Statement update(RunId run, RunState state) {
    return Statement.of(
        "update runs set status = ?, moving = ?, started_at = ?, ended_at = ?, error = ?"
            + " where run = ?",
        state.status().name(),
        state.status().isOver() ? 0 : 1,
        millis(state.startedAt()),
        millis(state.endedAt()),
        state.error(),
        run.value());
  }

  static Statement update(RunId run, int number, StepState step) {
    return Statement.of(
        "update steps set status = ?, attempt = ?, base = ?, reason = ?, not_before = ?,"
            + " started_at = ?, ended_at = ?, exit_code = ?, ending = ?, outputs = ?,"
            + " cache_key = ?, cached_from = ? where run = ? and number = ?",
        step.status().name(),
        step.attempt(),
        step.base(),
        step.reason(),
        millis(step.notBefore()),
        millis(step.startedAt()),
        millis(step.endedAt()),
        step.exitCode(),
        Objects.toString(step.ending(), null),
        Json.write(step.outputs()),
        step.cacheKey(),
        Objects.toString(step.cachedFrom(), null),
        run.value(),
        number);
  }

  /** The statement that stores what an attempt of a step has used. */
  static Statement use(
      RunSpec run,
      int number,
      StepSpec step,
      int attempt,
      ProgramUse use,
      Instant from,
      Instant to) {
    return Statement.of(
        "insert into step_uses (run, number, attempt, pipeline, project, task, memory, cpu_millis,"
            + " millis, ended_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " on conflict (run, number, attempt) do nothing",
        run.id().value(),
        number,
        attempt,
        run.pipeline(),
        run.project().value(),
        step.task(),
        use.memory(),
        use.cpu().toMillis(),
        Math.max(1, Duration.between(from, to).toMillis()),
        to.toEpochMilli());
  }

  /** The statements that forget a run. */
  static List<Statement> delete(RunId run) {
    return List.of(
        Statement.of("delete from run_artifacts where run = ?", run.value()),
        Statement.of("delete from steps where run = ?", run.value()),
        Statement.of("delete from step_uses where run = ?", run.value()),
        AlertRows.forget(run.value()),
        Statement.of("delete from runs where run = ? and moving = 0", run.value()).expecting(1),
        CodeUses.deleteAllOf("run-" + run));
  }

  /** The statement that forgets an artifact unless a run has it. */
  static Statement deleteArtifact(String digest) {
    return Statement.of(
        "delete from stored_artifacts where digest = ? and not exists (select 1 from run_artifacts"
            + " where run_artifacts.digest = stored_artifacts.digest)",
        digest);
  }

  /** The statements that store the artifacts of a step. */
  static List<Statement> artifacts(RunId run, String step, StepState state, Instant now) {
    List<Statement> statements = new ArrayList<>();
    for (StepOutput output : state.outputs()) {
      if (output.digest() != null) {
        statements.add(
            Statement.of(
                "insert into stored_artifacts (digest, kind, bytes, created_at) values (?, ?, ?, ?)"
                    + " on conflict (digest) do nothing",
                output.digest(),
                output.kind().name(),
                output.bytes(),
                now.toEpochMilli()));
        statements.add(
            Statement.of(
                "insert into run_artifacts (run, step, name, digest) values (?, ?, ?, ?)"
                    + " on conflict (run, step, name) do update set digest = excluded.digest",
                run.value(),
                step,
                output.name(),
                output.digest()));
      }
    }
    return statements;
  }

  private static @Nullable Long millis(@Nullable Instant at) {
    return at == null ? null : at.toEpochMilli();
  }
}
