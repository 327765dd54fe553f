package io.orrery.router.route;

import io.orrery.core.route.RouteLayer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of everything that a router routes by; immutable, and replaced whole.
 *
 * <p>A request costs one look-up of its host in a hash table, whether there are ten domains or a
 * hundred thousand; wildcards are asked only when that finds nothing, once for each label. Splits
 * were flattened when the table was made: where a target gives away a part of its own, that part is
 * counted out here, so a request draws once.
 */
public final class RouteTable {
  /** The place of a shadow that is not there. */
  public static final int ABSENT = -1;

  /**
   * The text that a layer was made from.
   *
   * @param document its services, in JSON
   * @param revision of the layer in the store; 0 for one that the store does not have
   */
  record Written(String document, long revision) {
    static final Written NOTHING = new Written("[]", 0);
  }

  private final String domain;
  private final List<Service> services;
  private final List<Split> splits;
  private final List<int[]> mirrors;
  private final Map<RouteLayer, Written> written;
  private final Map<String, Set<String>> missing;
  private final Map<String, List<Service>> hosts;
  private final Map<String, List<Service>> wildcards;

  /** Those that take connections at a port in place of requests, by id. */
  private final Map<String, Service> ofPorts = new HashMap<>();

  /**
   * @param services of all layers, each at its place
   * @param splits of each service
   * @param mirrors of each service the places of those that get copies
   * @param written what each layer was made from
   * @param missing by id of a service the names in its split and mirror that no service has
   */
  RouteTable(
      String domain,
      List<Service> services,
      List<Split> splits,
      List<int[]> mirrors,
      Map<RouteLayer, Written> written,
      Map<String, Set<String>> missing) {
    this.domain = domain;
    this.services = List.copyOf(services);
    this.splits = List.copyOf(splits);
    this.mirrors = List.copyOf(mirrors);
    this.written = Map.copyOf(written);
    this.missing = Map.copyOf(missing);
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
      if (service.tcp() != null) {
        ofPorts.putIfAbsent(service.id(), service);
        continue;
      }
      List<Service> named =
          hosts.computeIfAbsent(ownHost(service, domain), h -> new ArrayList<>(1));
      if (!named.contains(service)) {
        named.add(service);
      }
    }
  }

  /** A table that routes nothing. */
  public static RouteTable empty(String domain) {
    return new RouteTable(domain, List.of(), List.of(), List.of(), Map.of(), Map.of());
  }

  /**
   * The table with another layer in place of the one that it has.
   *
   * @param revision of the layer in the store; 0 for one that the store does not have
   * @param text {@code {services: […]}}, YAML or JSON
   * @throws io.orrery.core.problem.ProblemException Refused with all findings; Conflict when a
   *     service name or a host is in another layer
   */
  public RouteTable with(RouteLayer layer, long revision, String text, References references) {
    LayerDraft draft = LayerDraft.read(layer, revision, text, domain);
    return new TableAssembly(this, draft, references).table();
  }

  /**
   * The same with the layer of another table.
   *
   * @throws io.orrery.core.problem.ProblemException as above
   */
  public RouteTable with(RouteLayer layer, RouteTable other, References references) {
    return new TableAssembly(this, LayerDraft.of(other, layer), references).table();
  }

  /** The name that a service has without being given one. */
  static String ownHost(Service service, String domain) {
    return ownHost(service.id(), domain);
  }

  private static String ownHost(String id, String domain) {
    return id + ".service." + domain;
  }

  /**
   * Who a request is for.
   *
   * @param authority of the request: a host in any case, with or without a port
   * @return null when no service has that host, or none there takes this request
   */
  public @Nullable Service find(String authority, RequestFacts request) {
    List<Service> candidates = candidates(authority);
    return candidates == null ? null : choose(candidates, request);
  }

  /**
   * Who gets every request for a host, whatever it asks for; see {@link #find}.
   *
   * @return null when no service has that host, or the request decides
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

  /** All services, each at its place: those of a layer together, in the order of the layers. */
  public List<Service> services() {
    return services;
  }

  /** The services of a layer, in the order in which they were written. */
  public List<Service> services(RouteLayer layer) {
    return services.stream().filter(service -> service.layer() == layer).toList();
  }

  /** The service of an id; null when there is none. */
  public @Nullable Service service(String id) {
    for (Service service : hosts.getOrDefault(ownHost(id, domain), List.of())) {
      if (service.id().equals(id)) {
        return service;
      }
    }
    return ofPorts.get(id);
  }

  /** Those that take connections at a port. */
  public Collection<Service> ofPorts() {
    return Collections.unmodifiableCollection(ofPorts.values());
  }

  /** The names in the split and mirror of a service that no service has. */
  public Set<String> missing(String id) {
    return missing.getOrDefault(id, Set.of());
  }

  /** How the requests of a service are divided. */
  public Split split(Service service) {
    return splits.get(service.place());
  }

  /**
   * The place of each that gets copies of the requests of a service, in the order of its shares;
   * {@link #ABSENT} for one that is not there.
   */
  public int[] mirrors(Service service) {
    return mirrors.get(service.place());
  }

  /**
   * The services of a layer as they were written, in JSON: text takes far less room than a tree.
   */
  public String document(RouteLayer layer) {
    return written.getOrDefault(layer, Written.NOTHING).document();
  }

  /** The revision of a layer in the store; 0 for one that the store does not have. */
  public long revision(RouteLayer layer) {
    return written.getOrDefault(layer, Written.NOTHING).revision();
  }
}
