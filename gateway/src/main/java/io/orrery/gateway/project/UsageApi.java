package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.json.Json;
import io.orrery.core.quota.QuotaResource;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.math.BigDecimal;
import java.util.Map;

/** The API of what a project uses of its quota: by member and by object. */
final class UsageApi implements Api {
  private final Bus bus;

  public UsageApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ProjectApi.ONE + "/usage", RouteNeed.STUDIO, this::show);
  }

  private Future<Reply> show(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    return bus.request(Quotas.USAGE, new Quotas.AskUsage(project))
        .map(usage -> Reply.ok(shape(project, usage)));
  }

  private static ObjectNode shape(ProjectName project, Quotas.Usage usage) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("project", project.value());
    ObjectNode limits = amounts(usage.limits().project());
    limits.set("member", amounts(usage.limits().member()));
    shape.set("limits", limits);
    shape.set("used", amounts(usage.used().of()));
    ArrayNode members = shape.putArray("members");
    usage
        .members()
        .forEach(each ->
            members.addObject().put("user", each.user()).set("used", amounts(each.used().of())));
    ArrayNode objects = shape.putArray("objects");
    usage
        .objects()
        .forEach(each -> {
          ObjectNode object =
              objects
                  .addObject()
                  .put("kind", each.kind())
                  .put("name", each.name())
                  .put("user", each.user())
                  .put("since", Wire.time(each.since()));
          object.set("used", amounts(each.used().of()));
        });
    return shape;
  }

  /** Cores as a number, memory and storage in bytes. */
  private static ObjectNode amounts(Map<QuotaResource, Long> amounts) {
    ObjectNode node = Json.MAPPER.createObjectNode();
    amounts.forEach((resource, amount) -> {
      if (resource == QuotaResource.CPU) {
        node.put(resource.word(), new BigDecimal(resource.number(amount)));
      } else {
        node.put(resource.word(), amount);
      }
    });
    return node;
  }
}
