package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ModelServiceName;
import io.orrery.core.service.ServiceName;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ListFilter;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API of services, {@code /api/v1/services}. {@link StageApi} deploys them, {@link
 * ServiceLogApi} tells what they did.
 */
final class ServiceApi implements Api {
  static final String ALL = ApiRouter.V1 + "/services";
  static final String ONE = ALL + "/:service";
  private static final int MAX_BYTES = 4 * Services.MOST_CHARACTERS;
  private static final int MOST_TOGETHER = 1_000;

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;
  private final ServiceShape shape;

  public ServiceApi(Bus bus, RequestBody bodies, RouterAddress router) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
    this.shape = new ServiceShape(router);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    router.post(ALL, RouteNeed.STUDIO, this::create, "project", "dryRun");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun", "together");
    router.patch(ONE, RouteNeed.STUDIO, this::patch, "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/revisions", RouteNeed.STUDIO, this::revisions, "cursor", "limit");
    router.post(ONE + "/rollback", RouteNeed.STUDIO, this::rollback, "dryRun");
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    List<ProjectName> among =
        ProjectAccess.among(context, query.read("project", ProjectAccess::named));
    return new ListFilter(query)
        .oneOf("status", "/state/status", ServiceShape.STATUSES)
        .of((cursor, limit) ->
            bus.request(
                    Services.LIST,
                    new Services.ListServices(
                        among, query.text("owner"), query.text("q"), cursor, limit))
                .map(page -> Pages.of(page.items(), shape::of, page.next())))
        .map(Reply::ok);
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(bus, context, Need.READ).map(service -> answer(context, service));
  }

  private Reply answer(RoutingContext context, Service service) {
    Revisions.tag(context, service.revision());
    return Reply.ok(shape.of(service));
  }

  private Future<Reply> revisions(RoutingContext context) {
    return allowed(bus, context, Need.READ)
        .compose(
            service -> bus.request(Services.REVISIONS, new Services.RevisionsOf(service.name())))
        .map(revisions ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(revisions.items(), ServiceApi::shape, null),
                    "/revision")));
  }

  private static ObjectNode shape(Services.Revision revision) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("revision", revision.revision())
            .put("at", Wire.time(revision.at()))
            .put("by", revision.by());
    shape.set("document", Json.parse(revision.document()));
    return shape;
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Reply> create(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody document = document(text);
          String name = name(document.json());
          if (!ServiceName.valid(name)) {
            throw new Problem.Refused(
                    new Finding("/name", "'" + name + "' is no name: " + ServiceName.RULE))
                .toException();
          }
          return put(context, new ServiceName(name), document, true);
        });
  }

  /** Creates a service or changes one. */
  private Future<Reply> put(RoutingContext context) {
    ServiceName name = name(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> apply(context, name, document(text), together(context)));
  }

  /** Creates the service of a document, or changes it, as far as the caller may. */
  Future<Reply> apply(RoutingContext context, ServiceName name, DocumentBody document) {
    return apply(context, name, document, List.of());
  }

  private Future<Reply> apply(
      RoutingContext context, ServiceName name, DocumentBody document, List<ServiceName> together) {
    return Absent.of(
            bus.request(Services.GET, new Services.GetService(name))
                .map(found -> require(context, found, Need.CHANGE)))
        .compose(found -> put(context, name, document, found.isEmpty(), together, null));
  }

  /** Changes keys of the document: a JSON merge patch (RFC 7396). */
  private Future<Reply> patch(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(bus, context, Need.CHANGE)
                .compose(service -> {
                  ObjectNode document = (ObjectNode) Json.parse(service.document());
                  merge(document, document(text).json());
                  return put(context, service.name(), DocumentBody.of(document), false);
                }));
  }

  private static void merge(ObjectNode target, ObjectNode patch) {
    patch
        .properties()
        .forEach(entry -> {
          JsonNode value = entry.getValue();
          if (value.isNull()) {
            target.remove(entry.getKey());
          } else if (value instanceof ObjectNode inner
              && target.get(entry.getKey()) instanceof ObjectNode present) {
            merge(present, inner);
          } else {
            target.set(entry.getKey(), value);
          }
        });
  }

  private Future<Reply> put(
      RoutingContext context, ServiceName name, DocumentBody document, boolean creates) {
    return put(context, name, document, creates, List.of(), null);
  }

  private Future<Reply> put(
      RoutingContext context,
      ServiceName name,
      DocumentBody document,
      boolean creates,
      List<ServiceName> together,
      @Nullable Long again) {
    boolean dryRun = Query.of(context).flag("dryRun");
    Future<ResourceOwner> owned =
        creates
            ? projects.forCreation(context, document.project(context))
            : Future.succeededFuture(ResourceOwner.PUBLIC);
    Future<Services.PutDone> done =
        owned.compose(owner ->
            bus.request(
                Services.PUT,
                new Services.PutService(
                    Callers.actor(context),
                    name,
                    owner.project(),
                    Json.write(document.json()),
                    creates,
                    Revisions.expected(context),
                    dryRun,
                    dryRun ? together : List.of(),
                    again)));
    return document.placed(done).map(put -> answer(context, name, put, dryRun));
  }

  /** The services that are made by the same command as the one that is checked. */
  private static List<ServiceName> together(RoutingContext context) {
    String text = Query.of(context).text("together");
    return text == null
        ? List.of()
        : Stream.of(text.split(","))
            .filter(ServiceName::valid)
            .limit(MOST_TOGETHER)
            .map(ServiceName::new)
            .toList();
  }

  private Reply answer(
      RoutingContext context, ServiceName name, Services.PutDone done, boolean dryRun) {
    Service service = done.service();
    if (service != null && !dryRun) {
      Revisions.tag(context, service.revision());
    }
    return DocumentReply.of(
        ALL + "/" + name,
        service == null ? null : shape.of(service),
        done.outcome(),
        done.notices(),
        dryRun);
  }

  /** Makes a document of before the present one, with the image that it had from a build. */
  private Future<Reply> rollback(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(bus, context, Need.CHANGE)
                .compose(service -> {
                  long wanted = revision(text, service);
                  return bus.request(Services.REVISIONS, new Services.RevisionsOf(service.name()))
                      .compose(revisions -> {
                        String document =
                            revisions.items().stream()
                                .filter(revision -> revision.revision() == wanted)
                                .findFirst()
                                .orElseThrow(() ->
                                    new Problem.NotFound(
                                            "Service %s has no revision %d any more."
                                                .formatted(service.name(), wanted))
                                        .toException())
                                .document();
                        return put(
                            context,
                            service.name(),
                            DocumentBody.of((ObjectNode) Json.parse(document)),
                            false,
                            List.of(),
                            wanted);
                      });
                }));
  }

  private static long revision(String text, Service service) {
    JsonNode body = text.isBlank() ? Json.MAPPER.createObjectNode() : Json.parse(text);
    JsonNode wanted = body.path("revision");
    if (wanted.isMissingNode() || wanted.isNull()) {
      return service.revision() - 1;
    }
    if (!wanted.canConvertToLong() || !wanted.isIntegralNumber()) {
      throw new Problem.Refused(
              new Finding("/revision", "revision is the number of a revision such as 3"))
          .toException();
    }
    return wanted.longValue();
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(bus, context, Need.CHANGE)
        .compose(service ->
            bus.request(
                Services.DELETE, new Services.OfService(Callers.actor(context), service.name())))
        .map(Reply.empty(204));
  }

  // ---- helpers -------------------------------------------------------------------------------

  private static DocumentBody document(String text) {
    return DocumentBody.read(text, "service", ServiceShape.ADDED);
  }

  /** The name of a new service, which may follow from its model. */
  private static String name(ObjectNode document) {
    String written = document.path("name").asText("");
    JsonNode model = document.path("model");
    return written.isEmpty() && model.isObject()
        ? ModelServiceName.of(document.path("type").asText("internal"), model)
        : written;
  }

  /** The name in the path; what can be no name exists not. */
  static ServiceName name(RoutingContext context) {
    String text = context.pathParam("service");
    if (!ServiceName.valid(text)) {
      throw new Problem.NotFound("There is no service '" + text + "'.").toException();
    }
    return new ServiceName(text);
  }

  /** The service of the path, upon which the caller may do something. */
  static Future<Service> allowed(Bus bus, RoutingContext context, Need need) {
    return allowed(bus, context, name(context), need);
  }

  /** The service of a name, upon which the caller may do something. */
  static Future<Service> allowed(Bus bus, RoutingContext context, ServiceName name, Need need) {
    return bus.request(Services.GET, new Services.GetService(name))
        .map(service -> require(context, service, need));
  }

  private static Service require(RoutingContext context, @Nullable Service service, Need need) {
    Service known = Objects.requireNonNull(service);
    Callers.require(
        Callers.of(context),
        need,
        new ResourceOwner(known.project(), known.owner()),
        "service " + known.name());
    return known;
  }
}
