package io.orrery.gateway.build;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.code.GitSource;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of builds of images, {@code /api/v1/builds}. */
public final class BuildApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/builds";
  private static final String ONE = ALL + "/:build";
  private static final int MAX_BYTES = 1 << 20;
  private static final List<String> ADDED = List.of("owner", "state", "createdAt", "revision");

  private final Bus bus;
  private final RequestBody bodies;
  private final LogStreams logs;
  private final ProjectAccess projects;
  private final SnapshotSources sources;

  public BuildApi(Bus bus, RequestBody bodies, LogStreams logs) {
    this.bus = bus;
    this.bodies = bodies;
    this.logs = logs;
    this.projects = new ProjectAccess(bus);
    this.sources = new SnapshotSources(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.stream(ONE + "/logs", RouteNeed.STUDIO, this::log, "offset", "follow");
    router.post(ONE + "/start", RouteNeed.STUDIO, this::start, "dryRun");
    router.post(ONE + "/cancel", RouteNeed.STUDIO, this::cancel, "dryRun");
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Builds.LIST,
            new Builds.ListBuilds(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("owner"),
                query.text("q"),
                query.read("status", BuildApi::status)))
        .map(all ->
            Reply.ok(Pages.cut(query, Pages.of(all.items(), BuildApi::shape, null), "/name")));
  }

  private static BuildStatus status(String text) {
    return Arrays.stream(BuildStatus.values())
        .filter(status -> status.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() ->
            new Problem.Refused(
                    new Finding("", "status is one of " + Arrays.toString(BuildStatus.values())))
                .toException());
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ).map(build -> answer(context, build));
  }

  private static Reply answer(RoutingContext context, ImageBuild build) {
    Revisions.tag(context, build.revision());
    return Reply.ok(shape(build));
  }

  private Future<Reply> put(RoutingContext context) {
    String name = context.pathParam("build");
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody body = DocumentBody.read(text, "build", ADDED);
          return body.placed(
              Absent.of(allowed(context, Need.CHANGE))
                  .compose(before -> put(context, name, body, before.orElse(null), dryRun)));
        })
        .map(done -> {
          if (!dryRun) {
            Revisions.tag(context, done.build().revision());
          }
          return DocumentReply.of(
              ALL + "/" + name, shape(done.build()), done.outcome(), List.of(), dryRun);
        });
  }

  /**
   * @param before null when it is to be created, or is hidden
   */
  private Future<Builds.PutBuildDone> put(
      RoutingContext context,
      String name,
      DocumentBody body,
      @Nullable ImageBuild before,
      boolean dryRun) {
    Fields fields = Fields.of(body.json(), BuildDocument.KEYS);
    ProjectName project =
        body.identify(
            context, fields, "ImageBuild", "build", name, before == null ? null : before.project());
    BuildSpec spec = BuildDocument.read(fields, name);
    fields.check();
    requireWorkspace(context, spec);
    Future<ResourceOwner> owned =
        before == null
            ? projects.forCreation(context, project)
            : Future.succeededFuture(new ResourceOwner(before.project(), before.owner()));
    return owned
        .compose(owner -> sources.check(context, owner.project(), spec).map(owner))
        .compose(owner ->
            bus.request(
                Builds.PUT,
                new Builds.PutBuild(
                    Callers.actor(context),
                    name,
                    owner.project(),
                    spec,
                    before == null,
                    Revisions.expected(context),
                    dryRun)));
  }

  /** No user builds from the files of another one, as no user reads them. */
  private static void requireWorkspace(RoutingContext context, BuildSpec spec) {
    String directory = spec.workspace();
    if (directory != null && !BuildDocument.isOf(directory, Callers.actor(context).name())) {
      throw new Problem.Refused(
              new Finding(
                  "/context/workspace",
                  directory + " is not in your workspace: only its owner starts builds from it"))
          .toException();
    }
  }

  private Future<Reply> start(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.CHANGE))
        .compose(build -> {
          requireWorkspace(context, build.spec());
          return sources.check(context, build.project(), build.spec()).map(build);
        })
        .compose(build ->
            dryRun
                ? Future.succeededFuture(build)
                : bus.request(
                    Builds.START, new Builds.StartBuild(Callers.actor(context), build.name())))
        .map(build -> answer(context, build));
  }

  private Future<Reply> cancel(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(build ->
            dryRun
                ? Future.succeededFuture(build)
                : bus.request(
                    Builds.CANCEL, new Builds.CancelBuild(Callers.actor(context), build.name())))
        .map(build -> answer(context, build));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(build ->
            bus.request(
                Builds.DELETE, new Builds.DeleteBuild(Callers.actor(context), build.name())))
        .map(Reply.empty(204));
  }

  private void log(RoutingContext context) {
    allowed(context, Need.READ)
        .onSuccess(build ->
            logs.send(
                context,
                (offset, limit) ->
                    bus.request(
                        Builds.READ_LOG,
                        new Builds.ReadBuildLog(
                            build.name(), build.project(), build.number(), offset, limit))))
        .onFailure(context::fail);
  }

  /** The build of the path, upon which the caller may do something. */
  private Future<ImageBuild> allowed(RoutingContext context, Need need) {
    String name = context.pathParam("build");
    return bus.request(Builds.GET, new Builds.GetBuild(name))
        .map(build -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(build.project(), build.owner()),
              "build '" + name + "'");
          return build;
        });
  }

  private static ObjectNode shape(ImageBuild build) {
    BuildSpec spec = build.spec();
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("kind", "ImageBuild")
            .put("name", build.name())
            .put("project", build.project().value())
            .put("owner", build.owner())
            .put("target", spec.target());
    if (spec.dockerfile() != null) {
      shape.put("dockerfile", spec.dockerfile());
    }
    if (spec.workspace() != null) {
      shape.putObject("context").put("workspace", spec.workspace());
    } else if (spec.upload() != null) {
      shape.putObject("context").put("upload", spec.upload());
    } else if (spec.git() != null) {
      GitSource git = spec.git();
      shape
          .putObject("context")
          .put("git", git.url())
          .put("ref", git.ref())
          .put("user", git.user())
          .put("password", git.password());
    }
    if (spec.requirements() != null) {
      shape.put("requirements", spec.requirements());
    }
    if (spec.snapshotOf() != null) {
      shape.put("snapshotOf", spec.snapshotOf());
    }
    if (spec.cluster() != null) {
      shape.put("cluster", spec.cluster());
    }
    limits(shape, spec.limits());
    shape.set("args", Json.MAPPER.valueToTree(spec.args()));
    shape.set("secrets", Json.MAPPER.valueToTree(spec.secrets()));
    shape
        .putObject("state")
        .put("number", build.number())
        .put("status", build.status().name())
        .put("reason", build.reason())
        .put("digest", build.digest())
        .put("bytes", build.bytes())
        .put("startedBy", build.startedBy())
        .put("queuedAt", Wire.time(build.queuedAt()))
        .put("startedAt", time(build.startedAt()))
        .put("endedAt", time(build.endedAt()));
    return shape.put("createdAt", Wire.time(build.createdAt())).put("revision", build.revision());
  }

  private static void limits(ObjectNode shape, BuildSpec.Limits limits) {
    if (!limits.equals(BuildSpec.Limits.NONE)) {
      ObjectNode resources = shape.putObject("resources");
      if (limits.processors() > 0) {
        resources.put("cpu", limits.processors());
      }
      if (limits.memory() > 0) {
        resources.put("memory", (limits.memory() >> 20) + "M");
      }
    }
  }

  private static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : Wire.time(at);
  }
}
