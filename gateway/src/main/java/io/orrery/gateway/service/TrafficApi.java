package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteReports;
import io.orrery.core.bus.contract.RouteReports.BodyDifference;
import io.orrery.core.bus.contract.RouteReports.Curve;
import io.orrery.core.bus.contract.RouteReports.ShadowDifference;
import io.orrery.core.bus.contract.RouteReports.ShadowReport;
import io.orrery.core.json.Json;
import io.orrery.core.route.DomainRouteName;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API of what the router has seen of the requests of services and domains: curves of the last
 * hour, and the differences of shadows.
 */
final class TrafficApi implements Api {
  private final Bus bus;

  public TrafficApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ServiceApi.ONE + "/shadows", RouteNeed.STUDIO, this::ofService, "cursor", "limit");
    router.get(ServiceApi.ONE + "/traffic", RouteNeed.STUDIO, this::curvesOfService);
    router.get(DomainApi.ONE + "/shadows", RouteNeed.STUDIO, this::ofDomain, "cursor", "limit");
    router.get(DomainApi.ONE + "/traffic", RouteNeed.STUDIO, this::curvesOfDomain);
  }

  private Future<Reply> ofService(RoutingContext context) {
    return ServiceApi.allowed(bus, context, Need.READ)
        .compose(service -> shadows(context, service.name().value()));
  }

  private Future<Reply> ofDomain(RoutingContext context) {
    return DomainApi.allowed(bus, context, Need.READ)
        .compose(domain -> shadows(context, DomainRouteName.of(domain.host())));
  }

  private Future<Reply> curvesOfService(RoutingContext context) {
    return ServiceApi.allowed(bus, context, Need.READ)
        .compose(service -> curves(service.name().value()));
  }

  private Future<Reply> curvesOfDomain(RoutingContext context) {
    return DomainApi.allowed(bus, context, Need.READ)
        .compose(domain -> curves(DomainRouteName.of(domain.host())));
  }

  private Future<Reply> shadows(RoutingContext context, String id) {
    return bus.request(RouteReports.SHADOWS, new RouteReports.AskShadows(List.of(id)))
        .map(shadows ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(shadows.items(), TrafficApi::shape, null),
                    "/shadow")));
  }

  private Future<Reply> curves(String id) {
    return bus.request(RouteReports.CURVES, new RouteReports.AskCurves(id))
        .map(curves -> {
          ObjectNode shape =
              Json.MAPPER.createObjectNode().put("stepSeconds", curves.stepSeconds());
          ArrayNode items = shape.putArray("items");
          curves.items().forEach(curve -> items.add(shape(curve)));
          return Reply.ok(shape);
        });
  }

  private static ObjectNode shape(Curve curve) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("service", curve.version());
    ArrayNode points = shape.putArray("points");
    curve
        .points()
        .forEach(point ->
            points
                .addObject()
                .put("at", Wire.time(Instant.ofEpochMilli(point.at())))
                .put("requests", point.requests())
                .put("errors", point.errors())
                .put("p50", point.p50Millis())
                .put("p99", point.p99Millis()));
    return shape;
  }

  private static ObjectNode shape(ShadowReport report) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("shadow", report.shadow())
            .put("sent", report.sent())
            .put("dropped", report.dropped())
            .put("failed", report.failed())
            .put("otherStatus", report.otherStatus())
            .put("otherBody", report.otherBody())
            .put("p50", report.p50Millis())
            .put("p99", report.p99Millis())
            .put("shadowP50", report.shadowP50Millis())
            .put("shadowP99", report.shadowP99Millis());
    ArrayNode differences = shape.putArray("differences");
    report.differences().forEach(one -> differences.add(shape(one)));
    return shape;
  }

  private static ObjectNode shape(ShadowDifference one) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("kind", one.kind())
            .put("at", Wire.time(one.at()))
            .put("request", one.request())
            .put("status", one.status())
            .put("shadowStatus", one.shadowStatus())
            .put("millis", one.micros() / 1e3)
            .put("shadowMillis", one.shadowMicros() / 1e3)
            .put("bytes", one.bytes())
            .put("shadowBytes", one.shadowBytes());
    shape.set("body", shape(one.body()));
    return shape;
  }

  private static @Nullable ObjectNode shape(@Nullable BodyDifference body) {
    if (body == null) {
      return null;
    }
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("at", body.at())
            .put("text", body.text())
            .put("shadowText", body.shadowText());
    ArrayNode places = shape.putArray("places");
    body.places()
        .forEach(place ->
            places
                .addObject()
                .put("pointer", place.pointer())
                .put("value", place.value())
                .put("shadowValue", place.shadowValue()));
    return shape;
  }
}
