package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Domains.Action;
import io.orrery.core.bus.contract.Domains.Domain;
import io.orrery.core.bus.contract.Domains.Rollout;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.gateway.auth.Callers;
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
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The API of domains, {@code /api/v1/domains}: hosts that services share, and their rollouts. */
final class DomainApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/domains";
  static final String ONE = ALL + "/:host";
  private static final int MAX_BYTES = 64 << 10;

  private final Bus bus;
  private final RequestBody bodies;
  private final RouterAddress router;

  public DomainApi(Bus bus, RequestBody bodies, RouterAddress router) {
    this.bus = bus;
    this.bodies = bodies;
    this.router = router;
  }

  @Override
  public void mount(ApiRouter routes) {
    routes.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    routes.get(ONE, RouteNeed.STUDIO, this::show);
    routes.put(ONE, RouteNeed.STUDIO, this::put, "dryRun");
    for (Action action : Action.values()) {
      routes.post(
          ONE + "/rollout/" + action.name().toLowerCase(Locale.ROOT),
          RouteNeed.STUDIO,
          context -> steer(context, action),
          "dryRun");
    }
  }

  private Future<Reply> list(RoutingContext context) {
    ListFilter filter =
        new ListFilter(Query.of(context))
            .equal("project", "/project")
            .equal("owner", "/owner")
            .equal("status", "/rollout/state")
            .text("/host");
    return bus.request(Domains.LIST, new Domains.ListDomains(Callers.visible(context)))
        .map(domains ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    filter.of(Pages.of(domains.items(), this::shape, null)),
                    "/host")));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ).map(domain -> answer(context, domain));
  }

  private Future<Reply> put(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          ObjectNode body = body(text);
          List<Finding> findings = new ArrayList<>();
          List<ServiceShare> backends = backends(body, "backends", findings);
          List<ServiceShare> shadows = backends(body, "shadows", findings);
          if (backends == null) {
            findings.add(
                new Finding(
                    "/backends", "backends is a list such as [{service: a, percent: 100}]"));
          }
          return allowed(context, Need.OPERATE)
              .compose(domain -> {
                if (backends == null || !findings.isEmpty()) {
                  throw Problem.Refused.of(findings).toException();
                }
                return bus.request(
                    Domains.PUT,
                    new Domains.PutDomain(
                        Callers.actor(context),
                        domain.host(),
                        backends,
                        shadows,
                        Revisions.expected(context),
                        dryRun));
              });
        })
        .map(domain ->
            dryRun ? Reply.ok(shape(domain).put("valid", true)) : answer(context, domain));
  }

  private Future<Reply> steer(RoutingContext context, Action action) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(domain ->
            dryRun
                ? Future.succeededFuture(domain)
                : bus.request(
                    Domains.STEER,
                    new Domains.Steer(Callers.actor(context), domain.host(), action)))
        .map(domain -> answer(context, domain));
  }

  /** The domain of the path, upon which the caller may do something. */
  private Future<Domain> allowed(RoutingContext context, Need need) {
    return allowed(bus, context, need);
  }

  /** The same for other routes of a domain. */
  static Future<Domain> allowed(Bus bus, RoutingContext context, Need need) {
    String host = context.pathParam("host").toLowerCase(Locale.ROOT);
    return bus.request(Domains.GET, new Domains.GetDomain(host))
        .map(domain -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(domain.project(), domain.owner()),
              "domain " + host);
          return domain;
        });
  }

  // ---- JSON ----------------------------------------------------------------------------------

  private static ObjectNode body(String text) {
    if (Document.read(text).root() instanceof ObjectNode body) {
      return body;
    }
    throw new Problem.Refused(
            new Finding(
                "", "the body is an object such as {backends: [{service: a, percent: 100}]}"))
        .toException();
  }

  /** The shares of a key; null when it is absent. */
  private static @Nullable List<ServiceShare> backends(
      ObjectNode body, String key, List<Finding> findings) {
    JsonNode value = body.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    List<ServiceShare> backends = new ArrayList<>();
    if (!value.isArray() || value.size() > Domains.MOST_BACKENDS) {
      findings.add(new Finding("/" + key, key + " is a list of at most " + Domains.MOST_BACKENDS));
      return backends;
    }
    for (int i = 0; i < value.size(); i++) {
      JsonNode item = value.get(i);
      String name = item.path("service").asText("");
      JsonNode percent = item.path("percent");
      String place = "/" + key + "/" + i;
      if (!ServiceName.valid(name)) {
        findings.add(new Finding(place + "/service", "'" + name + "' is no name of a service"));
      } else if (!percent.isIntegralNumber() || percent.asLong() < 0 || percent.asLong() > 100) {
        findings.add(new Finding(place + "/percent", "percent is a whole number from 0 to 100"));
      } else {
        backends.add(new ServiceShare(new ServiceName(name), percent.intValue()));
      }
    }
    return backends;
  }

  private Reply answer(RoutingContext context, Domain domain) {
    Revisions.tag(context, domain.revision());
    return Reply.ok(shape(domain));
  }

  private ObjectNode shape(Domain domain) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("host", domain.host())
            .put("project", domain.project().value())
            .put("owner", domain.owner())
            .put("url", router.url(domain.host()));
    shares(shape.putArray("backends"), domain.backends());
    shares(shape.putArray("shadows"), domain.shadows());
    ArrayNode members = shape.putArray("members");
    domain.members().forEach(member -> members.add(member.value()));
    shape.set("rollout", of(domain.rollout()));
    return shape.put("changedAt", Wire.time(domain.changedAt())).put("revision", domain.revision());
  }

  private static void shares(ArrayNode array, List<ServiceShare> backends) {
    backends.forEach(backend ->
        array
            .addObject()
            .put("service", backend.service().value())
            .put("percent", backend.percent()));
  }

  static ObjectNode of(Rollout rollout) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("state", rollout.state().name())
            .put("step", rollout.step())
            .put("steps", rollout.steps())
            .put("candidate", rollout.candidate() == null ? null : rollout.candidate().value())
            .put("reason", rollout.reason())
            .put("since", Wire.time(rollout.since()));
    ArrayNode percents = shape.putArray("percents");
    rollout.percents().forEach(percents::add);
    ArrayNode gates = shape.putArray("gates");
    rollout.gates().forEach(gates::add);
    ArrayNode times = shape.putArray("times");
    rollout
        .times()
        .forEach(
            time -> times.addObject().put("step", time.step()).put("at", Wire.time(time.at())));
    Instant ended = rollout.ended();
    return shape.put("endedAt", ended == null ? null : Wire.time(ended));
  }
}
