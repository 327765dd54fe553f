package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.core.problem.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The document of a domain: the shares and shadows of a host, which its services make. Compared
 * with the domain here.
 */
final class DomainDocument {
  private static final Set<String> KEYS = Set.of("kind", "name", "project", "backends", "shadows");

  private static final Duration LOOK = Duration.ofMillis(100);
  private static final int MOST_LOOKS = 300;

  private final Api api;
  private final String host;
  private final ObjectNode body;
  private final Map<String, String> services;

  /**
   * @param services the services of the same command with their hosts; empty for none of its own
   */
  DomainDocument(Api api, String host, ObjectNode body, Map<String, String> services) {
    this.api = api;
    this.host = host.toLowerCase(Locale.ROOT);
    this.body = body;
    this.services = services;
  }

  /** Checks the keys of a document whose host is not known; no outcome. */
  String check() {
    checkKeys();
    return "";
  }

  /** Sends it, or only checks it; whether the shares are created, changed or unchanged. */
  String outcome(boolean check) {
    checkKeys();
    Resource one = Resource.of("domains", host);
    Optional<JsonNode> present = api.find(one);
    if (present.isPresent()
        && isSame(present.get(), "backends")
        && (!body.has("shadows") || isSame(present.get(), "shadows"))) {
      return "unchanged";
    }
    if (!check && present.isEmpty() && services.containsValue(host)) {
      return appeared(one) ? outcome(false) : failed();
    }
    ObjectNode shares = body.deepCopy();
    shares.retain("backends", "shadows");
    if (!check || !isPromised(present)) {
      api.put(one.with("dryRun", check ? Boolean.TRUE : null), shares);
    }
    return present.isPresent() ? "changed" : "created";
  }

  /** Waits until the server has made the domain of a service that was just deployed. */
  private boolean appeared(Resource one) {
    for (int look = 0; look < MOST_LOOKS; look++) {
      if (api.find(one).isPresent()) {
        return true;
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    return false;
  }

  private String failed() {
    throw CommandFailure.failed(
        "the domain %s is not there yet, though its services are: see orrery describe service"
            .formatted(host));
  }

  private void checkKeys() {
    List<Finding> findings = new ArrayList<>();
    body.fieldNames()
        .forEachRemaining(key -> {
          if (!KEYS.contains(key)) {
            findings.add(
                new Finding(
                    "/" + key,
                    "'%s' is not a known key; a domain has name, backends and shadows"
                        .formatted(key)));
          }
        });
    if (!body.path("backends").isArray()) {
      findings.add(
          new Finding("/backends", "backends is a list such as [{service: a, percent: 100}]"));
    }
    if (!findings.isEmpty()) {
      throw new DocumentRefused(findings);
    }
  }

  /** Whether the server cannot check it yet, since the same command first makes its services. */
  private boolean isPromised(Optional<JsonNode> present) {
    boolean made = present.isPresent() || services.containsValue(host);
    return made
        && shares(body.path("backends")).keySet().stream()
            .anyMatch(service ->
                services.containsKey(service)
                    && (present.isEmpty()
                        || present
                            .get()
                            .path("members")
                            .valueStream()
                            .noneMatch(member -> member.asText().equals(service))));
  }

  private boolean isSame(JsonNode present, String key) {
    return shares(present.path(key)).equals(shares(body.path(key)));
  }

  private static Map<String, Integer> shares(JsonNode list) {
    Map<String, Integer> shares = new TreeMap<>();
    list.forEach(
        share -> shares.put(share.path("service").asText(), share.path("percent").asInt(-1)));
    return shares;
  }
}
