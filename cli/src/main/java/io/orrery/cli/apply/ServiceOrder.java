package io.orrery.cli.apply;

import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The order of services of one command: those that a canary or shadow names come first. */
final class ServiceOrder {
  private final Map<String, Manifest> services = new LinkedHashMap<>();
  private final List<String> findings;
  private final Set<Manifest> ordered = new LinkedHashSet<>();

  private ServiceOrder(List<Manifest> manifests, List<String> findings) {
    this.findings = findings;
    manifests.stream()
        .filter(manifest -> manifest.kind() == ObjectKind.SERVICE)
        .forEach(manifest -> services.put(manifest.name(), manifest));
  }

  /**
   * Sorts documents that are sorted by kind already.
   *
   * @param findings to which services are added that name each other in a circle
   */
  static List<Manifest> sort(List<Manifest> manifests, List<String> findings) {
    ServiceOrder order = new ServiceOrder(manifests, findings);
    for (Manifest manifest : manifests) {
      if (manifest.kind() == ObjectKind.SERVICE) {
        order.visit(manifest, new ArrayList<>());
      } else {
        order.ordered.add(manifest);
      }
    }
    return List.copyOf(order.ordered);
  }

  private void visit(Manifest service, List<String> way) {
    if (ordered.contains(service)) {
      return;
    }
    if (way.contains(service.name())) {
      findings.add(
          service.place(
              new Finding(
                  "/canary",
                  "a cycle: "
                      + String.join(" → ", way.subList(way.indexOf(service.name()), way.size()))
                      + " → "
                      + service.name())));
      return;
    }
    List<String> longer = new ArrayList<>(way);
    longer.add(service.name());
    named(service, "canary").forEach(canary -> visit(canary, longer));
    named(service, "shadow").stream()
        .filter(shadow -> !longer.contains(shadow.name()))
        .forEach(shadow -> visit(shadow, longer));
    ordered.add(service);
  }

  /** The services of this command that a key such as {@code canary: "b:20%"} names. */
  private List<Manifest> named(Manifest service, String key) {
    List<Manifest> named = new ArrayList<>();
    for (String term : service.body().path(key).asText("").split("[,;]")) {
      Manifest other = services.get(term.split(":", 2)[0].strip());
      if (other != null) {
        named.add(other);
      }
    }
    return named;
  }
}
