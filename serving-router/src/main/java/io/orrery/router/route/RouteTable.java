package io.orrery.router.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a router routes by; immutable, and replaced whole.
 *
 * <p>A request costs one look-up of its host in a hash table, whether there are ten domains or a
 * hundred thousand; wildcards are asked only when that finds nothing, once for each label. Splits
 * were flattened when the table was made: where a target gives away a part of its own, that part is
 * counted out here, so a request draws once.
 */
public final class RouteTable {
  private final String domain;
  private final List<Service> services;
  private final List<Split> splits;
  private final List<int[]> mirrors;
  private final String document;
  private final Map<String, List<Service>> hosts;
  private final Map<String, List<Service>> wildcards;

  /**
   * @param splits of each service
   * @param mirrors of each service the places of those that get copies
   * @param document the list of services as it was written, in JSON
   */
  RouteTable(
      String domain,
      List<Service> services,
      List<Split> splits,
      List<int[]> mirrors,
      String document) {
    this.domain = domain;
    this.services = List.copyOf(services);
    this.splits = List.copyOf(splits);
    this.mirrors = List.copyOf(mirrors);
    this.document = document;
    this.hosts = new HashMap<>();
    this.wildcards = new HashMap<>();
    for (Service service : services) {
      for (String host : service.hosts()) {
        if (host.startsWith("*.")) {
          wildcards.computeIfAbsent(host.substring(2), h -> new ArrayList<>(1)).add(service);
        } else {
          hosts.computeIfAbsent(host, h -> new ArrayList<>(1)).add(service);
        }
      }
    }
    // After those that were asked for: a service that was given this name on purpose comes first.
    for (Service service : services) {
      List<Service> named =
          hosts.computeIfAbsent(ownHost(service, domain), h -> new ArrayList<>(1));
      if (!named.contains(service)) {
        named.add(service);
      }
    }
  }

  /** A table that routes nothing. */
  public static RouteTable empty(String domain) {
    return new RouteTable(domain, List.of(), List.of(), List.of(), "[]");
  }

  /** The name that a service has without being given one. */
  static String ownHost(Service service, String domain) {
    return service.id() + ".service." + domain;
  }

  /**
   * Who a request is for.
   *
   * @param authority of the request: a host in any case, with or without a port
   * @return null when nobody has that host, or nobody there takes this request
   */
  public @Nullable Service find(String authority, RequestFacts request) {
    List<Service> candidates = candidates(authority);
    return candidates == null ? null : choose(candidates, request);
  }

  /**
   * Who gets every request for a host, whatever it asks for; see {@link #find}.
   *
   * @return null when nobody has that host, or what is asked for decides
   */
  public @Nullable Service sole(String authority) {
    List<Service> candidates = candidates(authority);
    return candidates != null && candidates.size() == 1 && candidates.getFirst().match().isEmpty()
        ? candidates.getFirst()
        : null;
  }

  private @Nullable List<Service> candidates(String authority) {
    List<Service> candidates = hosts.get(authority);
    if (candidates == null) {
      String host = host(authority);
      candidates = hosts.get(host);
      if (candidates == null) {
        candidates = wildcard(host);
      }
    }
    return candidates;
  }

  private @Nullable List<Service> wildcard(String host) {
    for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      List<Service> found = wildcards.get(host.substring(dot + 1));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The first whose match fits; else the first without one. */
  private static @Nullable Service choose(List<Service> candidates, RequestFacts request) {
    Service owner = null;
    for (Service service : candidates) {
      if (service.match().isEmpty()) {
        owner = owner == null ? service : owner;
      } else {
        for (Match match : service.match()) {
          if (match.fits(request)) {
            return service;
          }
        }
      }
    }
    return owner;
  }

  /** Without port and last dot, in lower case. */
  private static String host(String authority) {
    int end = authority.length();
    int colon = authority.lastIndexOf(':');
    if (colon >= 0 && authority.indexOf(']', colon) < 0) {
      end = colon;
    }
    if (end > 0 && authority.charAt(end - 1) == '.') {
      end--;
    }
    return authority.substring(0, end).toLowerCase(Locale.ROOT);
  }

  public String domain() {
    return domain;
  }

  /** All services, each at its place. */
  public List<Service> services() {
    return services;
  }

  /** How the requests of a service are divided. */
  public Split split(Service service) {
    return splits.get(service.place());
  }

  /**
   * The place of each that gets copies of the requests of a service, in the order of its shares.
   */
  public int[] mirrors(Service service) {
    return mirrors.get(service.place());
  }

  /** The list of services as it was written, in JSON: text takes far less room than a tree. */
  public String document() {
    return document;
  }
}
