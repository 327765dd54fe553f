package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Templates.ListTemplates;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rows of templates. */
final class TemplateTable {
  private static final String COLUMNS =
      "name, project, owner, released, document, created_at, changed_at, revision";

  private final Store store;

  TemplateTable(Store store) {
    this.store = store;
  }

  /** A stored or built-in template. */
  Future<Optional<Template>> find(PipelineName name) {
    Optional<Template> own = BuiltInTemplates.find(name);
    return own.isPresent()
        ? Future.succeededFuture(own)
        : store
            .read(
                Statement.of("select " + COLUMNS + " from templates where name = ?", name.value()),
                TemplateTable::template)
            .map(rows -> rows.stream().findFirst());
  }

  /** Those of some names that are stored or built in. */
  Future<List<Template>> among(Collection<String> names) {
    List<PipelineName> valid =
        names.stream().filter(PipelineName::valid).map(PipelineName::new).toList();
    List<Future<Optional<Template>>> reads = valid.stream().map(this::find).toList();
    return Future.all(reads)
        .map(read -> reads.stream().flatMap(each -> each.result().stream()).toList());
  }

  /** A page of stored templates, with one more than the limit when there are more. */
  Future<List<Template>> page(ListTemplates wanted) {
    Where where =
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .equal("owner", wanted.owner())
            .contains("name", wanted.text())
            .in("project", wanted.among());
    if (wanted.caller() != null) {
      where.and("(released = 1 or owner = ?)", wanted.caller());
    }
    return store.read(
        where.page("select " + COLUMNS + " from templates", "name", wanted.limit()),
        TemplateTable::template);
  }

  static Statement insert(Template template) {
    return Statement.of(
            "insert into templates ("
                + COLUMNS
                + ") values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (name) do nothing",
            template.name().value(),
            template.project().value(),
            template.owner(),
            template.released() ? 1 : 0,
            template.document(),
            template.createdAt().toEpochMilli(),
            template.changedAt().toEpochMilli(),
            template.revision())
        .expecting(1);
  }

  /** The statement that stores a changed template; it fails when another change came first. */
  static Statement update(Template template, long before) {
    return Statement.of(
            "update templates set released = ?, document = ?, changed_at = ?, revision = ?"
                + " where name = ? and revision = ?",
            template.released() ? 1 : 0,
            template.document(),
            template.changedAt().toEpochMilli(),
            template.revision(),
            template.name().value(),
            before)
        .expecting(1);
  }

  static Statement delete(PipelineName name) {
    return Statement.of("delete from templates where name = ?", name.value()).expecting(1);
  }

  private static Template template(Row row) {
    return new Template(
        new PipelineName(row.text("name")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("document"),
        row.integer("released") != 0,
        false,
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }
}
