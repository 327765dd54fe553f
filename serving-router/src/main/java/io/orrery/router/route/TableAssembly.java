package io.orrery.router.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of the layers of another one and the draft of one layer. Findings are the draft's,
 * conflicts are between it and another layer.
 */
final class TableAssembly {
  private static final int MOST_CONFLICTS = 5;

  /** Numbers that are written otherwise, 1 and 1.0, are equal. */
  private static final Comparator<JsonNode> LOOSELY =
      (one, other) ->
          one.isNumber() && other.isNumber()
              ? one.decimalValue().compareTo(other.decimalValue())
              : one.equals(other) ? 0 : 1;

  private final RouteTable present;
  private final LayerDraft draft;
  private final References references;
  private final List<Service> services = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, Set<String>> missing = new HashMap<>();

  /** The place of the first service of the draft. */
  private int first;

  TableAssembly(RouteTable present, LayerDraft draft, References references) {
    this.present = present;
    this.draft = draft;
    this.references = references;
  }

  /**
   * The table.
   *
   * @throws io.orrery.core.problem.ProblemException Refused with all findings; Conflict when a
   *     service name or a host is in another layer
   */
  RouteTable table() {
    RouteTable assembled = checked();
    draft.refuse();
    Set<String> conflicts = conflicts();
    if (!conflicts.isEmpty()) {
      throw new Problem.Conflict(
              String.join("; ", conflicts.stream().limit(MOST_CONFLICTS).toList())
                  + (conflicts.size() > MOST_CONFLICTS
                      ? "; and " + (conflicts.size() - MOST_CONFLICTS) + " more"
                      : "")
                  + ".")
          .toException();
    }
    return assembled;
  }

  /** The table; an empty one when there are findings, which are noted in the draft. */
  RouteTable checked() {
    quotes();
    Map<RouteLayer, RouteTable.Written> written = new EnumMap<>(RouteLayer.class);
    for (RouteLayer layer : RouteLayer.values()) {
      boolean drafted = layer == draft.layer();
      if (drafted) {
        first = services.size();
      }
      for (Service service : drafted ? draft.services() : present.services(layer)) {
        Service placed = service.at(services.size());
        services.add(placed);
        places.putIfAbsent(placed.id(), placed.place());
      }
      written.put(
          layer,
          drafted
              ? new RouteTable.Written(draft.written(), draft.revision())
              : new RouteTable.Written(present.document(layer), present.revision(layer)));
    }
    List<int[]> mirrors = new ArrayList<>(services.size());
    List<Map<Integer, Double>> parts = new ArrayList<>(services.size());
    for (Service service : services) {
      parts.add(parts(service));
      mirrors.add(mirrors(service));
    }
    if (!draft.findings().isEmpty()) {
      return RouteTable.empty(present.domain());
    }
    SplitGraph graph = new SplitGraph(services, parts);
    if (graph.isCircular(this::note)) {
      return RouteTable.empty(present.domain());
    }
    return new RouteTable(present.domain(), services, graph.splits(), mirrors, written, missing);
  }

  // ---- services of other layers in the document -------------------------------------------------

  private void quotes() {
    Map<RouteLayer, Map<String, JsonNode>> known = new EnumMap<>(RouteLayer.class);
    for (LayerDraft.Quote quote : draft.quotes()) {
      JsonNode there =
          known
              .computeIfAbsent(quote.layer(), layer -> byId(present.document(layer)))
              .get(idOf(quote.node()));
      if (there == null || !there.equals(LOOSELY, quote.node())) {
        draft
            .findings()
            .add(
                new Finding(
                    quote.pointer(),
                    "this service belongs to the layer %s, where it is %s: leave it out, or as GET has it"
                        .formatted(quote.layer().word(), there == null ? "not" : "another")));
      }
    }
  }

  private static Map<String, JsonNode> byId(String document) {
    Map<String, JsonNode> services = new HashMap<>();
    ArrayNode all = (ArrayNode) Json.parse(document);
    all.forEach(service -> services.put(idOf((ObjectNode) service), service));
    return services;
  }

  private static String idOf(ObjectNode service) {
    return service.path("stage").asText(Stage.PRODUCTION.word())
        + "/"
        + service.path("name").asText();
  }

  // ---- one name, one layer ----------------------------------------------------------------------

