package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.OfStage;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ModelServiceName;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.model.ModelAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;

/** The API that serves a version of a model, {@code …/versions/<version>/deploy}. */
final class ModelServingApi implements Api {
  private static final int MAX_BYTES = 4 * Services.MOST_CHARACTERS;
  private static final String EXAMPLE =
      "{\"stage\": \"test\", \"service\": {\"command\": \"python3 serve.py\"}}";
  private static final String USUAL_TYPE = "serving";

  private final Bus bus;
  private final RequestBody bodies;
  private final ServiceApi services;
  private final ServiceShape shape;
  private final ModelAccess models;

  public ModelServingApi(Bus bus, RequestBody bodies, ServiceApi services, RouterAddress router) {
    this.bus = bus;
    this.bodies = bodies;
    this.services = services;
    this.shape = new ServiceShape(router);
    this.models = new ModelAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        ApiRouter.V1 + "/models/:model/versions/:version/deploy",
        RouteNeed.STUDIO,
        this::deploy,
        "project",
        "dryRun");
  }

  private Future<Reply> deploy(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            models
                .version(
                    context, ModelAccess.name(context), ModelAccess.versionName(context), Need.READ)
                .compose(version -> deploy(context, version, text.isBlank() ? "{}" : text)));
  }

  private Future<Reply> deploy(RoutingContext context, Version version, String text) {
    Fields fields = Fields.of(text, List.of("stage", "type", "service"), EXAMPLE);
    ServiceStage stage =
        Objects.requireNonNullElse(
            fields.word("stage", ServiceStage::of, ServiceStage.words()), ServiceStage.PRODUCTION);
    String written = fields.text("type", 100);
    ObjectNode document = fields.object("service", MAX_BYTES);
    fields.check();
    String type = written == null ? USUAL_TYPE : written;
    return fields.has("service")
        ? create(context, version, stage, type, document)
        : present(context, version, stage, type);
  }

  private Future<Reply> create(
      RoutingContext context,
      Version version,
      ServiceStage stage,
      String type,
      ObjectNode document) {
    if (!document.has("type")) {
      document.put("type", type);
    }
    document
        .putObject("model")
        .put("name", version.model().value())
        .put("version", version.version().value());
    document.put("stage", stage.word());
    String name =
        document.path("name").asText(computed(document.path("type").asText(type), version));
    if (!ServiceName.valid(name)) {
      throw new Problem.Refused(
              new Finding("/service/name", "'" + name + "' is no name: " + ServiceName.RULE))
          .toException();
    }
    return services
        .apply(context, new ServiceName(name), DocumentBody.of(document))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Refused(String detail, List<Finding> findings)
                ? Future.failedFuture(new Problem.Refused(detail, inBody(findings)).toException())
                : Future.failedFuture(failure));
  }

  /** Findings about the document with the pointers of the body. */
  private static List<Finding> inBody(List<Finding> findings) {
    return findings.stream()
        .map(finding -> new Finding("/service" + finding.pointer(), finding.message()))
        .toList();
  }

  private Future<Reply> present(
      RoutingContext context, Version version, ServiceStage stage, String type) {
    String name = computed(type, version);
    Future<Services.Service> found =
        ServiceName.valid(name)
            ? ServiceApi.allowed(bus, context, new ServiceName(name), Need.CHANGE)
            : Future.failedFuture(new Problem.NotFound("").toException());
    return found
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(
                    new Problem.NotFound(
                            "There is no service %s yet: say how it runs, such as %s."
                                .formatted(name, EXAMPLE))
                        .toException())
                : Future.failedFuture(failure))
        .compose(service ->
            Query.of(context).flag("dryRun")
                ? check(context, service)
                    .map(checked -> Reply.ok(shape.of(service).put("valid", true)))
                : bus.request(
                        Services.DEPLOY, new OfStage(Callers.actor(context), service.name(), stage))
                    .map(deployed -> Reply.ok(shape.of(deployed))));
  }

  /** Checks the document of a service as if it were put again. */
  private Future<Services.PutDone> check(RoutingContext context, Services.Service service) {
    return bus.request(
        Services.PUT,
        new Services.PutService(
            Callers.actor(context),
            service.name(),
            service.project(),
            service.document(),
            false,
            null,
            true,
            List.of()));
  }

  private static String computed(String type, Version version) {
    return ModelServiceName.of(type, version.model().value(), version.version().value());
  }
}
