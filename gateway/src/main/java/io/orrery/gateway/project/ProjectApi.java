package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Projects.Project;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.ListFilter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The API of projects, {@code /api/v1/projects}. {@link MemberApi} has their members. */
final class ProjectApi implements Api {
  static final String ALL = ApiRouter.V1 + "/projects";
  static final String ONE = ALL + "/:project";
  private static final int MAX_BYTES = 4 * Projects.MOST_SETTINGS;
  private static final List<String> KEYS = List.of("name", "title", "settings", "quota");

  private final Bus bus;
  private final RequestBody bodies;

  public ProjectApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "owner", "q", "member", "role", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.ADMIN, this::delete);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    String member = query.text("member");
    String word = query.oneOf("role", ProjectRole.words());
    ProjectRole role = word == null ? null : ProjectRole.of(word).orElseThrow();
    List<ProjectName> among =
        role != null && member == null
            ? withRole(Callers.of(context), role)
            : Callers.visible(context);
    ProjectRole memberRole = member == null ? null : role;
    return new ListFilter(query)
        .equal("owner", "/owner")
        .of((cursor, limit) ->
            bus.request(
                    Projects.LIST,
                    new Projects.ListProjects(
                        among, query.text("q"), member, memberRole, cursor, limit))
                .map(page ->
                    Pages.of(page.items(), project -> listed(context, project, page), page.next())))
        .map(Reply::ok);
  }

  /** A project of a list, with the role of the member whose projects were asked for. */
  private static ObjectNode listed(
      RoutingContext context, Project project, Projects.ProjectPage page) {
    ObjectNode shape = shape(context, project);
    ProjectRole role = page.memberRoles().get(project.name().value());
    return role == null ? shape : shape.put("memberRole", role.word());
  }

  private static List<ProjectName> withRole(Caller caller, ProjectRole role) {
    return caller.projects().keySet().stream()
        .filter(project -> caller.in(project) == role)
        .sorted()
        .toList();
  }

  private Future<Reply> show(RoutingContext context) {
    ProjectName name = allowed(context, Need.READ);
    return bus.request(Projects.GET, new Projects.GetProject(name))
        .map(project -> {
          Revisions.tag(context, project.revision());
          return Reply.ok(shape(context, project));
        });
  }

  /**
   * Creates a project, whose creator the caller becomes; or changes one that the caller manages.
   */
  private Future<Reply> put(RoutingContext context) {
    ProjectName name = named(context);
    Caller caller = Callers.of(context);
    boolean dryRun = DryRun.isAsked(context);
    boolean known = caller.seesEverything() || caller.in(name) != null;
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, KEYS, "{\"title\": \"Vision\", \"settings\": {}}");
          String called = fields.text("name", 200);
          String title = fields.text("title", Projects.MOST_TEXT);
          ObjectNode written = fields.object("settings", Projects.MOST_SETTINGS);
          var settings = ProjectSettings.read(written, "/settings");
          settings.findings().forEach(fields::wrong);
          ObjectNode quota = fields.object("quota", Projects.MOST_SETTINGS);
          QuotaLimits.read(quota, "/quota").findings().forEach(fields::wrong);
          if (called != null && !called.equals(name.value())) {
            fields.wrong("name", "the name is " + name + " in the address");
          }
          fields.check();
          return find(name)
              .compose(found -> {
                boolean exists = found.isPresent();
                if (exists && known) {
                  Callers.require(
                      caller, Need.MANAGE, new ResourceOwner(name, ""), "project '" + name + "'");
                }
                boolean limits =
                    fields.has("quota")
                        && !quota.equals(Json.parse(found.map(Project::quota).orElse("{}")));
                if (limits && caller.role() != UserRole.ADMIN) {
                  throw new Problem.Forbidden(
                          "Only an administrator may change the quota of a project.")
                      .toException();
                }
                var wanted =
                    new Projects.PutProject(
                        Callers.actor(context),
                        name,
                        Objects.requireNonNullElse(title, ""),
                        settings.settings().text(),
                        limits ? Json.write(quota) : null,
                        !exists || !known,
                        Revisions.expected(context));
                return ProjectCheckApi.notices(bus, written)
                    .compose(doubts -> {
                      List<Finding> notices = new ArrayList<>(settings.notices());
                      notices.addAll(doubts);
                      return dryRun
                          ? Future.succeededFuture(
                              Reply.ok(
                                  noticed(
                                      Json.MAPPER.createObjectNode().put("valid", true), notices)))
                          : bus.request(Projects.PUT, wanted)
                              .map(done -> answer(context, done, notices));
                    });
              });
        });
  }

  /** The name of the path, which may become that of a project. */
  private static ProjectName named(RoutingContext context) {
    String text = context.pathParam("project");
    if (!ProjectName.valid(text)) {
      throw new Problem.Refused(
              new Finding(
                  "/name",
                  "'%s' is no name: a project has 1 to 50 lower-case letters, digits and hyphens, no"
                          .formatted(text)
                      + " hyphen first or last"))
          .toException();
    }
    return new ProjectName(text);
  }

  private Future<Optional<Project>> find(ProjectName name) {
    return Absent.of(bus.request(Projects.GET, new Projects.GetProject(name)));
  }

  private static ObjectNode noticed(ObjectNode shape, List<Finding> all) {
    ArrayNode notices = shape.putArray("notices");
    all.forEach(notice -> notices.add(notice.text()));
    return shape;
  }

  private static Reply answer(
      RoutingContext context, Projects.PutDone done, List<Finding> notices) {
    Project project = done.project();
    Revisions.tag(context, project.revision());
    ObjectNode shape = noticed(shape(context, project), notices);
    if (!done.created()) {
      return Reply.ok(shape);
    }
    shape.put("role", ProjectRole.CREATOR.word());
    return Reply.created(ALL + "/" + project.name(), shape);
  }

  private Future<Reply> delete(RoutingContext context) {
    return bus.request(
            Projects.DELETE,
            new Projects.DeleteProject(Callers.actor(context), PathIds.project(context)))
        .map(Reply.empty(204));
  }

  /** The project of the path, upon which the caller may do something. */
  static ProjectName allowed(RoutingContext context, Need need) {
    ProjectName name = PathIds.project(context);
    Callers.require(
        Callers.of(context), need, new ResourceOwner(name, ""), "project '" + name + "'");
    return name;
  }

  private static ObjectNode shape(RoutingContext context, Project project) {
    ProjectRole role = Callers.of(context).in(project.name());
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("name", project.name().value())
            .put("title", project.title())
            .put("owner", project.owner())
            .put("role", role == null ? null : role.word());
    shape.set("settings", Json.parse(project.settings()));
    shape.set("quota", Json.parse(project.quota()));
    return shape
        .put("createdAt", Wire.time(project.createdAt()))
        .put("changedAt", Wire.time(project.changedAt()))
        .put("revision", project.revision());
  }
}
