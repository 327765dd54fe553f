package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.health.Departures.Departed;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.TcpPorts;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.telemetry.Exposition;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.ShadowMeters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A live table as its readers see it. */
final class TableShape {
  private TableShape() {}

  /**
   * Gives the services as they were written, each with its layer, the state of its endpoints and
   * its traffic, one after the other: all at once they take several times the table.
   */
  static void services(
      LiveTable table, Meters meters, TcpPorts ports, Consumer<JsonNode> services) {
    List<JsonNode> written = new ArrayList<>();
    for (RouteLayer layer : RouteLayer.values()) {
      Json.parse(table.table().document(layer)).forEach(written::add);
    }
    Map<String, List<ShadowMeters.Copies>> copies = meters.shadows().all();
    Map<String, List<Departed>> departures =
        table.departures().all().stream().collect(Collectors.groupingBy(Departed::service));
    for (ServiceState state : table.states()) {
      String id = state.id();
      ObjectNode service = (ObjectNode) written.set(state.service().place(), null);
      service.put("layer", state.service().layer().word());
      ObjectNode live = service.putObject("state");
      live.put("host", id + ".service." + table.table().domain());
      Integer port = state.service().tcp();
      if (port != null) {
        live.set("tcp", tcp(ports, port));
      }
      live.put("inFlight", state.inFlight());
      live.put("held", state.held());
      ArrayNode endpoints = live.putArray("endpoints");
      state.endpoints().forEach(endpoint -> endpoints.add(endpoint(endpoint)));
      ArrayNode departed = live.putArray("departed");
      departures.getOrDefault(id, List.of()).forEach(one -> departed.add(departed(one)));
      ArrayNode answers = live.putArray("answers");
      meters.answersOf(id).forEach(some -> answers.add(answers(some)));
      ArrayNode mirrored = live.putArray("copies");
      copies.getOrDefault(id, List.of()).forEach(some -> mirrored.add(copies(some)));
      services.accept(service);
    }
  }

  /** The endpoints of services that have left the table, as long as requests are under way. */
  static List<JsonNode> departed(LiveTable table) {
    return table.departures().all().stream()
        .filter(one -> table.state(one.service()) == null)
        .<JsonNode>map(one -> departed(one).put("service", one.service()))
        .toList();
  }

  private static ObjectNode tcp(TcpPorts ports, int port) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("address", new EndpointAddress(ports.listen().host(), port).toString())
        .put("listening", ports.isOpen(port))
        .put("reason", ports.fault(port));
  }

  private static ObjectNode departed(Departed one) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("endpoint", one.endpoint().address().toString())
        .put("outstanding", one.outstanding());
  }

  private static ObjectNode answers(Meters.Answers some) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("version", some.version());
    numbers(json.putArray("codes"), some.codes());
    numbers(json.putArray("times"), some.times());
    return json;
  }

  private static ObjectNode copies(ShadowMeters.Copies some) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("version", some.version())
            .put("sent", some.sent())
            .put("dropped", some.dropped())
            .put("failed", some.failed())
            .put("divergences", some.divergences())
            .put("bodyDivergences", some.bodyDivergences());
    numbers(json.putArray("times"), some.times());
    return json;
  }

  private static void numbers(ArrayNode list, long[] numbers) {
    for (long number : numbers) {
      list.add(number);
    }
  }

  private static ObjectNode endpoint(EndpointState endpoint) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("address", endpoint.address().toString())
        .put("healthy", endpoint.available())
        .put("answersProbes", endpoint.answersProbes())
        .put("ejected", endpoint.ejected())
        .put("outstanding", endpoint.outstanding());
  }

  /** The same as numbers. */
  static void expose(LiveTable table, Exposition out) {
    out.metric("orrery_router_requests_in_flight", "gauge", "Requests under way, by who answers.");
    for (ServiceState state : table.states()) {
      out.sample("orrery_router_requests_in_flight", state.inFlight(), "version", state.id());
    }
    out.metric("orrery_router_requests_held", "gauge", "Requests that wait for an endpoint.");
    for (ServiceState state : table.states()) {
      if (state.service().hold() != null) {
        out.sample("orrery_router_requests_held", state.held(), "service", state.id());
      }
    }
    out.metric("orrery_router_endpoint_healthy", "gauge", "1 for endpoints that get requests.");
    endpoints(
        table,
        (service, endpoint, address) ->
            out.sample(
                "orrery_router_endpoint_healthy",
                endpoint.available() ? 1 : 0,
                "service",
                service,
                "endpoint",
                address));
    out.metric(
        "orrery_router_endpoint_outstanding", "gauge", "Requests that an endpoint works on.");
    endpoints(
        table,
        (service, endpoint, address) ->
            out.sample(
                "orrery_router_endpoint_outstanding",
                endpoint.outstanding(),
                "service",
                service,
                "endpoint",
                address));
    out.metric("orrery_router_ejections_total", "counter", "Endpoints left out for bad answers.");
    endpoints(
        table,
        (service, endpoint, address) ->
            out.sample(
                "orrery_router_ejections_total",
                endpoint.ejections(),
                "service",
                service,
                "endpoint",
                address));
  }

  private interface EachEndpoint {
    void see(String service, EndpointState endpoint, String address);
  }

  private static void endpoints(LiveTable table, EachEndpoint each) {
    for (ServiceState state : table.states()) {
      for (EndpointState endpoint : state.endpoints()) {
        each.see(state.id(), endpoint, endpoint.address().toString());
      }
    }
  }
}
