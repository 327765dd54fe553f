package io.orrery.orchestrator.run;

import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.PipelineRuns.ListRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.StatusOf;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.PipelineRuns.UseOf;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of runs, of their steps and of their artifacts. */
public final class RunTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "runs",
          RunTable.class,
          List.of("0001-runs.sql", "0002-lists.sql", "0003-uses.sql", "0004-commits.sql"));

  private static final TypeReference<Map<String, String>> VALUES = new TypeReference<>() {};
  static final String COLUMNS =
      "run, pipeline, version, project, owner, creator, cause, due, parameters, status,"
          + " created_at, started_at, ended_at, error";

  private static final int RECENT = 100;
  private static final int RECENT_USES = 2_000;

  private final Store store;

  RunTable(Store store) {
    this.store = store;
  }

  /** A run as its owner needs it. */
  record Stored(RunSpec spec, RunState state, List<StepState> steps) {}

  /** A step whose outputs may be taken. */
  record Reusable(RunId run, String step, Instant endedAt, List<StepOutput> outputs) {}

  /**
   * The attempts of a step.
   *
   * @param last the number of the last one; 0 before the first
   */
  record Attempts(int number, int last, String platform) {}

  // ---- writing -------------------------------------------------------------------------------

  Future<Void> write(List<Statement> statements) {
    return store.write(statements);
  }

  // ---- reading -------------------------------------------------------------------------------

  /** The runs that are not over. */
  Future<List<RunId>> moving() {
    return store.read(
        Statement.of("select run from runs where moving = 1 order by run"),
        row -> new RunId(row.text("run")));
  }

  /** A run for its owner; fails with NotFound. */
  Future<Stored> load(RunId run) {
    return store
        .read(
            Statement.of(
                "select spec, status, started_at, ended_at, error from runs where run = ?",
                run.value()),
            row ->
                new Stored(
                    Json.read(row.text("spec"), RunSpec.class),
                    new RunState(
                        RunStatus.valueOf(row.text("status")),
                        row.instantOrNull("started_at"),
                        row.instantOrNull("ended_at"),
                        row.textOrNull("error")),
                    List.of()))
        .compose(found -> {
          if (found.isEmpty()) {
            throw missing(run);
          }
          return store
              .read(
                  Statement.of("select * from steps where run = ? order by number", run.value()),
                  RunTable::state)
              .map(steps -> new Stored(found.getFirst().spec(), found.getFirst().state(), steps));
        });
  }

  Future<Run> get(RunId run) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from runs where run = ?", run.value()),
            RunTable::run)
        .map(found -> found.stream().findFirst().orElseThrow(() -> missing(run)));
  }

  Future<Optional<Run>> find(RunId run) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from runs where run = ?", run.value()),
            RunTable::run)
        .map(found -> found.stream().findFirst());
  }

  /** The statuses of runs; one that is not there is left out. */
  Future<List<StatusOf>> statuses(List<RunId> runs) {
    if (runs.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return store.read(
        new Statement(
            "select run, status from runs where run in " + Statement.marks(runs.size()),
            runs.stream().<@Nullable Object>map(RunId::value).toList(),
            null),
        row -> new StatusOf(new RunId(row.text("run")), RunStatus.valueOf(row.text("status"))));
  }

  private static RuntimeException missing(RunId run) {
    return new Problem.NotFound("There is no run " + run + ".").toException();
  }

  Future<List<Step>> steps(RunId run) {
    return store.read(
        Statement.of("select * from steps where run = ? order by number", run.value()),
        RunTable::step);
  }

  /** The attempts of a step; empty when there is no such step. */
  Future<Optional<Attempts>> attempts(RunId run, String step) {
    return store
        .read(
            Statement.of(
                "select number, attempt, platform from steps where run = ? and name = ?",
                run.value(),
                step),
            row ->
                new Attempts(
                    Math.toIntExact(row.integer("number")),
                    Math.toIntExact(row.integer("attempt")),
                    row.text("platform")))
        .map(found -> found.stream().findFirst());
  }

  /** An output of a step; empty when there is no such step or output. */
  Future<Optional<StepOutput>> output(RunId run, String step, String name) {
    return store
        .read(
            Statement.of("select outputs from steps where run = ? and name = ?", run.value(), step),
            RunTable::outputs)
        .map(found ->
            found.stream()
                .flatMap(List::stream)
                .filter(output -> output.name().equals(name))
                .findFirst());
  }

  /** A page of runs, with one more than the limit when there are more. */
  Future<List<Run>> page(ListRuns wanted) {
    RunStatus status = wanted.status();
    Where where =
        new Where()
            .equal("pipeline", wanted.pipeline())
            .equal("owner", wanted.owner())
            .equal("status", status == null ? null : status.name())
            .equal("cause", wanted.trigger())
            .contains(List.of("run", "pipeline"), wanted.text())
            .in("project", wanted.among());
    String cursor = wanted.cursor();
    if (cursor != null) {
      RunCursor from = RunCursor.parse(cursor);
      // Compared as one value, an index finds the place however deep it is.
      where.and("(created_at, run) < (?, ?)", from.createdAt(), from.run());
    }
    return store.read(
        where.page("select " + COLUMNS + " from runs", "created_at desc, run desc", wanted.limit()),
        RunTable::run);
  }

  /** The runs of a condition, which has the order and the limit as well. */
  Future<List<Run>> runs(String rest, Object... arguments) {
    return store.read(
        Statement.of("select " + COLUMNS + " from runs " + rest, arguments), RunTable::run);
  }

  /** The digests of some artifacts that no run has. */
  Future<List<String>> unusedArtifacts(Instant before, int most) {
    return store.read(
        Statement.of(
            "select digest from stored_artifacts where created_at < ? and not exists (select 1"
                + " from run_artifacts where run_artifacts.digest = stored_artifacts.digest)"
                + " limit ?",
            before.toEpochMilli(),
            most),
        row -> row.text("digest"));
  }

  /** The bytes of the artifacts of all runs, by project and by who ran them. */
  Future<Map<ArtifactCharges.Holder, Long>> artifactBytes() {
    Map<ArtifactCharges.Holder, Long> sums = new HashMap<>();
    return store
        .read(
            Statement.of(
                "select r.project, r.owner, cast(sum(s.bytes) as bigint) as bytes"
                    + " from run_artifacts a join stored_artifacts s on s.digest = a.digest"
                    + " join runs r on r.run = a.run group by r.project, r.owner"),
            row ->
                sums.put(
                    new ArtifactCharges.Holder(
                        new ProjectName(row.text("project")), row.text("owner")),
                    row.integer("bytes")))
        .map(read -> sums);
  }

  /**
   * The bytes of the artifacts of a run.
   *
   * @param step only what that step has made; null for all
   */
  Future<Long> artifactBytes(RunId run, @Nullable String step) {
    String sql =
        "select cast(coalesce(sum(s.bytes), 0) as bigint) as bytes from run_artifacts a"
            + " join stored_artifacts s on s.digest = a.digest where a.run = ?";
    return store
        .read(
            step == null
                ? Statement.of(sql, run.value())
                : Statement.of(sql + " and a.step = ?", run.value(), step),
            row -> row.integer("bytes"))
        .map(List::getFirst);
  }

  /** Those of some artifacts that have rows. */
  Future<Set<String>> knownArtifacts(List<String> digests) {
    return digests.isEmpty()
        ? Future.succeededFuture(Set.of())
        : store
            .read(
                new Statement(
                    "select digest from stored_artifacts where digest in "
                        + Statement.marks(digests.size()),
                    new ArrayList<>(digests),
                    null),
                row -> row.text("digest"))
            .map(Set::copyOf);
  }

  /** The newest run of a pipeline in which some steps all have outputs; few runs are looked at. */
  Future<Optional<RunId>> newestWith(String pipeline, ProjectName project, List<String> names) {
    String steps =
        "select count(*) from steps where steps.run = recent.run and status in ('SUCCEEDED',"
            + " 'CACHED') and name in "
            + Statement.marks(names.size());
    List<@Nullable Object> arguments = new ArrayList<>(List.of(pipeline, project.value(), RECENT));
    arguments.addAll(names);
    arguments.add(names.size());
    return store
        .read(
            new Statement(
                "select run from (select run, created_at from runs where pipeline = ? and project"
                    + " = ? order by created_at desc, run desc limit ?) recent where ("
                    + steps
                    + ") = ? order by created_at desc, run desc limit 1",
                arguments,
                null),
            row -> new RunId(row.text("run")))
        .map(found -> found.stream().findFirst());
  }

  /** The use of the tasks of a pipeline lately, by their names. */
  Future<List<UseOf>> uses(String pipeline, ProjectName project) {
    return store.read(
        Statement.of(
            "select task, count(distinct run) as runs, max(memory) as memory,"
                + " max(cpu_millis * 1000 / millis) as cores from (select run, task, memory,"
                + " cpu_millis, millis from step_uses where project = ? and pipeline = ?"
                + " order by ended_at desc limit ?) recent group by task order by task",
            project.value(),
            pipeline,
            RECENT_USES),
        row ->
            new UseOf(
                row.text("task"),
                Math.toIntExact(row.integer("runs")),
                row.integer("memory"),
                row.integer("cores")));
  }

  /** The last step of a project with a key whose outputs are young enough. */
  Future<Optional<Reusable>> reusable(String key, ProjectName project, Instant since) {
    return store
        .read(
            Statement.of(
                "select run, name, ended_at, outputs from steps where cache_key = ?"
                    + " and project = ? and status = 'SUCCEEDED' and ended_at >= ?"
                    + " order by ended_at desc limit 1",
                key,
                project.value(),
                since.toEpochMilli()),
            row ->
                new Reusable(
                    new RunId(row.text("run")),
                    row.text("name"),
                    row.instant("ended_at"),
                    outputs(row)))
        .map(found -> found.stream().findFirst());
  }

  private static List<StepOutput> outputs(Row row) {
    return List.of(Json.read(row.text("outputs"), StepOutput[].class));
  }

  private static @Nullable Integer exitCode(Row row) {
    Long code = row.integerOrNull("exit_code");
    return code == null ? null : Math.toIntExact(code);
  }

  private static @Nullable RunId cachedFrom(Row row) {
    String from = row.textOrNull("cached_from");
    return from == null ? null : new RunId(from);
  }

  private static StepState state(Row row) {
    String ending = row.textOrNull("ending");
    return new StepState(
        StepStatus.valueOf(row.text("status")),
        Math.toIntExact(row.integer("attempt")),
        Math.toIntExact(row.integer("base")),
        row.textOrNull("reason"),
        row.instantOrNull("not_before"),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        exitCode(row),
        ending == null ? null : StepState.EarlyEnd.valueOf(ending),
        outputs(row),
        row.textOrNull("cache_key"),
        cachedFrom(row));
  }

  private static Step step(Row row) {
    return new Step(
        row.text("name"),
        row.text("task"),
        Json.MAPPER.convertValue(Json.parse(row.text("each_values")), VALUES),
        row.text("platform"),
        StepStatus.valueOf(row.text("status")),
        row.textOrNull("reason"),
        Math.toIntExact(row.integer("attempt")),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        exitCode(row),
        outputs(row),
        cachedFrom(row),
        row.textOrNull("code_commit"));
  }

  private static Run run(Row row) {
    return new Run(
        new RunId(row.text("run")),
        row.text("pipeline"),
        Math.toIntExact(row.integer("version")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("creator"),
        row.text("cause"),
        row.instantOrNull("due"),
        Json.read(row.text("parameters"), Parameters.class),
        RunStatus.valueOf(row.text("status")),
        row.instant("created_at"),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        row.textOrNull("error"));
  }
}
