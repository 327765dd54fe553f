package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
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
import org.jspecify.annotations.Nullable;

/** The API of templates, {@code /api/v1/templates}. */
final class TemplateApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/templates";
  private static final String ONE = ALL + "/:template";
  private static final int MAX_BYTES = 4 * Templates.MOST_CHARACTERS;
  private static final List<String> ADDED =
      List.of("owner", "createdAt", "changedAt", "revision", "builtIn");

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;

  public TemplateApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.post(ONE + "/check", RouteNeed.STUDIO, this::check);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    Caller caller = Callers.of(context);
    return bus.request(
            Templates.LIST,
            new Templates.ListTemplates(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                caller.role() == UserRole.ADMIN ? null : caller.name(),
                query.text("owner"),
                query.text("q"),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), TemplateApi::shape, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ)
        .map(template -> {
          Revisions.tag(context, template.revision());
          return Reply.ok(shape(template));
        });
  }

  private Future<Reply> put(RoutingContext context) {
    PipelineName name = PathName.of(context, "template");
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody body = DocumentBody.read(text, "template", ADDED);
          return Absent.of(
                  bus.request(Templates.GET, new Templates.GetTemplate(name))
                      .map(found ->
                          require(context, found, found.builtIn() ? Need.READ : Need.CHANGE)))
              .compose(found -> {
                boolean creates = found.isEmpty();
                Future<ResourceOwner> owned =
                    creates
                        ? projects.forCreation(context, body.project(context))
                        : Future.succeededFuture(ResourceOwner.PUBLIC);
                return owned.compose(owner ->
                    body.placed(
                        bus.request(
                            Templates.PUT,
                            new Templates.PutTemplate(
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
      RoutingContext context, PipelineName name, Templates.PutDone done, boolean dryRun) {
    Template template = done.template();
    if (template != null && !dryRun) {
      Revisions.tag(context, template.revision());
    }
    return DocumentReply.of(
        ALL + "/" + name,
        template == null ? null : shape(template),
        done.outcome(),
        done.notices(),
        dryRun);
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(template ->
            bus.request(
                Templates.DELETE,
                new Templates.OfTemplate(Callers.actor(context), template.name())))
        .map(Reply.empty(204));
  }

  private Future<Reply> check(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(context, Need.READ)
                .compose(template -> {
                  Fields fields =
                      Fields.of(text, List.of("arguments"), "{\"arguments\": {\"--depth\": 4}}");
                  ObjectNode arguments = fields.object("arguments", Templates.MOST_CHARACTERS);
                  fields.check();
                  return bus.request(
                      Templates.CHECK,
                      new Templates.CheckArguments(template.name(), Json.write(arguments)));
                }))
        .map(checked -> {
          ObjectNode body = Json.MAPPER.createObjectNode().put("valid", true);
          ArrayNode words = body.putArray("command");
          checked.command().forEach(words::add);
          return Reply.ok(body);
        });
  }

  private Future<Template> allowed(RoutingContext context, Need need) {
    PipelineName name = PathName.of(context, "template");
    return bus.request(Templates.GET, new Templates.GetTemplate(name))
        .map(template -> require(context, template, need));
  }

  /** One that is not released is its owner's and the administrators' alone. */
  private static Template require(RoutingContext context, @Nullable Template template, Need need) {
    Template known = Objects.requireNonNull(template);
    Caller caller = Callers.of(context);
    if (!known.released()
        && caller.role() != UserRole.ADMIN
        && !known.owner().equals(caller.name())) {
      throw new Problem.NotFound("There is no template " + known.name() + ".").toException();
    }
    Callers.require(
        caller,
        need,
        new ResourceOwner(known.project(), known.owner()),
        "template " + known.name());
    return known;
  }

  private static ObjectNode shape(Template template) {
    ObjectNode shape = (ObjectNode) Json.parse(template.document());
    return shape
        .put("kind", "Template")
        .put("name", template.name().value())
        .put("project", template.project().value())
        .put("owner", template.owner())
        .put("version", template.released() ? "Release" : "Alpha")
        .put("builtIn", template.builtIn())
        .put("createdAt", Wire.time(template.createdAt()))
        .put("changedAt", Wire.time(template.changedAt()))
        .put("revision", template.revision());
  }
}
