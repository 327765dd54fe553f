package io.orrery.router.health;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that have left the table and have, or may still get, requests of an earlier one.
 * The process behind one that is not among them may end without losing a request.
 *
 * <p>A request chooses its endpoint and is counted there in one turn of its event loop. So a table
 * is settled when each event loop has had a turn since it came in force, and an endpoint that left
 * with it and has no request then gets none any more. There is one exception: a request whose body
 * was still coming in when its whole service left goes to an endpoint that the service had. Until
 * there is no such request, all of these endpoints stay.
 */
public final class Departures {
  private final Map<EndpointKey, Departure> endpoints = new HashMap<>();

  /** The requests of services that have left, by id. */
  private final Map<String, Tally> services = new HashMap<>();

  private long settled;

  Departures() {}

  private record Departure(EndpointState state, long generation) {}

  /**
   * An endpoint that has left.
   *
   * @param service id of the service that it belonged to
   * @param outstanding requests, upgraded connections and streams that are, or may come, under way
   */
  public record Departed(String service, EndpointState endpoint, int outstanding) {}

  /** The state of an endpoint that comes back; null when it has none. */
  synchronized @Nullable EndpointState comeBack(EndpointKey key) {
    Departure departure = endpoints.remove(key);
    return departure == null ? null : departure.state();
  }

  /** The requests of a service that comes back; null when it has none. */
  synchronized @Nullable Tally comeBack(String service) {
    return services.remove(service);
  }

  /**
   * Adds an endpoint that is in the table no more.
   *
   * @param generation of the first table without it
   */
  synchronized void leave(EndpointKey key, EndpointState state, long generation) {
    endpoints.put(key, new Departure(state, generation));
  }

  /** Adds a service that is in the table no more. */
  synchronized void leave(String service, Tally requests) {
    services.put(service, requests);
  }

  /** Every event loop has had a turn since a table came in force. */
  synchronized void settle(long generation) {
    settled = Math.max(settled, generation);
  }

  /** Forgets endpoints that are done with; called every so often. */
  synchronized void forget() {
    if (!endpoints.isEmpty() || !services.isEmpty()) {
      // A request may have entered a service with its last table, and not be counted yet.
      Set<String> awaited =
          endpoints.entrySet().stream()
              .filter(entry -> entry.getValue().generation() > settled)
              .map(entry -> entry.getKey().service())
              .collect(Collectors.toSet());
      services
          .entrySet()
          .removeIf(
              service -> service.getValue().sum() == 0 && !awaited.contains(service.getKey()));
      endpoints.entrySet().removeIf(entry -> isDone(entry.getKey(), entry.getValue()));
    }
  }

  private boolean isDone(EndpointKey key, Departure departure) {
    return departure.generation() <= settled
        && departure.state().requests() == 0
        && !services.containsKey(key.service());
  }

  /** All endpoints that have left and are not done with. */
  public synchronized List<Departed> all() {
    if (endpoints.isEmpty()) {
      return List.of();
    }
    Map<String, Integer> undecided = undecided();
    List<Departed> all = new ArrayList<>();
    endpoints.forEach((key, departure) -> {
      int outstanding = departure.state().requests() + undecided.getOrDefault(key.service(), 0);
      if (outstanding > 0) {
        all.add(new Departed(key.service(), departure.state(), outstanding));
      }
    });
    return all;
  }

  /** By service that has left the requests that have not chosen one of its endpoints yet. */
  private Map<String, Integer> undecided() {
    if (services.isEmpty()) {
      return Map.of();
    }
    Map<String, Integer> decided = new HashMap<>();
    endpoints.forEach((key, departure) ->
        decided.merge(key.service(), departure.state().requests(), Integer::sum));
    Map<String, Integer> undecided = new HashMap<>();
    services.forEach((id, requests) ->
        undecided.put(id, Math.max(0, requests.sum() - decided.getOrDefault(id, 0))));
    return undecided;
  }
}
