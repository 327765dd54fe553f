package io.orrery.studio.project;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.contract.Projects.JoinRequest;
import io.orrery.core.bus.contract.Projects.ListProjects;
import io.orrery.core.bus.contract.Projects.Member;
import io.orrery.core.bus.contract.Projects.Project;
import io.orrery.core.bus.contract.Projects.ProjectPage;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of projects, members and requests to join. */
final class ProjectTable {
  private static final String COLUMNS =
      "name, title, settings, quota, owner, created_at, changed_at, revision";

  private static final List<String> SEARCHED = List.of("lower(name)", "lower(title)");

  /** The role of a user in a project; all users are members of {@code public}. */
  private static final String OF_MEMBER =
      "exists (select 1 from users u left join project_members m on m.user_name = u.name"
          + " and m.project = projects.name where u.name = ? and coalesce(m.role,"
          + " case projects.name when 'public' then 'member' end)";

  private static final String MEMBERS =
      "select m.user_name, u.display_name, m.role, m.revision from project_members m"
          + " join users u on u.name = m.user_name";

  private final Store store;

  ProjectTable(Store store) {
    this.store = store;
  }

  Future<Optional<Project>> find(ProjectName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from projects where name = ?", name.value()),
            ProjectTable::project)
        .map(rows -> rows.stream().findFirst());
  }

  /** The project; fails with NotFound. */
  Future<Project> get(ProjectName name) {
    return find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no project " + name + ".").toException()));
  }

  /** A page in the order of the names; the cursor is the last name. */
  Future<ProjectPage> page(ListProjects wanted) {
    Where where =
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .contains(SEARCHED, wanted.text())
            .in("name", wanted.among());
    String member = wanted.member();
    ProjectRole role = wanted.memberRole();
    if (member != null) {
      where =
          role == null
              ? where.and(OF_MEMBER + " is not null)", member)
              : where.and(OF_MEMBER + " = ?)", member, role.word());
    }
    return store
        .read(
            where.page("select " + COLUMNS + " from projects", "name", wanted.limit()),
            ProjectTable::project)
        .compose(rows -> {
          boolean more = rows.size() > wanted.limit();
          List<Project> items = more ? rows.subList(0, wanted.limit()) : rows;
          String next = more ? items.getLast().name().value() : null;
          return (member == null || items.isEmpty()
                  ? Future.succeededFuture(Map.<String, ProjectRole>of())
                  : roles(member, items))
              .map(roles -> new ProjectPage(items, next, roles));
        });
  }

  /** The roles of a user in some projects, by their names. */
  private Future<Map<String, ProjectRole>> roles(String user, List<Project> among) {
    Where where = new Where().and("user_name = ?", user).in("project", names(among));
    return store
        .read(
            where.page("select project, role from project_members", "project", among.size()),
            row -> Map.entry(row.text("project"), ProjectRole.of(row.text("role")).orElseThrow()))
        .map(rows -> {
          Map<String, ProjectRole> roles = new HashMap<>();
          // All users are its members, most of them without a row.
          if (names(among).contains(ProjectName.PUBLIC)) {
            roles.put(ProjectName.PUBLIC.value(), ProjectRole.MEMBER);
          }
          rows.forEach(row -> roles.put(row.getKey(), row.getValue()));
          return roles;
        });
  }

  private static List<ProjectName> names(List<Project> projects) {
    return projects.stream().map(Project::name).toList();
  }

  static Statement insert(Project project) {
    return Statement.of(
        "insert into projects (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)",
        project.name().value(),
        project.title(),
        project.settings(),
        project.quota(),
        project.owner(),
        project.createdAt().toEpochMilli(),
        project.changedAt().toEpochMilli(),
        project.revision());
  }

  /** The statement that stores a changed project; it fails when that was older. */
  static Statement update(Project project, long before) {
    return Statement.of(
            "update projects set title = ?, settings = ?, quota = ?, changed_at = ?, revision = ?"
                + " where name = ? and revision = ?",
            project.title(),
            project.settings(),
            project.quota(),
            project.changedAt().toEpochMilli(),
            project.revision(),
            project.name().value(),
            before)
        .expecting(1);
  }

  static List<Statement> delete(ProjectName name) {
    return List.of(
        Statement.of("delete from projects where name = ?", name.value()).expecting(1),
        Statement.of("delete from project_members where project = ?", name.value()),
        Statement.of("delete from join_requests where project = ?", name.value()));
  }

  // ---- members -------------------------------------------------------------------------------

  Future<List<Member>> members(ProjectName project) {
    return store.read(
        Statement.of(MEMBERS + " where m.project = ? order by m.user_name", project.value()),
        ProjectTable::member);
  }

  Future<Optional<Member>> member(ProjectName project, UserName user) {
    return store
        .read(
            Statement.of(
                MEMBERS + " where m.project = ? and m.user_name = ?",
                project.value(),
                user.value()),
            ProjectTable::member)
        .map(rows -> rows.stream().findFirst());
  }

  Future<Boolean> userExists(UserName user) {
    return store
        .read(
            Statement.of("select count(*) as n from users where name = ?", user.value()),
            row -> row.integer("n") > 0)
        .map(List::getFirst);
  }

  static Statement putMember(ProjectName project, UserName user, ProjectRole role) {
    return Statement.of(
        "insert into project_members (project, user_name, role) values (?, ?, ?)"
            + " on conflict (project, user_name) do update set role = excluded.role,"
            + " revision = project_members.revision + 1",
        project.value(),
        user.value(),
        role.word());
  }

  /** The statement that changes the role of a member; it fails when that was older. */
  static Statement changeMember(ProjectName project, UserName user, ProjectRole role, long before) {
    return Statement.of(
            "update project_members set role = ?, revision = revision + 1"
                + " where project = ? and user_name = ? and revision = ?",
            role.word(),
            project.value(),
            user.value(),
            before)
        .expecting(1);
  }

  /** The statement that adds a member; it fails when the user is one already. */
  static Statement addMember(ProjectName project, UserName user, ProjectRole role) {
    return Statement.of(
            "insert into project_members (project, user_name, role) values (?, ?, ?)"
                + " on conflict (project, user_name) do nothing",
            project.value(),
            user.value(),
            role.word())
        .expecting(1);
  }

  /**
   * The statement that removes a member; it fails when there is none, or not of the revision.
   *
   * @param before null for any
   */
  static Statement removeMember(ProjectName project, UserName user, @Nullable Long before) {
    String any = "delete from project_members where project = ? and user_name = ?";
    return (before == null
            ? Statement.of(any, project.value(), user.value())
            : Statement.of(any + " and revision = ?", project.value(), user.value(), before))
        .expecting(1);
  }

  /**
   * The statement that changes nothing, and fails when a user is the only creator of a project. It
   * comes before the one that takes the role away.
   */
  static Statement anotherCreatorStays(ProjectName project, UserName user) {
    return Statement.of(
            "update projects set revision = revision where name = ? and (not exists (select 1 from"
                + " project_members where project = ? and user_name = ? and role = 'creator')"
                + " or exists (select 1 from project_members where project = ? and user_name <> ?"
                + " and role = 'creator'))",
            project.value(),
            project.value(),
            user.value(),
            project.value(),
            user.value())
        .expecting(1);
  }

  // ---- requests to join ----------------------------------------------------------------------

  Future<List<JoinRequest>> requests(ProjectName project) {
    return store.read(
        Statement.of(
            "select user_name, message, asked_at from join_requests where project = ?"
                + " order by asked_at, user_name",
            project.value()),
        row ->
            new JoinRequest(
                new UserName(row.text("user_name")), row.text("message"), row.instant("asked_at")));
  }

  static Statement ask(ProjectName project, UserName user, String message, Instant now) {
    return Statement.of(
        "insert into join_requests (project, user_name, message, asked_at) values (?, ?, ?, ?)"
            + " on conflict (project, user_name) do update set message = excluded.message,"
            + " asked_at = excluded.asked_at",
        project.value(),
        user.value(),
        message,
        now.toEpochMilli());
  }

  static Statement dropRequest(ProjectName project, UserName user) {
    return Statement.of(
        "delete from join_requests where project = ? and user_name = ?",
        project.value(),
        user.value());
  }

  private static Project project(Row row) {
    return new Project(
        new ProjectName(row.text("name")),
        row.text("title"),
        row.text("settings"),
        row.text("quota"),
        row.text("owner"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }

  private static Member member(Row row) {
    return new Member(
        new UserName(row.text("user_name")),
        row.text("display_name"),
        ProjectRole.of(row.text("role")).orElseThrow(),
        row.integer("revision"));
  }
}
