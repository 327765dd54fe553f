package io.orrery.gateway.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.service.RouterAddress;
import java.time.Instant;

/**
 * The tickets of guarded services of the route table, {@code POST /routes/{service}/ticket}: an
 * address that lets its first visitor in, within {@link OriginPasses#TICKET}.
 */
final class RouteTicketApi implements Api {
  private final Bus bus;
  private final RouterAddress router;
  private final OriginPasses passes;
  private final Clock clock;

  public RouteTicketApi(Bus bus, RouterAddress router, OriginPasses passes, Clock clock) {
    this.bus = bus;
    this.router = router;
    this.passes = passes;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter api) {
    api.post(
        ApiRouter.V1 + "/routes/:service/ticket",
        RouteNeed.ADMIN,
        context -> {
          String id = context.pathParam("service");
          return bus.request(Routes.SHOW, new Routes.Show())
              .map(table -> Reply.ok(ticket(guarded(table, id))));
        });
  }

  private static JsonNode guarded(Routes.Table table, String id) {
    JsonNode service =
        table.services().stream()
            .filter(each -> id(each).equals(id))
            .findFirst()
            .orElseThrow(() ->
                new Problem.NotFound("There is no service '" + id + "' in the route table.")
                    .toException());
    if (!service.path("access").isObject()) {
      throw new Problem.Conflict(
              "The service %s needs no pass: it has no access: {audience, epoch}.".formatted(id))
          .toException();
    }
    return service;
  }

  private static String id(JsonNode service) {
    String stage = service.path("stage").asText(ServiceStage.PRODUCTION.word());
    return ServiceStage.of(stage).orElseThrow().prefix() + service.path("name").asText();
  }

  private ObjectNode ticket(JsonNode service) {
    Instant now = clock.now();
    JsonNode access = service.path("access");
    String ticket =
        passes.ticket(access.path("audience").asText(), access.path("epoch").asLong(), now);
    return Json.MAPPER
        .createObjectNode()
        .put(
            "url",
            router.guarded(service.path("state").path("host").asText()) + "?ticket=" + ticket)
        .put("expiresAt", now.plus(OriginPasses.TICKET).toString());
  }
}
