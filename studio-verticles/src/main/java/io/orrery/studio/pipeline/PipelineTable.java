package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Pipelines.ListPipelines;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Pipelines.Version;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The rows of pipelines and of their versions. */
final class PipelineTable {
  private static final String COLUMNS =
      "name, project, owner, document, created_at, changed_at, revision";

  private static final int READ_AT_ONCE = 20;
  private static final long PAGE_CHARACTERS = 4_000_000;

  private final Store store;

  PipelineTable(Store store) {
    this.store = store;
  }

  Future<Optional<Pipeline>> find(PipelineName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from pipelines where name = ?", name.value()),
            PipelineTable::pipeline)
        .map(rows -> rows.stream().findFirst());
  }

  /** The pipeline; fails with NotFound. */
  Future<Pipeline> get(PipelineName name) {
    return find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no pipeline " + name + ".").toException()));
  }

  /** A page in the order of the names, with one more than the limit when there are more. */
  Future<List<Pipeline>> page(ListPipelines wanted) {
    return store.read(
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .equal("owner", wanted.owner())
            .contains("name", wanted.text())
            .in("project", wanted.among())
            .page("select " + COLUMNS + " from pipelines", "name", wanted.limit()),
        PipelineTable::pipeline);
  }

  static Statement insert(Pipeline pipeline) {
    return Statement.of(
            "insert into pipelines ("
                + COLUMNS
                + ") values (?, ?, ?, ?, ?, ?, ?) on conflict (name) do nothing",
            pipeline.name().value(),
            pipeline.project().value(),
            pipeline.owner(),
            pipeline.document(),
            pipeline.createdAt().toEpochMilli(),
            pipeline.changedAt().toEpochMilli(),
            pipeline.revision())
        .expecting(1);
  }

  /** The statement that stores a changed pipeline; it fails when another change came first. */
  static Statement update(Pipeline pipeline, long before) {
    return Statement.of(
            "update pipelines set document = ?, changed_at = ?, revision = ?"
                + " where name = ? and revision = ?",
            pipeline.document(),
            pipeline.changedAt().toEpochMilli(),
            pipeline.revision(),
            pipeline.name().value(),
            before)
        .expecting(1);
  }

  static List<Statement> delete(PipelineName name) {
    return List.of(
        Statement.of("delete from pipelines where name = ?", name.value()).expecting(1),
        Statement.of("delete from pipeline_versions where pipeline = ?", name.value()));
  }

  // ---- versions ------------------------------------------------------------------------------

  /** Keeps the document of a pipeline as a version, and drops those that are too old. */
  static List<Statement> keep(Pipeline pipeline, String by) {
    return List.of(
        Statement.of(
            "insert into pipeline_versions (pipeline, version, at, author, document)"
                + " values (?, ?, ?, ?, ?)",
            pipeline.name().value(),
            pipeline.revision(),
            pipeline.changedAt().toEpochMilli(),
            by,
            pipeline.document()),
        Statement.of(
            "delete from pipeline_versions where pipeline = ? and version <= ?",
            pipeline.name().value(),
            pipeline.revision() - Pipelines.KEPT_VERSIONS),
        Statement.of(
            "delete from pipeline_versions where pipeline = ? and version in ("
                + "select version from ("
                + sized("pipeline = ?")
                + ") sized where newer > ?)",
            pipeline.name().value(),
            pipeline.name().value(),
            Pipelines.KEPT_CHARACTERS));
  }

  /** Selects versions with the lengths of the documents that are newer than each. */
  private static String sized(String which) {
    return "select version, at, author, document, sum(length(document)) over"
        + " (order by version desc) - length(document) as newer from pipeline_versions where "
        + which;
  }

  /** A page of versions, newest first, shorter when their documents are long. */
  Future<List<Version>> versions(PipelineName name, long before, int limit) {
    return store.read(
        Statement.of(
            "select version, at, author, document from ("
                + sized("pipeline = ? and version < ?")
                + ") sized where newer <= ? order by version desc limit ?",
            name.value(),
            before,
            PAGE_CHARACTERS,
            limit),
        PipelineTable::version);
  }

  /** Whether a pipeline has versions older than one. */
  Future<Boolean> hasOlder(PipelineName name, long version) {
    return store
        .read(
            Statement.of(
                "select version from pipeline_versions where pipeline = ? and version < ? limit 1",
                name.value(),
                version),
            row -> row.integer("version"))
        .map(found -> !found.isEmpty());
  }

  /** A version; fails with NotFound. */
  Future<Version> version(PipelineName name, long version) {
    return store
        .read(
            Statement.of(
                "select version, at, author, document from pipeline_versions where pipeline = ?"
                    + " and version = ?",
                name.value(),
                version),
            PipelineTable::version)
        .map(rows ->
            rows.stream()
                .findFirst()
                .orElseThrow(() ->
                    new Problem.NotFound("Pipeline %s has no version %d.".formatted(name, version))
                        .toException()));
  }

  /** A kept document of a pipeline. */
  record KeptDocument(String pipeline, long version, String document) {}

  /** Some documents of all pipelines, present and kept, after a place in their order. */
  Future<List<KeptDocument>> documentsAfter(String pipeline, long version) {
    return store.read(
        Statement.of(
            "select pipeline, version, document from pipeline_versions"
                + " where pipeline > ? or (pipeline = ? and version > ?)"
                + " order by pipeline, version limit "
                + READ_AT_ONCE,
            pipeline,
            pipeline,
            version),
        row ->
            new KeptDocument(row.text("pipeline"), row.integer("version"), row.text("document")));
  }

  private static Version version(Row row) {
    return new Version(
        row.integer("version"), row.instant("at"), row.text("author"), row.text("document"));
  }

  private static Pipeline pipeline(Row row) {
    return new Pipeline(
        new PipelineName(row.text("name")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("document"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }

  /** What refers to a run, in words: versions of models, and due runs that are not over. */
  Future<List<String>> users(RunId run) {
    return store
        .read(
            Statement.of(
                "select model, version from model_versions where source like ?"
                    + " order by model, number limit 10",
                "%\"run\":\"" + run + "\"%"),
            row -> "version %s of model %s".formatted(row.text("version"), row.text("model")))
        .compose(versions ->
            store
                .read(
                    Statement.of(
                        "select id from due_runs where run = ? and moving = 1", run.value()),
                    row -> "due run " + row.text("id"))
                .map(due -> Stream.concat(versions.stream(), due.stream()).toList()));
  }
}
