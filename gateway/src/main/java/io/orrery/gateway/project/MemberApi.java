package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Projects.JoinRequest;
import io.orrery.core.bus.contract.Projects.Member;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of a project's members and of requests to join it. */
final class MemberApi implements Api {
  private static final String MEMBERS = ProjectApi.ONE + "/members";
  private static final String REQUESTS = ProjectApi.ONE + "/join-requests";
  private static final int MAX_BYTES = 16 << 10;

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;

  public MemberApi(Bus bus, RequestBody bodies, Clock clock) {
    this.clock = clock;
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(MEMBERS, RouteNeed.STUDIO, this::members, "cursor", "limit");
    router.get(MEMBERS + "/:user", RouteNeed.STUDIO, this::member);
    router.put(MEMBERS + "/:user", RouteNeed.STUDIO, this::put, DryRun.PARAMETER);
    router.delete(MEMBERS + "/:user", RouteNeed.STUDIO, this::remove);
    router.get(REQUESTS, RouteNeed.STUDIO, this::requests, "cursor", "limit");
    router.post(REQUESTS, RouteNeed.STUDIO, this::ask, DryRun.PARAMETER);
    router.post(
        REQUESTS + "/:user/accept",
        RouteNeed.STUDIO,
        context -> answer(context, true),
        DryRun.PARAMETER);
    router.post(
        REQUESTS + "/:user/refuse",
        RouteNeed.STUDIO,
        context -> answer(context, false),
        DryRun.PARAMETER);
  }

  private Future<Reply> members(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    return bus.request(Projects.MEMBERS, new Projects.GetProject(project))
        .map(members -> Reply.ok(page(context, Pages.of(members.items(), MemberApi::shape, null))));
  }

  private Future<Reply> member(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    UserName user = PathIds.user(context);
    return bus.request(Projects.MEMBERS, new Projects.GetProject(project))
        .map(members ->
            find(members, user)
                .map(member -> tagged(context, member))
                .orElseThrow(() ->
                    new Problem.NotFound("%s is not a member of %s.".formatted(user, project))
                        .toException()));
  }

  private static Optional<Member> find(Projects.Members members, UserName user) {
    return members.items().stream().filter(member -> member.user().equals(user)).findFirst();
  }

  private static Reply tagged(RoutingContext context, Member member) {
    Revisions.tag(context, member.revision());
    return Reply.ok(shape(member));
  }

  private static ObjectNode page(RoutingContext context, ObjectNode whole) {
    return Pages.cut(Query.of(context), whole, "/user");
  }

