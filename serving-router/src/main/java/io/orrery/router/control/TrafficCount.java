package io.orrery.router.control;

import io.orrery.core.bus.contract.Routes.AskTraffic;
import io.orrery.core.bus.contract.Routes.Count;
import io.orrery.core.bus.contract.Routes.Counted;
import io.orrery.core.bus.contract.Routes.EndpointTraffic;
import io.orrery.core.bus.contract.Routes.ServiceTraffic;
import io.orrery.core.bus.contract.Routes.VersionAnswers;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.health.Departures.Departed;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.telemetry.Meters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Counts the requests under way of endpoints and services, for {@code Routes.TRAFFIC}. */
final class TrafficCount {
  private TrafficCount() {}

  /** The counts of a router. */
  static Counted of(Count count, TableInbox inbox) {
    // Before the requests: none that is counted later can be of an older table.
    long studio = inbox.settled().table().revision(RouteLayer.STUDIO);
    LiveTable table = inbox.current();
    AskTraffic asked = count.asked();
    Map<EndpointAddress, Integer> outstanding = new HashMap<>();
    asked.endpoints().forEach(endpoint -> outstanding.put(address(endpoint), 0));
    for (EndpointState endpoint : table.endpoints()) {
      outstanding.computeIfPresent(endpoint.address(), (address, sum) -> sum + endpoint.requests());
    }
    for (Departed departed : table.departures().all()) {
      outstanding.computeIfPresent(
          departed.endpoint().address(), (address, sum) -> sum + departed.outstanding());
    }
    return new Counted(
        count.id(),
        studio,
        asked.endpoints().stream()
            .map(endpoint ->
                new EndpointTraffic(endpoint, outstanding.getOrDefault(address(endpoint), 0)))
            .toList(),
        asked.services().stream()
            .map(id -> service(id, table, inbox.meters(), asked.versions()))
            .toList());
  }

  /** The counts of a server that runs no router. */
  static Counted none(Count count) {
    return new Counted(
        count.id(),
        Counted.NO_ROUTER,
        count.asked().endpoints().stream()
            .map(endpoint -> new EndpointTraffic(endpoint, 0))
            .toList(),
        count.asked().services().stream().map(ServiceTraffic::none).toList());
  }

  private static ServiceTraffic service(
      String id, LiveTable table, Meters meters, boolean versions) {
    ServiceState state = table.state(id);
    return state == null
        ? ServiceTraffic.none(id)
        : new ServiceTraffic(
            id,
            state.inFlight(),
            state.held(),
            meters.answeredBy(id),
            versions
                ? meters.answersOf(id).stream().map(TrafficCount::answers).toList()
                : List.of());
  }

  private static VersionAnswers answers(Meters.Answers answers) {
    return new VersionAnswers(
        answers.version(),
        LongStream.of(answers.codes()).boxed().toList(),
        LongStream.of(answers.times()).boxed().toList());
  }

  /** The address of a text; for one that is none, an address that no endpoint has. */
  private static EndpointAddress address(String text) {
    try {
      return EndpointAddress.parse(text);
    } catch (IllegalArgumentException notOne) {
      return new EndpointAddress(text, 0);
    }
  }
}
