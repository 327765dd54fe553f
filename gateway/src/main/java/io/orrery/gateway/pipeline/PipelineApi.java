package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.json.Json;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
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
import java.util.List;
import java.util.Objects;

/** The API of pipelines, {@code /api/v1/pipelines}. {@link RunApi} shows their runs. */
final class PipelineApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/pipelines";
  private static final String ONE = ALL + "/:pipeline";
  private static final int MAX_BYTES = 4 * Pipelines.MOST_CHARACTERS;
  private static final String EXPORT_IMAGE = "python:3.12-slim";
  private static final int MOST_PARAMETERS = 200_000;
  private static final List<String> ADDED = List.of("owner", "createdAt", "changedAt", "revision");

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;

  public PipelineApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, context -> put(context, false), "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/versions", RouteNeed.STUDIO, this::versions, "cursor", "limit");
    router.get(ONE + "/advice", RouteNeed.STUDIO, this::advice, "cursor", "limit");
    router.post(ONE + "/check", RouteNeed.STUDIO, context -> put(context, true), "project");
    router.post(ONE + "/export", RouteNeed.STUDIO, this::export);
    router.post(ONE + "/run", RouteNeed.STUDIO, this::run, "dryRun");
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Pipelines.LIST,
            new Pipelines.ListPipelines(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("owner"),
                query.text("q"),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), PipelineApi::shape, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(bus, context, Need.READ)
        .map(pipeline -> {
          Revisions.tag(context, pipeline.revision());
          return Reply.ok(shape(pipeline));
        });
  }

  private Future<Reply> versions(RoutingContext context) {
    Query query = Query.of(context);
    Long before =
        query.text("cursor") == null ? null : query.integer("cursor", 1, 1, Long.MAX_VALUE);
    int limit = Pages.limit(query);
    return allowed(bus, context, Need.READ)
        .compose(pipeline ->
            bus.request(
                Pipelines.VERSIONS, new Pipelines.VersionsOf(pipeline.name(), before, limit)))
        .map(versions ->
            Reply.ok(
                Pages.of(
                    versions.items(),
                    PipelineApi::shape,
                    Objects.toString(versions.next(), null))));
  }

  private Future<Reply> advice(RoutingContext context) {
    return allowed(bus, context, Need.READ)
        .compose(
            pipeline -> bus.request(Pipelines.ADVICE, new Pipelines.GetAdvice(pipeline.name())))
        .map(advice ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(advice.items(), PipelineApi::shape, null),
                    "/task")));
  }

  private static ObjectNode shape(Pipelines.TaskAdvice advice) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("task", advice.task())
            .put("runs", advice.runs())
            .put("memoryBytes", advice.memory())
            .put("cpus", advice.cpuMillis() / 1000.0);
    advice.suggested().forEach(shape.putObject("suggested")::put);
    ArrayNode words = shape.putArray("words");
    advice.words().forEach(words::add);
    return shape;
  }

  private static ObjectNode shape(Pipelines.Version version) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("version", version.version())
            .put("at", Wire.time(version.at()))
            .put("by", version.by());
    shape.set("document", Json.parse(version.document()));
    return shape;
  }

  // ---- changing ------------------------------------------------------------------------------

  /** Creates a pipeline or stores its next version; or only checks the document. */
  private Future<Reply> put(RoutingContext context, boolean checkOnly) {
    PipelineName name = PathName.of(context, "pipeline");
    boolean dryRun = checkOnly || Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody body = DocumentBody.read(text, "pipeline", ADDED);
          return Absent.of(allowed(bus, context, name, Need.CHANGE))
              .compose(found -> {
                boolean creates = found.isEmpty();
                Future<ResourceOwner> owned =
                    creates
                        ? projects.forCreation(context, body.project(context))
                        : Future.succeededFuture(ResourceOwner.PUBLIC);
                return owned.compose(owner ->
                    body.placed(
                        bus.request(
                            Pipelines.PUT,
                            new Pipelines.PutPipeline(
                                Callers.actor(context),
                                name,
                                owner.project(),
                                Json.write(body.json()),
                                creates || Revisions.onlyNew(context),
                                Revisions.expected(context),
                                dryRun))));
              });
        })
        .map(done -> answer(context, name, done, dryRun));
  }

  private static Reply answer(
      RoutingContext context, PipelineName name, Pipelines.PutDone done, boolean dryRun) {
    Pipeline pipeline = done.pipeline();
    if (pipeline != null && !dryRun) {
      Revisions.tag(context, pipeline.revision());
    }
    return DocumentReply.of(
        ALL + "/" + name,
        pipeline == null ? null : shape(pipeline),
        done.outcome(),
        done.notices(),
        dryRun);
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(bus, context, Need.CHANGE)
        .compose(pipeline ->
            bus.request(
                Pipelines.DELETE,
                new Pipelines.OfPipeline(Callers.actor(context), pipeline.name())))
        .map(Reply.empty(204));
  }

  /** Starts a run of the present version, or of another one. */
  private Future<Reply> run(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(bus, context, Need.CHANGE)
                .compose(pipeline -> {
                  Fields fields =
                      Fields.of(
                          text.isBlank() ? "{}" : text,
                          List.of("parameters", "version", "cache"),
                          "{\"parameters\": {\"epochs\": 5}}");
                  ObjectNode parameters = fields.object("parameters", MOST_PARAMETERS);
                  Integer version = fields.integer("version", 1, Integer.MAX_VALUE);
                  Boolean cached = fields.flag("cache");
                  fields.check();
                  return bus.request(
                      Pipelines.RUN,
                      new Pipelines.Start(
                          Callers.actor(context),
                          pipeline.name(),
                          version == null ? null : Long.valueOf(version),
                          Json.write(parameters),
                          !Boolean.FALSE.equals(cached),
                          dryRun));
                }))
        .map(started -> {
          ObjectNode body = Json.MAPPER.createObjectNode();
          RunId id = started.id();
          body.put("id", id == null ? null : id.value());
          ArrayNode notices = body.putArray("notices");
          started.notices().forEach(notices::add);
          return id == null
              ? Reply.ok(body.put("valid", true))
              : Reply.created(RunApi.ALL + "/" + id, body);
        });
  }

  /** Writes the present version as an Argo Workflow. */
  private Future<Reply> export(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(bus, context, Need.READ)
                .compose(pipeline -> {
                  Fields fields =
                      Fields.of(
                          text.isBlank() ? "{}" : text,
                          List.of("parameters", "image"),
                          "{\"image\": \"" + EXPORT_IMAGE + "\"}");
                  ObjectNode parameters = fields.object("parameters", MOST_PARAMETERS);
                  String image = fields.text("image", 500);
                  fields.check();
                  return bus.request(
                      Pipelines.EXPORT,
                      new Pipelines.Export(
                          Callers.actor(context),
                          pipeline.name(),
                          Json.write(parameters),
                          image == null ? EXPORT_IMAGE : image));
                }))
        .map(exported -> {
          ObjectNode body = Json.MAPPER.createObjectNode();
          body.set("workflow", Json.parse(exported.workflow()));
          ArrayNode notices = body.putArray("notices");
          exported.notices().forEach(notices::add);
          return Reply.ok(body);
        });
  }

  /** The pipeline of the path, upon which the caller may do something. */
  static Future<Pipeline> allowed(Bus bus, RoutingContext context, Need need) {
    return allowed(bus, context, PathName.of(context, "pipeline"), need);
  }

  /** A pipeline that the caller may see, and may do something with. */
  static Future<Pipeline> allowed(Bus bus, RoutingContext context, PipelineName name, Need need) {
    return bus.request(Pipelines.GET, new Pipelines.GetPipeline(name))
        .map(pipeline -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(pipeline.project(), pipeline.owner()),
              "pipeline " + pipeline.name());
          return pipeline;
        });
  }

  private static ObjectNode shape(Pipeline pipeline) {
    ObjectNode shape = (ObjectNode) Json.parse(pipeline.document());
    return shape
        .put("kind", "Pipeline")
        .put("name", pipeline.name().value())
        .put("project", pipeline.project().value())
        .put("owner", pipeline.owner())
        .put("createdAt", Wire.time(pipeline.createdAt()))
        .put("changedAt", Wire.time(pipeline.changedAt()))
        .put("revision", pipeline.revision());
  }
}
