package io.orrery.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Store;
import io.orrery.studio.service.ExposeReader.Wish;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives ports to stages: numbers that no other stage has, and no other program of the router's. */
final class PortAllocation {
  /** The numbers that other programs have, after which it is given up. */
  private static final int MOST_BUSY = 100;

  private static final Pattern PLACE = Pattern.compile("^/services/([0-9]{1,3})/tcp/port$");

  private final Bus bus;
  private final ServiceNetwork network;
  private final PortTable table;

  PortAllocation(Bus bus, Store store, ServiceNetwork network) {
    this.bus = bus;
    this.network = network;
    this.table = new PortTable(store);
  }

  PortTable table() {
    return table;
  }

  /** The addresses of a project, or else of the cluster. */
  List<ExternalAddress> addresses(List<ExternalAddress> ofProject, String cluster) {
    return ofProject.isEmpty() ? network.addresses().getOrDefault(cluster, List.of()) : ofProject;
  }

  /**
   * The ports that a stage is to have; changes nothing.
   *
   * @return fails with Refused when a number is taken, or none is left
   */
  Future<List<Exposed>> plan(
      ServiceName service, ServiceStage stage, List<Wish> wishes, List<ExternalAddress> addresses) {
    return wishes.isEmpty()
        ? Future.succeededFuture(List.of())
        : plan(service, stage, wishes, addresses, new HashSet<>());
  }

  private Future<List<Exposed>> plan(
      ServiceName service,
      ServiceStage stage,
      List<Wish> wishes,
      List<ExternalAddress> addresses,
      Set<Integer> busy) {
    return numbers(service, stage, wishes, busy)
        .compose(numbers -> {
          return refused(numbers)
              .compose(faults -> {
                if (faults.isEmpty()) {
                  return Future.succeededFuture(exposed(numbers, addresses));
                }
                List<Finding> fixed = new ArrayList<>();
                for (Wish wish : wishes) {
                  String fault = wish.number() == null ? null : faults.get(wish.number());
                  if (fault != null) {
                    fixed.add(new Finding("/expose", fault));
                  }
                }
                busy.addAll(faults.keySet());
                if (!fixed.isEmpty() || busy.size() > MOST_BUSY) {
                  List<Finding> all = new ArrayList<>(fixed);
                  if (all.isEmpty()) {
                    all.add(new Finding("/expose", String.join("; ", faults.values())));
                  }
                  return Future.failedFuture(Problem.Refused.of(all).toException());
                }
                return plan(service, stage, wishes, addresses, busy);
              });
        });
  }

  /** Reads which numbers others have only when a port is to be given one. */
  private Future<Map<Integer, Integer>> numbers(
      ServiceName service, ServiceStage stage, List<Wish> wishes, Set<Integer> busy) {
    List<Integer> fixed = wishes.stream().map(Wish::number).filter(Objects::nonNull).toList();
    return table
        .of(service, stage, fixed)
        .compose(rows -> {
          PortPlan plan = new PortPlan(network.ports(), rows, service, stage, busy);
          Map<Integer, Integer> known = plan.known(wishes);
          return known.size() == wishes.size()
              ? Future.succeededFuture(known)
              : table.taken(network.ports()).map(all -> plan.numbers(wishes, all));
        });
  }

  private static List<Exposed> exposed(
      Map<Integer, Integer> numbers, List<ExternalAddress> addresses) {
    List<String> hosts = addresses.stream().map(ExternalAddress::outer).toList();
    return numbers.entrySet().stream()
        .map(port -> new Exposed(port.getKey(), port.getValue(), hosts))
        .toList();
  }

  /** The faults that a router finds with numbers, by number; none where there is no router. */
  private Future<Map<Integer, String>> refused(Map<Integer, Integer> numbers) {
    ObjectNode alone = Json.MAPPER.createObjectNode();
    ArrayNode services = alone.putArray("services");
    List<Integer> inOrder = List.copyOf(new TreeSet<>(numbers.values()));
    for (Integer number : inOrder) {
      ObjectNode service = services.addObject().put("name", "port." + number);
      service.putObject("tcp").put("port", number);
      service.putArray("endpoints");
    }
    return bus.request(Routes.CHECK, new Routes.Check(RouteLayer.STUDIO, Json.write(alone)))
        .map(Map.<Integer, String>of())
        .recover(failure -> {
          Map<Integer, String> faults = new HashMap<>();
          if (Problem.of(failure) instanceof Problem.Refused refused) {
            for (Finding finding : refused.findings()) {
              Matcher place = PLACE.matcher(finding.pointer());
              if (place.matches() && Integer.parseInt(place.group(1)) < inOrder.size()) {
                faults.put(inOrder.get(Integer.parseInt(place.group(1))), finding.message());
              }
            }
          } else if (Problem.of(failure) instanceof Problem.Conflict conflict) {
            // A number of the user's own table.
            inOrder.stream()
                .filter(number -> conflict.detail().contains("port " + number + " of"))
                .forEach(number -> faults.put(number, conflict.detail()));
          }
          return Future.succeededFuture(faults);
        });
  }
}
