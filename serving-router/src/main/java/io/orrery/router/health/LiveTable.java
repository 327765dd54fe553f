package io.orrery.router.health;

import io.netty.handler.ssl.SslContext;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.EndpointTls;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.Retries;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A route table with the state of its services. A new table takes over the state of every endpoint
 * that it keeps; requests that began on the old one end on it.
 */
public final class LiveTable {
  private final long generation;
  private final RouteTable table;
  private final List<ServiceState> states;
  private final Map<EndpointKey, EndpointState> endpoints;
  private final int loops;

  /** The endpoints whose state changes with time; kept from one table to the next. */
  private final Set<EndpointState> unsettled;

  private final Departures departures;

  /** The services whose requests may wait for an endpoint. */
  private final List<ServiceState> holding;

  private LiveTable(
      long generation,
      RouteTable table,
      List<ServiceState> states,
      Map<EndpointKey, EndpointState> endpoints,
      int loops,
      Set<EndpointState> unsettled,
      Departures departures) {
    this.departures = departures;
    this.generation = generation;
    this.loops = loops;
    this.table = table;
    this.states = states;
    this.endpoints = endpoints;
    this.unsettled = unsettled;
    this.holding = states.stream().filter(state -> state.holds() != null).toList();
  }

  /**
   * The first table.
   *
   * @param loops how many route by it
   */
  public static LiveTable of(RouteTable table, int loops) {
    return after(
        0, table, Map.of(), Map.of(), loops, ConcurrentHashMap.newKeySet(), new Departures());
  }

  /** The next table. */
  public LiveTable next(RouteTable newTable) {
    Map<String, ServiceState> before = new HashMap<>();
    states.forEach(state -> before.put(state.id(), state));
    LiveTable next =
        after(generation + 1, newTable, endpoints, before, loops, unsettled, departures);
    endpoints.forEach((key, state) -> {
      if (!next.endpoints.containsKey(key)) {
        departures.leave(key, state, next.generation);
      }
    });
    Set<String> kept = next.ids();
    before.forEach((id, state) -> {
      if (!kept.contains(id)) {
        departures.leave(id, state.flights());
      }
    });
    return next;
  }

  private static LiveTable after(
      long generation,
      RouteTable table,
      Map<EndpointKey, EndpointState> known,
      Map<String, ServiceState> before,
      int loops,
      Set<EndpointState> unsettled,
      Departures departures) {
    Map<EndpointKey, EndpointState> all = new HashMap<>();
    List<ServiceState> states = new ArrayList<>();
    for (Service service : table.services()) {
      List<EndpointState> own = new ArrayList<>();
      for (EndpointAddress address : service.endpoints()) {
        EndpointKey key = new EndpointKey(service.id(), address, service.protocol(), service.tls());
        EndpointState state = known.get(key);
        if (state == null) {
          state = departures.comeBack(key);
        }
        if (state == null) {
          EndpointTls tls = service.tls();
          SslContext context = tls == null ? null : EndpointConnect.context(tls);
          state = new EndpointState(address, service.protocol(), tls, context, loops, unsettled);
        }
        own.add(state);
        all.put(key, own.getLast());
      }
      ServiceState old = before.get(service.id());
      Tally inFlight = old == null ? departures.comeBack(service.id()) : old.flights();
      states.add(
          new ServiceState(
              service,
              table.split(service),
              own,
              inFlight == null ? new Tally(loops) : inFlight,
              holds(service, old, loops),
              outage(service, old),
              isPlain(table, service)));
    }
    return new LiveTable(generation, table, List.copyOf(states), all, loops, unsettled, departures);
  }

  private static @Nullable Tally holds(Service service, @Nullable ServiceState old, int loops) {
    if (service.hold() == null) {
      return null;
    }
    Tally before = old == null ? null : old.holds();
    return before == null ? new Tally(loops) : before;
  }

  private static @Nullable Outage outage(Service service, @Nullable ServiceState old) {
    Retries retries = service.retries();
    if (!retries.waits()) {
      return null;
    }
    Outage before = old == null ? null : old.outage();
    return before != null && before.lasts(retries.time()) ? before : new Outage(retries.time());
  }

  /**
   * Whether all that may answer its requests, and all that get copies, speak HTTP/1.1, with TLS or
   * without, and none that answers hedges.
   */
  private static boolean isPlain(RouteTable table, Service service) {
    return IntStream.concat(
                table.split(service).targets(),
                Arrays.stream(table.mirrors(service)).filter(place -> place != RouteTable.ABSENT))
            .mapToObj(place -> table.services().get(place))
            .noneMatch(each -> each.protocol() == Service.Protocol.H2C)
        && table
            .split(service)
            .targets()
            .mapToObj(place -> table.services().get(place))
            .allMatch(each -> each.hedge() == null);
  }

  /** The number of the table, by which it is recognised without a reference to it. */
  public long generation() {
    return generation;
  }

  public RouteTable table() {
    return table;
  }

  /** The ids of the services that requests wait for now. */
  public List<String> held() {
    return holding.stream().filter(state -> state.held() > 0).map(ServiceState::id).toList();
  }

  /** All services, each at its place. */
  public List<ServiceState> states() {
    return states;
  }

  /** The service that a request is for; see {@link RouteTable#find}. */
  public @Nullable ServiceState find(String authority, RequestFacts request) {
    return state(table.find(authority, request));
  }

  /** The service that every request for a host is for; see {@link RouteTable#sole}. */
  public @Nullable ServiceState sole(String authority) {
    return state(table.sole(authority));
  }

  private @Nullable ServiceState state(@Nullable Service service) {
    return service == null ? null : states.get(service.place());
  }

  /** The service of an id; null when there is none. */
  public @Nullable ServiceState state(String id) {
    return state(table.service(id));
  }

  /** The endpoints that have left this table or one before it. */
  public Departures departures() {
    return departures;
  }

  /** Notes that every event loop has routed by this table. */
  public void settle() {
    departures.settle(generation);
  }

  /** Every endpoint of this table. */
  public Set<EndpointState> endpoints() {
    return new HashSet<>(endpoints.values());
  }

  /** The ids of all services. */
  public Set<String> ids() {
    Set<String> ids = new HashSet<>();
    states.forEach(state -> ids.add(state.id()));
    return ids;
  }

  /** Moves the state of endpoints on to a time. */
  public void tick(long now) {
    unsettled.forEach(endpoint -> endpoint.tick(now));
    departures.forget();
  }
}
