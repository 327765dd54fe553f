package io.orrery.router.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table, YAML or JSON: {@code {services: […]}}. A document with a fault is refused whole,
 * with all of its faults and the place of each.
 */
public final class RouteReader {
  private static final String SERVICES = "services";
  private static final int MOST_SERVICES = 200_000;
  private static final int MOST_STEPS = 50;

  private final List<Finding> findings;
  private final Map<String, Integer> places = new HashMap<>();
  private final List<Service> services = new ArrayList<>();
  private final String domain;

  private RouteReader(String domain, List<Finding> findings) {
    this.domain = domain;
    this.findings = findings;
  }

  /**
   * Reads a document that holds nothing but services.
   *
   * @param domain what every host ends with
   * @throws io.orrery.core.problem.ProblemException Refused
   */
  public static RouteTable read(String text, String domain) {
    Document document = Document.read(text);
    List<Finding> findings = new ArrayList<>();
    Section root = Section.of(document.root(), "", findings, List.of(SERVICES));
    if (document.root().isObject() && !root.has(SERVICES)) {
      findings.add(new Finding("", "a table has the key services, a list"));
    }
    RouteTable table = read(root, domain, findings);
    refuse(document, findings);
    return table;
  }

  /** Reads the services of a larger document; notes what is wrong. */
  static RouteTable read(Section root, String domain, List<Finding> findings) {
    return new RouteReader(domain, findings).table(root);
  }

  static void refuse(Document document, List<Finding> findings) {
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(document.placed(findings)).toException();
    }
  }

  private RouteTable table(Section root) {
    ArrayNode written = JsonNodeFactory.instance.arrayNode();
    ServiceReader reader = new ServiceReader(domain, findings);
    root.list(
        SERVICES,
        (node, pointer) -> {
          Service service = reader.read(services.size(), node, pointer);
          services.add(service);
          Integer first = places.putIfAbsent(service.id(), service.place());
          if (first != null && !service.name().isEmpty()) {
            findings.add(
                new Finding(
                    Pointer.child(pointer, "name"),
                    "the service " + service.id() + " is here twice"));
          }
          if (node instanceof ObjectNode object) {
            written.add(
                object.has(ServiceReader.STATE)
                    ? object.deepCopy().without(ServiceReader.STATE)
                    : object);
          }
          return null;
        });
    if (services.size() > MOST_SERVICES) {
      root.refuse(SERVICES, "a table may have " + MOST_SERVICES + " services");
      return RouteTable.empty(domain);
    }
    List<int[]> mirrors = new ArrayList<>();
    List<Map<Integer, Double>> parts = new ArrayList<>();
    for (Service service : services) {
      parts.add(targets(service, service.split(), "split"));
      mirrors.add(
          targets(service, service.mirror().stream().map(Shadow::share).toList(), "mirror")
              .keySet()
              .stream()
              .mapToInt(Integer::intValue)
              .toArray());
    }
    if (!findings.isEmpty() || circular(parts)) {
      return RouteTable.empty(domain);
    }
    List<Split> splits = new ArrayList<>();
    for (Service service : services) {
      splits.add(flat(service.place(), parts));
    }
    return new RouteTable(domain, services, splits, mirrors, Json.write(written));
  }

  /** The places of those named in a list of shares, with their part, in the order of the list. */
  private Map<Integer, Double> targets(Service service, List<Share> shares, String key) {
    Map<Integer, Double> targets = new LinkedHashMap<>();
    for (Share share : shares) {
      Integer target = resolve(share.service(), service);
      if (target == null) {
        findings.add(
            new Finding(
                place(service, key),
                "there is no service "
                    + share.service()
                    + Nearest.hint(
                        share.service(), services.stream().map(Service::name).toList())));
      } else if (target == service.place()) {
        findings.add(
            new Finding(
                place(service, key),
                service.name() + " names itself: what is not given away stays with it"));
      } else {
        targets.put(target, share.percent() / 100);
      }
    }
    return targets;
  }

  /** The stages are isolated: a test service splits among those under test, where there are any. */
  private @Nullable Integer resolve(String name, Service from) {
    Integer same = places.get(from.stage().prefix() + name);
    return same == null ? places.get(name) : same;
  }

  private static String place(Service service, String key) {
    return "/" + SERVICES + "/" + service.place() + "/" + key;
  }

  private enum Mark {
    ON_THE_WAY,
    DONE
  }

  /** Whether somebody's requests could come back to it; each such ring is noted once. */
  private boolean circular(List<Map<Integer, Double>> parts) {
    Map<Integer, Mark> marks = new HashMap<>();
    for (Service service : services) {
      walk(service.place(), parts, marks, new ArrayList<>());
    }
    return !findings.isEmpty();
  }

  private void walk(
      int at, List<Map<Integer, Double>> parts, Map<Integer, Mark> marks, List<Integer> way) {
    if (marks.get(at) == Mark.DONE) {
      return;
    }
    marks.put(at, Mark.ON_THE_WAY);
    way.add(at);
    if (way.size() > MOST_STEPS) {
      findings.add(
          new Finding(
              place(services.get(way.getFirst()), "split"),
              "a split that leads through more than " + MOST_STEPS + " services is a mistake"));
    } else {
      for (int target : parts.get(at).keySet()) {
        if (marks.get(target) == Mark.ON_THE_WAY) {
          List<String> ring =
              way.subList(way.indexOf(target), way.size()).stream()
                  .map(place -> services.get(place).name())
                  .toList();
          findings.add(
              new Finding(
                  place(services.get(at), "split"),
                  "a cycle: " + String.join(" → ", ring) + " → " + services.get(target).name()));
        } else {
          walk(target, parts, marks, way);
        }
      }
    }
    way.removeLast();
    marks.put(at, Mark.DONE);
  }

  private static Split flat(int owner, List<Map<Integer, Double>> parts) {
    if (parts.get(owner).isEmpty()) {
      return Split.whole(owner);
    }
    Map<Integer, Double> all = new LinkedHashMap<>();
    spread(owner, 1, parts, all);
    double ofOwner = all.getOrDefault(owner, 0.0);
    all.remove(owner);
    all.values().removeIf(part -> part <= 0);
    int[] targets = new int[all.size() + 1];
    double[] ends = new double[targets.length];
    int i = 0;
    double end = 0;
    for (Map.Entry<Integer, Double> target : all.entrySet()) {
      targets[i] = target.getKey();
      end += target.getValue();
      ends[i++] = ofOwner <= 1e-12 && i == all.size() ? 1 : end;
    }
    targets[i] = owner;
    ends[i] = 1;
    return new Split(targets, ends);
  }

  private static void spread(
      int at, double share, List<Map<Integer, Double>> parts, Map<Integer, Double> all) {
    double rest = 1;
    for (Map.Entry<Integer, Double> part : parts.get(at).entrySet()) {
      spread(part.getKey(), share * part.getValue(), parts, all);
      rest -= part.getValue();
    }
    all.merge(at, share * Math.max(0, rest), Double::sum);
  }
}
