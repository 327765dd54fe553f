package io.orrery.studio.project;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Projects.DeleteProject;
import io.orrery.core.bus.contract.Projects.Project;
import io.orrery.core.bus.contract.Projects.PutDone;
import io.orrery.core.bus.contract.Projects.PutProject;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.build.BuildHandler;
import io.orrery.studio.quota.QuotaHandler;
import io.orrery.studio.registry.RegistryHandler;
import io.orrery.studio.secret.ProjectSecretHandler;
import io.orrery.studio.tracking.TrackedProject;
import io.orrery.studio.usage.UsageTable;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Answers questions about projects; {@link MemberHandler} about their members. */
public final class ProjectHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final ProjectTable projects;

  public ProjectHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.projects = new ProjectTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Projects.LIST, projects::page),
            bus.serve(Projects.GET, asked -> projects.get(asked.name())),
            bus.serve(Projects.PUT, this::put),
            bus.serve(Projects.DELETE, this::delete),
            new MemberHandler(bus, changes, projects).serve()));
  }

  // ---- projects ------------------------------------------------------------------------------

  private Future<PutDone> put(PutProject wanted) {
    return projects
        .find(wanted.name())
        .compose(found -> {
          if (found.isEmpty() && !wanted.creates()) {
            throw new Problem.NotFound("There is no project " + wanted.name() + ".").toException();
          }
          return found.isEmpty() ? create(wanted) : change(wanted, found.get());
        });
  }

  private Future<PutDone> create(PutProject wanted) {
    Instant now = changes.now();
    Project project =
        new Project(
            wanted.name(),
            wanted.title(),
            wanted.settings(),
            Objects.requireNonNullElse(wanted.quota(), "{}"),
            wanted.by().name(),
            now,
            now,
            1);
    List<Statement> statements = new ArrayList<>();
    statements.add(ProjectTable.insert(project));
    if (UserName.valid(wanted.by().name())) {
      statements.add(
          ProjectTable.putMember(
              wanted.name(), new UserName(wanted.by().name()), ProjectRole.CREATOR));
    }
    return changes
        .commit(wanted.by(), what("create", wanted.name(), ""), statements)
        .map(new PutDone(project, true));
  }

  private Future<PutDone> change(PutProject wanted, Project before) {
    if (wanted.creates()) {
      throw new Problem.Conflict("There is a project " + wanted.name() + " already.").toException();
    }
    RevisionCheck.require("Project " + before.name(), wanted.ifRevision(), before.revision());
    Project after =
        new Project(
            before.name(),
            wanted.title(),
            wanted.settings(),
            // What an administrator has set meanwhile is not taken back by who leaves it.
            Objects.requireNonNullElse(wanted.quota(), before.quota()),
            before.owner(),
            before.createdAt(),
            changes.now(),
            before.revision() + 1);
    return changes
        .commit(
            wanted.by(),
            what("change", wanted.name(), difference(before, after)),
            ProjectTable.update(after, before.revision()),
            QuotaHandler.changed(after.name()))
        .onSuccess(changed -> bus.publish(Quotas.FREED, new Quotas.Freed(after.name())))
        .map(new PutDone(after, false));
  }

  private static String difference(Project before, Project after) {
    List<String> parts = new ArrayList<>();
    if (!before.title().equals(after.title())) {
      parts.add("title");
    }
    if (!before.settings().equals(after.settings())) {
      parts.add("settings");
    }
    if (!before.quota().equals(after.quota())) {
      parts.add("quota");
    }
    return String.join(", ", parts);
  }

  private Future<Done> delete(DeleteProject wanted) {
    ProjectName name = wanted.name();
    if (name.equals(ProjectName.PUBLIC)) {
      throw new Problem.Conflict("All users belong to the project public: it cannot be deleted.")
          .toException();
    }
    return projects
        .get(name)
        .compose(known -> bus.request(Experiments.LIST, Experiments.ListAll.in(name, 1)))
        .compose(page -> {
          requireNone(name, "experiments", page.items(), each -> each.id().value());
          return bus.request(
              Services.LIST, new Services.ListServices(List.of(name), null, null, null, 1));
        })
        .compose(page -> {
          requireNone(name, "services", page.items(), each -> each.name().value());
          return bus.request(
              Notebooks.LIST, new Notebooks.ListNotebooks(null, "", name, null, null, null, 1));
        })
        .compose(page -> {
          requireNone(name, "notebooks", page.items(), each -> each.name().value());
          return bus.request(
              Models.LIST, new Models.ListModels(List.of(name), null, null, null, 1));
        })
        .compose(page -> {
          requireNone(name, "models", page.items(), each -> each.name().value());
          return bus.request(
              Tracking.EXPERIMENTS,
              new Tracking.SearchExperiments(
                  List.of(name), "", List.of(), Tracking.View.ACTIVE_ONLY, 1, 0));
        })
        .compose(page -> {
          requireNone(name, "tracked experiments", page.items(), each -> each.name());
          return ProjectUse.ofPipelines(bus, name);
        })
        .compose(use -> {
          if (use.isPresent()) {
            throw new Problem.Conflict("Project %s %s.".formatted(name, use.get())).toException();
          }
          List<Statement> statements = new ArrayList<>(ProjectTable.delete(name));
          statements.addAll(TrackedProject.forget(name));
          statements.add(ProjectSecretHandler.forget(name));
          statements.addAll(RegistryHandler.forget(name));
          statements.addAll(BuildHandler.forget(name));
          statements.add(UsageTable.forget(name));
          statements.add(QuotaHandler.forget(name));
          return changes.commit(wanted.by(), what("delete", name, ""), statements);
        })
        .map(new Done());
  }

  private static <T> void requireNone(
      ProjectName project, String kind, List<T> items, Function<T, String> name) {
    if (!items.isEmpty()) {
      throw new Problem.Conflict(
              "Project %s has %s, %s among them: delete them first."
                  .formatted(project, kind, name.apply(items.getFirst())))
          .toException();
    }
  }

  private static What what(String action, ProjectName name, String detail) {
    return new What(action, "project", name.value(), name, detail);
  }
}
