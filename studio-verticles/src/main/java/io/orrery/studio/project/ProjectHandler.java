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
import io.orrery.core.bus.contract.Projects.Answer;
import io.orrery.core.bus.contract.Projects.AskToJoin;
import io.orrery.core.bus.contract.Projects.DeleteProject;
import io.orrery.core.bus.contract.Projects.JoinRequest;
import io.orrery.core.bus.contract.Projects.Member;
import io.orrery.core.bus.contract.Projects.Project;
import io.orrery.core.bus.contract.Projects.PutDone;
import io.orrery.core.bus.contract.Projects.PutMember;
import io.orrery.core.bus.contract.Projects.PutProject;
import io.orrery.core.bus.contract.Projects.RemoveMember;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.problem.Problem;
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
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers questions about projects, their members and requests to join. */
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
            bus.serve(
                Projects.MEMBERS,
                asked ->
                    projects
                        .get(asked.name())
                        .compose(known -> projects.members(known.name()))
                        .map(Projects.Members::new)),
            bus.serve(Projects.PUT_MEMBER, this::putMember),
            bus.serve(Projects.REMOVE_MEMBER, this::removeMember),
            bus.serve(Projects.ASK, this::ask),
            bus.serve(
                Projects.REQUESTS,
                asked ->
                    projects
                        .get(asked.name())
                        .compose(known -> projects.requests(known.name()))
                        .map(Projects.JoinRequests::new)),
            bus.serve(Projects.ANSWER, this::answer)));
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
    Long expected = wanted.ifRevision();
    if (expected != null && expected != before.revision()) {
      throw new Problem.Conflict(
              "Project %s has been changed: it has the revision %d now."
                  .formatted(before.name(), before.revision()))
          .toException();
    }
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

  // ---- members -------------------------------------------------------------------------------

  private Future<Member> putMember(PutMember wanted) {
    return projects
        .get(wanted.project())
        .compose(known -> projects.userExists(wanted.user()))
        .compose(exists -> {
          if (!exists) {
            throw new Problem.NotFound("There is no user " + wanted.user() + ".").toException();
          }
          return projects.member(wanted.project(), wanted.user());
        })
        .compose(before ->
            unchanged(wanted.project(), wanted.user(), before, wanted.ifRevision())
                .compose(same ->
                    keepACreator(wanted.project(), before, wanted.role() == ProjectRole.CREATOR))
                .compose(kept -> {
                  List<Statement> statements = new ArrayList<>();
                  Long expected = wanted.ifRevision();
                  statements.add(
                      expected == null
                          ? ProjectTable.putMember(wanted.project(), wanted.user(), wanted.role())
                          : ProjectTable.changeMember(
                              wanted.project(), wanted.user(), wanted.role(), expected));
                  statements.add(ProjectTable.dropRequest(wanted.project(), wanted.user()));
                  if (isCreator(before)) {
                    statements.add(ProjectTable.keepsACreator(wanted.project()));
                  }
                  String detail =
                      before
                          .map(member -> member.role().word() + " to " + wanted.role().word())
                          .orElse(wanted.role().word());
                  return changes.commit(
                      wanted.by(),
                      member("add", wanted.project(), wanted.user(), detail),
                      statements);
                }))
        .compose(done -> projects.member(wanted.project(), wanted.user()))
        .map(Optional::orElseThrow);
  }

  private Future<Done> removeMember(RemoveMember wanted) {
    return projects
        .member(wanted.project(), wanted.user())
        .compose(before -> {
          if (before.isEmpty()) {
            throw new Problem.NotFound(
                    "%s is not a member of %s.".formatted(wanted.user(), wanted.project()))
                .toException();
          }
          return unchanged(wanted.project(), wanted.user(), before, wanted.ifRevision())
              .compose(same -> keepACreator(wanted.project(), before, false))
              .compose(kept -> {
                List<Statement> statements = new ArrayList<>();
                statements.add(
                    ProjectTable.removeMember(
                        wanted.project(), wanted.user(), before.get().revision()));
                if (isCreator(before)) {
                  statements.add(ProjectTable.keepsACreator(wanted.project()));
                }
                return changes.commit(
                    wanted.by(), member("remove", wanted.project(), wanted.user(), ""), statements);
              });
        })
        .map(new Done());
  }

  /** Fails with Conflict when a member is not of the revision that a change is meant for. */
  private static Future<Void> unchanged(
      ProjectName project, UserName user, Optional<Member> before, @Nullable Long expected) {
    if (expected == null || before.map(Member::revision).equals(Optional.of(expected))) {
      return Future.succeededFuture();
    }
    return Future.failedFuture(
        new Problem.Conflict(
                before
                    .map(member ->
                        "Member %s of %s has been changed: it has the revision %d now."
                            .formatted(user, project, member.revision()))
                    .orElse("%s is not a member of %s any more.".formatted(user, project)))
            .toException());
  }

  private static boolean isCreator(Optional<Member> member) {
    return member.isPresent() && member.get().role() == ProjectRole.CREATOR;
  }

  /** Explains in words what the statement of the same name makes sure of. */
  private Future<Void> keepACreator(
      ProjectName project, Optional<Member> before, boolean staysCreator) {
    if (!isCreator(before) || staysCreator) {
      return Future.succeededFuture();
    }
    UserName user = before.orElseThrow().user();
    return projects
        .members(project)
        .compose(members ->
            members.stream()
                    .anyMatch(member ->
                        member.role() == ProjectRole.CREATOR && !member.user().equals(user))
                ? Future.succeededFuture()
                : Future.failedFuture(
                    new Problem.Conflict(
                            "%s is the only creator of %s: make another one first."
                                .formatted(user, project))
                        .toException()));
  }

  // ---- requests to join ----------------------------------------------------------------------

  private Future<JoinRequest> ask(AskToJoin wanted) {
    Instant now = changes.now();
    return projects
        .get(wanted.project())
        .compose(known -> projects.userExists(wanted.user()))
        .compose(exists -> {
          if (!exists) {
            throw new Problem.NotFound("There is no user " + wanted.user() + ".").toException();
          }
          return projects.member(wanted.project(), wanted.user());
        })
        .compose(member -> {
          if (member.isPresent() || wanted.project().equals(ProjectName.PUBLIC)) {
            throw new Problem.Conflict(
                    "%s is a member of %s already.".formatted(wanted.user(), wanted.project()))
                .toException();
          }
          return changes.commit(
              wanted.by(),
              new What("ask", "member", wanted.user().value(), wanted.project(), ""),
              ProjectTable.ask(wanted.project(), wanted.user(), wanted.message(), now));
        })
        .map(new JoinRequest(wanted.user(), wanted.message(), now));
  }

  private Future<Done> answer(Answer wanted) {
    return projects
        .requests(wanted.project())
        .compose(requests -> {
          if (requests.stream().noneMatch(request -> request.user().equals(wanted.user()))) {
            throw new Problem.NotFound(
                    "%s has not asked to join %s.".formatted(wanted.user(), wanted.project()))
                .toException();
          }
          List<Statement> statements = new ArrayList<>();
          statements.add(ProjectTable.dropRequest(wanted.project(), wanted.user()));
          if (wanted.accepted()) {
            statements.add(
                ProjectTable.putMember(wanted.project(), wanted.user(), ProjectRole.MEMBER));
          }
          return changes.commit(
              wanted.by(),
              member(wanted.accepted() ? "accept" : "refuse", wanted.project(), wanted.user(), ""),
              statements);
        })
        .map(new Done());
  }

  private static What what(String action, ProjectName name, String detail) {
    return new What(action, "project", name.value(), name, detail);
  }

  private static What member(String action, ProjectName project, UserName user, String detail) {
    return new What(action, "member", user.value(), project, detail);
  }
}
