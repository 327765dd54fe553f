package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.bus.contract.Templates.CheckArguments;
import io.orrery.core.bus.contract.Templates.Checked;
import io.orrery.core.bus.contract.Templates.ListTemplates;
import io.orrery.core.bus.contract.Templates.PutDone;
import io.orrery.core.bus.contract.Templates.PutTemplate;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.bus.contract.Templates.TemplatePage;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers questions about templates. */
public final class TemplateHandler {
  private static final Duration CHECK = Duration.ofMinutes(1);

  private final Bus bus;
  private final AuditedChanges changes;
  private final TemplateTable table;

  public TemplateHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.table = new TemplateTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Templates.LIST, this::list),
            bus.serve(Templates.GET, asked -> get(asked.name())),
            bus.serve(Templates.PUT, this::put),
            bus.serve(Templates.DELETE, this::delete),
            bus.serve(Templates.CHECK, this::check)));
  }

  private Future<Template> get(PipelineName name) {
    return table
        .find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no template " + name + ".").toException()));
  }

  /** Those that the server brings stand on the first page. */
  private Future<TemplatePage> list(ListTemplates asked) {
    return table
        .page(asked)
        .map(rows -> {
          boolean more = rows.size() > asked.limit();
          List<Template> items = new ArrayList<>();
          if (asked.cursor() == null && asked.owner() == null) {
            items.addAll(BuiltInTemplates.withText(asked.text()));
          }
          List<Template> page = more ? rows.subList(0, asked.limit()) : rows;
          items.addAll(page);
          return new TemplatePage(items, more ? page.getLast().name().value() : null);
        });
  }

  private Future<PutDone> put(PutTemplate wanted) {
    TemplateDocument document = TemplateDocumentReader.read(wanted.name(), wanted.document());
    refuseBuiltIn(wanted.name());
    return notices(wanted.project(), document.image())
        .compose(notices ->
            put(wanted, document)
                .map(done -> new PutDone(done.template(), done.outcome(), notices)));
  }

  /** What the clusters that run containers have against an image; they are asked for it. */
  private Future<List<String>> notices(ProjectName project, @Nullable String image) {
    if (image == null || !EnvironmentName.isContainer(image)) {
      return Future.succeededFuture(List.of());
    }
    return bus.request(PipelineRuns.PLATFORMS, new PipelineRuns.AskPlatforms())
        .compose(platforms -> {
          if (platforms.clusters().isEmpty()) {
            return Future.succeededFuture(
                List.of("no cluster of this server runs containers: no task can use the image"));
          }
          List<Future<List<String>>> checks =
              platforms.clusters().stream()
                  .map(cluster -> missing(cluster.name(), project, image))
                  .toList();
          return Future.all(checks)
              .map(all -> all.<List<String>>list().stream().flatMap(List::stream).toList());
        })
        .otherwise(List.of());
  }

  private Future<List<String>> missing(String cluster, ProjectName project, String image) {
    WorkloadSpec spec =
        new WorkloadSpec(
            List.of("true"),
            image,
            null,
            Map.of(),
            List.of(),
            null,
            CHECK,
            CHECK,
            Resources.UNLIMITED,
            Mounts.NONE);
    return bus.request(
            Workloads.CHECK,
            new Workloads.Check(
                new WorkloadRef(WorkloadKind.SHELL, "image"), cluster, spec.pulledFor(project)))
        .map(checked ->
            checked.missing().stream().map(sentence -> cluster + ": " + sentence).toList());
  }

  private Future<PutDone> put(PutTemplate wanted, TemplateDocument document) {
    return table
        .find(wanted.name())
        .compose(found -> {
          Template before = found.orElse(null);
          refuse(wanted, before);
          Instant now = changes.now();
          if (before == null) {
            Template fresh =
                new Template(
                    wanted.name(),
                    wanted.project(),
                    wanted.by().name(),
                    wanted.document(),
                    document.released(),
                    false,
                    now,
                    now,
                    1);
            return wanted.dryRun()
                ? Future.succeededFuture(new PutDone(null, Outcome.CREATED, List.of()))
                : commit(wanted, "create", fresh, TemplateTable.insert(fresh))
                    .map(new PutDone(fresh, Outcome.CREATED, List.of()));
          }
          if (Json.parse(before.document()).equals(Json.parse(wanted.document()))) {
            return Future.succeededFuture(new PutDone(before, Outcome.UNCHANGED, List.of()));
          }
          Template after =
              new Template(
                  before.name(),
                  before.project(),
                  before.owner(),
                  wanted.document(),
                  document.released(),
                  false,
                  before.createdAt(),
                  now,
                  before.revision() + 1);
          return wanted.dryRun()
              ? Future.succeededFuture(new PutDone(before, Outcome.CHANGED, List.of()))
              : commit(wanted, "change", after, TemplateTable.update(after, before.revision()))
                  .map(new PutDone(after, Outcome.CHANGED, List.of()));
        });
  }

  private static void refuseBuiltIn(PipelineName name) {
    if (BuiltInTemplates.find(name).isPresent()) {
      throw new Problem.Conflict(
              "The template " + name + " comes with the server: choose another name.")
          .toException();
    }
  }

  private static void refuse(PutTemplate wanted, @Nullable Template before) {
    DocumentChange.check(
        "template",
        wanted.name(),
        wanted.creates(),
        wanted.ifRevision(),
        before == null ? null : before.revision());
    if (before != null) {
      DocumentChange.checkProject("template", wanted.name(), wanted.document(), before.project());
    }
  }

  private Future<Void> commit(
      PutTemplate wanted, String action, Template template, Statement statement) {
    return changes.commitObject(
        wanted.by(), what(action, template, "revision " + template.revision()), List.of(statement));
  }

  private static What what(String action, Template template, String detail) {
    return new What(action, "template", template.name().value(), template.project(), detail);
  }

  private Future<Done> delete(Templates.OfTemplate asked) {
    refuseBuiltIn(asked.name());
    return get(asked.name())
        .compose(template ->
            changes.commitObject(
                asked.by(),
                what("delete", template, ""),
                List.of(TemplateTable.delete(template.name()))))
        .map(new Done());
  }

  private Future<Checked> check(CheckArguments asked) {
    return get(asked.name())
        .map(template -> {
          if (!(Json.parse(asked.arguments()) instanceof ObjectNode arguments)) {
            throw new Problem.Refused(new Finding("/arguments", "arguments are an object"))
                .toException();
          }
          return new Checked(ArgumentWords.plain(BuiltInTemplates.document(template), arguments));
        });
  }
}
