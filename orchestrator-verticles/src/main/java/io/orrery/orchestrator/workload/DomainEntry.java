package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.DomainRoutes.DomainRoute;
import io.orrery.core.json.Json;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.service.ServiceShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The service of the route table that stands for a shared host: pure. It has no endpoints; its
 * split gives all requests to others.
 *
 * <p>Only what can answer has a share: a service with endpoints, or one that rests and holds
 * requests until it has one. The share of another goes to the first that can; where none can, the
 * first one has all, so that its own answer tells why.
 */
final class DomainEntry {
  /** The keys that a request looks for at the host that it is for, and not at who answers. */
  private static final List<String> OF_THE_HOST = List.of("sticky", "mirror", "compareBodies");

  private DomainEntry() {}

  /**
   * The entry of a host.
   *
   * @param services of the table, by name
   * @param resting the names of those that rest: no replica is wanted until a request comes
   * @return null when none of its services is in the table
   */
  static @Nullable ObjectNode of(
      DomainRoute domain, Map<String, ObjectNode> services, List<String> resting) {
    List<ServiceShare> present =
        domain.shares().stream()
            .filter(share -> services.containsKey(share.service().value()))
            .toList();
    if (present.isEmpty()) {
      return null;
    }
    List<ServiceShare> able =
        present.stream()
            .filter(share -> share.percent() > 0)
            .filter(share -> answers(of(share, services), resting))
            .toList();
    String first = (able.isEmpty() ? present : able).getFirst().service().value();
    Map<String, Integer> percents = new LinkedHashMap<>();
    percents.put(first, 0);
    int given = 0;
    for (ServiceShare share : able) {
      percents.merge(share.service().value(), share.percent(), Integer::sum);
      given += share.percent();
    }
    percents.merge(first, 100 - given, Integer::sum);

    ObjectNode entry = Json.MAPPER.createObjectNode();
    entry.put("name", DomainRouteName.of(domain.host()));
    entry.putArray("hosts").add(domain.host());
    entry.putArray("endpoints");
    ObjectNode leading = Objects.requireNonNull(services.get(first));
    for (String key : OF_THE_HOST) {
      JsonNode value = leading.get(key);
      if (value != null) {
        entry.set(key, value);
      }
    }
    JsonNode limits = leading.path("limits");
    if (limits.has("rate")) {
      ObjectNode own = entry.putObject("limits");
      own.set("rate", limits.get("rate"));
      if (limits.has("rateBy")) {
        own.set("rateBy", limits.get("rateBy"));
      }
    }
    entry.put("split", terms(percents));
    List<String> copies = copies(domain, services, entry.path("mirror").asText(""));
    if (copies.isEmpty()) {
      entry.remove(List.of("mirror", "compareBodies"));
    } else {
      entry.put("mirror", String.join(",", copies));
      compare(domain, services, entry);
    }
    return entry;
  }

  /** The bodies of the shadows of a domain are always compared, so that one need not be asked. */
  private static void compare(
      DomainRoute domain, Map<String, ObjectNode> services, ObjectNode entry) {
    Set<String> compared = new LinkedHashSet<>();
    entry.path("compareBodies").forEach(name -> compared.add(name.asText()));
    domain.shadows().stream()
        .filter(shadow -> shadow.percent() > 0)
        .map(shadow -> shadow.service().value())
        .filter(services::containsKey)
        .forEach(compared::add);
    if (!compared.isEmpty()) {
      ArrayNode names = entry.putArray("compareBodies");
      compared.forEach(names::add);
    }
  }

  private static ObjectNode of(ServiceShare share, Map<String, ObjectNode> services) {
    return Objects.requireNonNull(services.get(share.service().value()));
  }

  private static boolean answers(ObjectNode service, List<String> resting) {
    return !service.path("endpoints").isEmpty()
        || (service.has("hold") && resting.contains(service.path("name").asText()));
  }

  private static String terms(Map<String, Integer> percents) {
    return percents.entrySet().stream()
        .filter(share -> share.getValue() > 0)
        .map(share -> share.getKey() + ":" + share.getValue() + "%")
        .collect(Collectors.joining(","));
  }

  /** The shadows of the domain, and those of the service that has its requests. */
  private static List<String> copies(
      DomainRoute domain, Map<String, ObjectNode> services, String own) {
    Map<String, String> copies = new LinkedHashMap<>();
    for (String term : own.split("[,;]")) {
      if (!term.isBlank()) {
        copies.put(term.strip().split(":", 2)[0], term.strip());
      }
    }
    for (ServiceShare shadow : domain.shadows()) {
      String name = shadow.service().value();
      if (services.containsKey(name) && shadow.percent() > 0) {
        copies.put(name, name + ":" + shadow.percent() + "%");
      }
    }
    return new ArrayList<>(copies.values());
  }
}