  private Future<Reply> put(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.MANAGE);
    UserName user = PathIds.user(context);
    boolean dryRun = DryRun.isAsked(context);
    Long expected = Revisions.expectedOrNone(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, List.of("role"), "{\"role\": \"member\"}");
          ProjectRole role = fields.word("role", ProjectRole::of, ProjectRole.words());
          if (!fields.has("role")) {
            fields.wrong(
                "role", "the role is missing: one of " + String.join(", ", ProjectRole.words()));
          }
          fields.check();
          if (dryRun) {
            return DryRun.valid(checked(project, user, Objects.requireNonNull(role), expected));
          }
          return bus.request(
                  Projects.PUT_MEMBER,
                  new Projects.PutMember(
                      Callers.actor(context),
                      project,
                      user,
                      Objects.requireNonNull(role),
                      expected))
              .map(member -> tagged(context, member));
        });
  }

  /**
   * Fails when a user could not be given a role: it does not exist, is not of the revision that is
   * asked for, or is the only creator.
   */
  private Future<?> checked(
      ProjectName project, UserName user, ProjectRole role, @Nullable Long expected) {
    return bus.request(People.GET, new People.GetUser(user))
        .compose(known -> bus.request(Projects.MEMBERS, new Projects.GetProject(project)))
        .map(members -> {
          RevisionCheck.require(
              "Member %s of %s".formatted(user, project),
              expected,
              find(members, user).map(Member::revision).orElse(RevisionCheck.NONE));
          List<UserName> creators =
              members.items().stream()
                  .filter(member -> member.role() == ProjectRole.CREATOR)
                  .map(Member::user)
                  .toList();
          if (role != ProjectRole.CREATOR && creators.equals(List.of(user))) {
            throw new Problem.Conflict(
                    "%s is the only creator of %s: make another one first."
                        .formatted(user, project))
                .toException();
          }
          return members;
        });
  }

  /** Creators remove any member; members leave by themselves. */
  private Future<Reply> remove(RoutingContext context) {
    UserName user = PathIds.user(context);
    boolean leaves =
        Callers.of(context).name().equals(user.value()) && !Callers.of(context).readsOnly();
    ProjectName project = ProjectApi.allowed(context, leaves ? Need.READ : Need.MANAGE);
    return bus.request(
            Projects.REMOVE_MEMBER,
            new Projects.RemoveMember(
                Callers.actor(context), project, user, Revisions.expected(context)))
        .map(Reply.empty(204));
  }

  private Future<Reply> requests(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.MANAGE);
    return bus.request(Projects.REQUESTS, new Projects.GetProject(project))
        .map(requests ->
            Reply.ok(page(context, Pages.of(requests.items(), MemberApi::shape, null))));
  }

  /** A person asks for a project by its name; whether it exists is not told to a stranger. */
  private Future<Reply> ask(RoutingContext context) {
    ProjectName project = PathIds.project(context);
    Caller caller = Callers.of(context);
    if (caller.kind() == Caller.Kind.SERVICE || !UserName.valid(caller.name())) {
      throw new Problem.Refused(new Finding("", "only a user asks to join a project"))
          .toException();
    }
    UserName user = new UserName(caller.name());
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(
                  text.isBlank() ? "{}" : text,
                  List.of("message"),
                  "{\"message\": \"I work on the digits model\"}");
          String message =
              Objects.requireNonNullElse(fields.text("message", Projects.MOST_TEXT), "");
          fields.check();
          if (dryRun) {
            return Future.succeededFuture(DryRun.valid());
          }
          return bus.request(
                  Projects.ASK,
                  new Projects.AskToJoin(Callers.actor(context), project, user, message))
              .recover(failure -> unlessMissing(failure, user, message))
              .map(request -> Reply.status(202, shape(request)));
        });
  }

  /** A project that does not exist is answered as one that does. */
  private Future<JoinRequest> unlessMissing(Throwable failure, UserName user, String message) {
    return Problem.of(failure) instanceof Problem.NotFound
        ? Future.succeededFuture(new JoinRequest(user, message, clock.now()))
        : Future.failedFuture(failure);
  }

  private Future<Reply> answer(RoutingContext context, boolean accepted) {
    ProjectName project = ProjectApi.allowed(context, Need.MANAGE);
    UserName user = PathIds.user(context);
    if (DryRun.isAsked(context)) {
      return DryRun.valid(asked(project, user));
    }
    return bus.request(
            Projects.ANSWER, new Projects.Answer(Callers.actor(context), project, user, accepted))
        .map(Reply.empty(204));
  }

  /** Fails when a user has not asked to join. */
  private Future<?> asked(ProjectName project, UserName user) {
    return bus.request(Projects.REQUESTS, new Projects.GetProject(project))
        .map(requests -> {
          if (requests.items().stream().noneMatch(each -> each.user().equals(user))) {
            throw new Problem.NotFound("%s has not asked to join %s.".formatted(user, project))
                .toException();
          }
          return requests;
        });
  }

  private static ObjectNode shape(Member member) {
    return Json.MAPPER
        .createObjectNode()
        .put("user", member.user().value())
        .put("displayName", member.displayName())
        .put("role", member.role().word())
        .put("revision", member.revision());
  }

  private static ObjectNode shape(JoinRequest request) {
    return Json.MAPPER
        .createObjectNode()
        .put("user", request.user().value())
        .put("message", request.message())
        .put("askedAt", Wire.time(request.askedAt()));
  }
}