  /** A sentence, without its full stop, for each name and host that two layers would have. */
  private Set<String> conflicts() {
    List<Service> others =
        services.stream().filter(service -> service.layer() != draft.layer()).toList();
    if (others.isEmpty() || draft.services().isEmpty()) {
      return Set.of();
    }
    Map<String, Service> names = new HashMap<>();
    Map<String, Service> hosts = new HashMap<>();
    Map<String, Service> ownHosts = new HashMap<>();
    Map<Integer, Service> ports = new HashMap<>();
    for (Service other : others) {
      names.putIfAbsent(other.name(), other);
      ownHosts.putIfAbsent(RouteTable.ownHost(other, present.domain()), other);
      other.hosts().forEach(host -> hosts.putIfAbsent(host, other));
      if (other.tcp() != null) {
        ports.putIfAbsent(other.tcp(), other);
      }
    }
    Set<String> conflicts = new LinkedHashSet<>();
    for (Service service : draft.services()) {
      Service named = names.get(service.name());
      if (named != null) {
        conflicts.add(
            "The service name %s belongs to the layer %s"
                .formatted(service.name(), named.layer().word()));
        continue;
      }
      Service atPort = service.tcp() == null ? null : ports.get(service.tcp());
      if (atPort != null) {
        conflicts.add(
            "The port %d of %s belongs to the service %s of the layer %s"
                .formatted(service.tcp(), service.name(), atPort.name(), atPort.layer().word()));
      }
      String own = RouteTable.ownHost(service, present.domain());
      Stream.concat(
              service.hosts().stream()
                  .flatMap(host -> Stream.of(hosts.get(host), ownHosts.get(host))),
              Stream.of(hosts.get(own)))
          .forEach(owner -> addHost(conflicts, service, owner));
    }
    return conflicts;
  }

  private void addHost(Set<String> conflicts, Service service, @Nullable Service owner) {
    if (owner == null) {
      return;
    }
    List<String> theirs = hostsOf(owner);
    hostsOf(service).stream()
        .filter(theirs::contains)
        .forEach(host ->
            conflicts.add(
                "The host %s of %s belongs to the service %s of the layer %s"
                    .formatted(host, service.name(), owner.name(), owner.layer().word())));
  }

  private List<String> hostsOf(Service service) {
    return Stream.concat(
            service.hosts().stream(), Stream.of(RouteTable.ownHost(service, present.domain())))
        .toList();
  }

  // ---- references -------------------------------------------------------------------------------

  private Map<Integer, Double> parts(Service service) {
    Map<Integer, Double> parts = new LinkedHashMap<>();
    for (Share share : service.split()) {
      Integer target = target(service, share.service(), "split");
      if (target != null) {
        parts.put(target, share.percent() / 100);
      }
    }
    return parts;
  }

  /** The place of each shadow, in the order of the shares; {@link RouteTable#ABSENT} for none. */
  private int[] mirrors(Service service) {
    List<Shadow> shadows = service.mirror();
    int[] mirrors = new int[shadows.size()];
    for (int i = 0; i < mirrors.length; i++) {
      Integer target = target(service, shadows.get(i).share().service(), "mirror");
      mirrors[i] = target == null ? RouteTable.ABSENT : target;
    }
    return mirrors;
  }

  private @Nullable Integer target(Service service, String name, String key) {
    Integer target = resolve(name, service);
    if (target == null) {
      if (isFault(service, name)) {
        note(
            service,
            key,
            "there is no service "
                + name
                + Nearest.hint(name, services.stream().map(Service::name).toList()));
      }
      missing.computeIfAbsent(service.id(), id -> new LinkedHashSet<>()).add(name);
      return null;
    }
    if (target == service.place()) {
      note(service, key, service.name() + " names itself: what is not given away stays with it");
      return null;
    }
    if (services.get(target).access() != null) {
      note(service, key, name + " has access: requests for its own host alone come to it");
      return null;
    }
    if (services.get(target).tcp() != null) {
      note(service, key, name + " has tcp: it takes connections at its port, and no requests");
      return null;
    }
    return target;
  }

  private boolean isFault(Service service, String name) {
    return references == References.REQUIRED
        && service.layer() == draft.layer()
        && !present.missing(service.id()).contains(name);
  }

  /** The stages are isolated: a test service splits among those under test, where there are any. */
  private @Nullable Integer resolve(String name, Service from) {
    Integer same = places.get(from.stage().prefix() + name);
    return same == null ? places.get(name) : same;
  }

  private void note(Service service, String fault) {
    note(service, "split", fault);
  }

  private void note(Service service, String key, String fault) {
    String pointer =
        service.layer() == draft.layer() ? draft.pointer(service.place() - first, key) : "";
    draft.findings().add(new Finding(pointer, fault));
  }
}
