package io.orrery.gateway.model;

import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of models and their aliases, {@code /api/v1/models}; {@link VersionApi} has the rest. */
final class ModelApi implements Api {
  static final String ALL = ApiRouter.V1 + "/models";
  static final String ONE = ALL + "/:model";
  private static final String ALIAS = ONE + "/aliases/:alias";
  private static final int MAX_BYTES = 1 << 20;

  /** The keys of an answer that may be sent back as they are, and say nothing. */
  static final List<String> KEYS =
      List.of(
          "kind",
          "name",
          "project",
          "description",
          "tags",
          "owner",
          "aliases",
          "latest",
          "createdAt",
          "changedAt",
          "revision");

  private static final String EXAMPLE = "{\"name\": \"digits\", \"description\": \"Reads digits\"}";

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;
  private final ModelAccess access;

  public ModelApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
    this.access = new ModelAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "cursor", "limit");
    router.post(ALL, RouteNeed.STUDIO, this::create, "project", "dryRun");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.put(ALIAS, RouteNeed.STUDIO, this::setAlias, "dryRun");
    router.delete(ALIAS, RouteNeed.STUDIO, this::dropAlias);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Models.LIST,
            new Models.ListModels(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("owner"),
                query.text("q"),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), ModelShape::of, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return access
        .model(context, ModelAccess.name(context), Need.READ)
        .map(model -> answer(context, model));
  }

  private static Reply answer(RoutingContext context, Model model) {
    Revisions.tag(context, model.revision());
    return Reply.ok(ModelShape.of(model));
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Reply> create(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, KEYS, EXAMPLE);
          String name = fields.text("name", 200);
          if (name == null || !ModelName.valid(name)) {
            fields.wrong("name", "'" + name + "' is no name of a model: " + ModelName.RULE);
            fields.check();
            throw new IllegalStateException("a finding is refused");
          }
          return put(context, new ModelName(name), fields, null);
        });
  }

  /** Creates a model or changes one. */
  private Future<Reply> put(RoutingContext context) {
    ModelName name = ModelAccess.name(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, KEYS, EXAMPLE);
          String written = fields.text("name", 200);
          if (written != null && !written.equals(name.value())) {
            fields.wrong("name", "the address says " + name);
          }
          return access
              .model(context, name, Need.READ)
              .compose(
                  seen -> access.model(context, name, Need.CHANGE),
                  failure ->
                      Problem.of(failure) instanceof Problem.NotFound
                          ? Future.succeededFuture(null)
                          : Future.failedFuture(failure))
              .compose((@Nullable Model before) -> put(context, name, fields, before));
        });
  }

  /**
   * @param before null when it is to be created
   */
  private Future<Reply> put(
      RoutingContext context, ModelName name, Fields fields, @Nullable Model before) {
    Query query = Query.of(context);
    boolean dryRun = query.flag("dryRun");
    ModelFields read = new ModelFields(fields);
    String description =
        before == null || fields.has("description") ? read.description() : before.description();
    Map<String, String> tags = read.tags(before == null ? Map.of() : before.tags());
    ProjectName project = project(fields, query);
    if (before != null && project != null && !project.equals(before.project())) {
      fields.wrong(
          "project", "model %s belongs to the project %s".formatted(name, before.project()));
    }
    fields.check();
    Future<ResourceOwner> owned =
        before == null
            ? projects.forCreation(context, project)
            : Future.succeededFuture(new ResourceOwner(before.project(), before.owner()));
    return owned
        .compose(owner ->
            bus.request(
                Models.PUT,
                new Models.PutModel(
                    Callers.actor(context),
                    name,
                    owner.project(),
                    description,
                    tags,
                    before == null,
                    Revisions.expected(context),
                    dryRun)))
        .map(model -> {
          if (dryRun) {
            return Reply.ok(ModelShape.of(model).put("valid", true));
          }
          Revisions.tag(context, model.revision());
          return before == null
              ? Reply.created(ALL + "/" + name, ModelShape.of(model))
              : Reply.ok(ModelShape.of(model));
        });
  }

  private static @Nullable ProjectName project(Fields fields, Query query) {
    String written = fields.text("project", 100);
    if (written == null) {
      return query.read("project", ProjectAccess::named);
    }
    if (!ProjectName.valid(written)) {
      fields.wrong("project", "'" + written + "' is no name of a project");
      return null;
    }
    return new ProjectName(written);
  }

  private Future<Reply> delete(RoutingContext context) {
    ModelName name = ModelAccess.name(context);
    return access
        .model(context, name, Need.CHANGE)
        .compose(
            model -> bus.request(Models.DELETE, new Models.OfModel(Callers.actor(context), name)))
        .map(Reply.empty(204));
  }

  // ---- aliases -------------------------------------------------------------------------------

  private Future<Reply> setAlias(RoutingContext context) {
    ModelName name = ModelAccess.name(context);
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            access
                .model(context, name, Need.CHANGE)
                .compose(model -> {
                  Fields fields = Fields.of(text, List.of("version"), "{\"version\": \"3\"}");
                  VersionName version = new ModelFields(fields).version();
                  fields.check();
                  if (version == null) {
                    throw new Problem.Refused(
                            new Finding("/version", "the version of the alias is missing"))
                        .toException();
                  }
                  return dryRun
                      ? bus.request(Models.VERSION, new Models.GetVersion(name, version))
                          .map(found -> model)
                      : bus.request(
                          Models.SET_ALIAS,
                          new Models.SetAlias(
                              Callers.actor(context), name, ModelAccess.alias(context), version));
                }))
        .map(model -> answer(context, model));
  }

  private Future<Reply> dropAlias(RoutingContext context) {
    ModelName name = ModelAccess.name(context);
    return access
        .model(context, name, Need.CHANGE)
        .compose(model ->
            bus.request(
                Models.DROP_ALIAS,
                new Models.DropAlias(Callers.actor(context), name, ModelAccess.alias(context))))
        .map(Reply.empty(204));
  }
}
