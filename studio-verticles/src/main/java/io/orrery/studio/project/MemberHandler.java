package io.orrery.studio.project;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Projects.Answer;
import io.orrery.core.bus.contract.Projects.AskToJoin;
import io.orrery.core.bus.contract.Projects.JoinRequest;
import io.orrery.core.bus.contract.Projects.Member;
import io.orrery.core.bus.contract.Projects.PutMember;
import io.orrery.core.bus.contract.Projects.RemoveMember;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Statement;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions about the members of projects and requests to join. */
final class MemberHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final ProjectTable projects;

  MemberHandler(Bus bus, AuditedChanges changes, ProjectTable projects) {
    this.bus = bus;
    this.changes = changes;
    this.projects = projects;
  }

  /** Completes when all addresses are served. */
  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(
                Projects.MEMBERS,
                asked ->
                    projects
                        .get(asked.name())
                        .compose(known -> projects.members(known.name()))
                        .map(Projects.Members::new)),
            bus.serve(Projects.PUT_MEMBER, this::put),
            bus.serve(Projects.REMOVE_MEMBER, this::remove),
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

  // ---- members -------------------------------------------------------------------------------

  private Future<Member> put(PutMember wanted) {
    return replaceable(wanted)
        .compose(before -> {
          Long expected = wanted.ifRevision();
          List<Statement> statements = new ArrayList<>();
          if (wanted.role() != ProjectRole.CREATOR) {
            statements.add(ProjectTable.anotherCreatorStays(wanted.project(), wanted.user()));
          }
          statements.add(
              expected == null
                  ? ProjectTable.putMember(wanted.project(), wanted.user(), wanted.role())
                  : expected == RevisionCheck.NONE
                      ? ProjectTable.addMember(wanted.project(), wanted.user(), wanted.role())
                      : ProjectTable.changeMember(
                          wanted.project(), wanted.user(), wanted.role(), expected));
          statements.add(ProjectTable.dropRequest(wanted.project(), wanted.user()));
          String detail =
              before
                  .map(member -> member.role().word() + " to " + wanted.role().word())
                  .orElse(wanted.role().word());
          return changes
              .commit(wanted.by(), what("add", wanted.project(), wanted.user(), detail), statements)
              .recover(failure -> told(failure, () -> replaceable(wanted)));
        })
        .compose(done -> projects.member(wanted.project(), wanted.user()))
        // Another request may have removed the member since.
        .map(now -> now.orElseThrow(() -> missing(wanted.project(), wanted.user())));
  }

  /** The member that gets another role, if there is one; fails when the change is not allowed. */
  private Future<Optional<Member>> replaceable(PutMember wanted) {
    return projects
        .get(wanted.project())
        .compose(known -> memberOrNone(wanted.project(), wanted.user()))
        .compose(before -> {
          check(wanted.project(), wanted.user(), wanted.ifRevision(), before);
          return keepACreator(wanted.project(), before, wanted.role() == ProjectRole.CREATOR)
              .map(before);
        });
  }

  /** The member that a user is, if any; fails with NotFound when there is no such user. */
  private Future<Optional<Member>> memberOrNone(ProjectName project, UserName user) {
    return projects
        .userExists(user)
        .compose(exists -> {
          if (!exists) {
            throw new Problem.NotFound("There is no user " + user + ".").toException();
          }
          return projects.member(project, user);
        });
  }

  private Future<Done> remove(RemoveMember wanted) {
    return removable(wanted)
        .compose(known ->
            changes
                .commit(
                    wanted.by(),
                    what("remove", wanted.project(), wanted.user(), ""),
                    ProjectTable.anotherCreatorStays(wanted.project(), wanted.user()),
                    ProjectTable.removeMember(wanted.project(), wanted.user(), wanted.ifRevision()))
                .recover(failure -> told(failure, () -> removable(wanted))))
        .map(new Done());
  }

  /** Fails when there is no such member, or the removal is not allowed. */
  private Future<Void> removable(RemoveMember wanted) {
    return projects
        .member(wanted.project(), wanted.user())
        .compose(before -> {
          if (before.isEmpty()) {
            throw missing(wanted.project(), wanted.user());
          }
          check(wanted.project(), wanted.user(), wanted.ifRevision(), before);
          return keepACreator(wanted.project(), before, false);
        });
  }

  private static RuntimeException missing(ProjectName project, UserName user) {
    return new Problem.NotFound("%s is not a member of %s.".formatted(user, project)).toException();
  }

  private static void check(
      ProjectName project, UserName user, @Nullable Long expected, Optional<Member> present) {
    RevisionCheck.require(
        "Member %s of %s".formatted(user, project),
        expected,
        present.map(Member::revision).orElse(RevisionCheck.NONE));
  }

  /**
   * The words for a change that its statements refuse since another came first: those of the check
   * of what is there now.
   */
  private static Future<Void> told(Throwable failure, Supplier<Future<?>> check) {
    return Problem.of(failure) instanceof Problem.Conflict
        ? check
            .get()
            .compose(allowed ->
                Future.failedFuture(
                    new Problem.Conflict(
                            "The member has been changed by another request at the same moment.")
                        .toException()))
        : Future.failedFuture(failure);
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
        .compose(known -> memberOrNone(wanted.project(), wanted.user()))
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
              what(wanted.accepted() ? "accept" : "refuse", wanted.project(), wanted.user(), ""),
              statements);
        })
        .map(new Done());
  }

  private static What what(String action, ProjectName project, UserName user, String detail) {
    return new What(action, "member", user.value(), project, detail);
  }
}
