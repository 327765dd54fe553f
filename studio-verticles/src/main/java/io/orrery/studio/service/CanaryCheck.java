package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks the services that {@code canary} and {@code shadow} name: each exists in the same project,
 * and none gives its requests back. The percents are checked where the route table is read.
 */
final class CanaryCheck {
  /** The longest way of a request from service to service. */
  private static final int MOST_STEPS = 50;

  private final ServiceTable table;

  CanaryCheck(ServiceTable table) {
    this.table = table;
  }

  /**
   * Refuses a document whose canary or shadow names what is not there, or leads in a circle.
   *
   * @param together the services that count as there
   */
  Future<Void> check(ServiceRow row, ServiceDocument document, List<ServiceName> together) {
    List<Finding> findings = new ArrayList<>();
    JsonNode route = document.route();
    List<ServiceName> canaries = named(route.path("split"));
    return exist("/canary", without(canaries, together), row.project(), findings)
        .compose(there ->
            exist(
                "/shadow", without(named(route.path("mirror")), together), row.project(), findings))
        .compose(there -> circle(row.name(), canaries, List.of(row.name())))
        .map(circle -> {
          circle.ifPresent(way -> findings.add(new Finding("/canary", "a cycle: " + way)));
          if (!findings.isEmpty()) {
            throw Problem.Refused.of(findings).toException();
          }
          return null;
        });
  }

  private static List<ServiceName> without(List<ServiceName> names, List<ServiceName> others) {
    return names.stream().filter(name -> !others.contains(name)).toList();
  }

  private Future<Void> exist(
      String pointer, List<ServiceName> names, ProjectName project, List<Finding> findings) {
    Future<Void> all = Future.succeededFuture();
    for (ServiceName name : names) {
      all =
          all.compose(before -> table.find(name))
              .map(found -> {
                if (found.filter(row -> row.project().equals(project)).isEmpty()) {
                  findings.add(
                      new Finding(
                          pointer,
                          "there is no service %s in the project %s".formatted(name, project)));
                }
                return null;
              });
    }
    return all;
  }

  /** The way back to a service, in words; empty when there is none. */
  private Future<Optional<String>> circle(
      ServiceName begin, List<ServiceName> next, List<ServiceName> way) {
    Future<Optional<String>> found = Future.succeededFuture(Optional.empty());
    for (ServiceName name : next) {
      found =
          found.compose(before ->
              before.isPresent() ? Future.succeededFuture(before) : through(begin, name, way));
    }
    return found;
  }

  private Future<Optional<String>> through(
      ServiceName begin, ServiceName name, List<ServiceName> way) {
    List<ServiceName> longer = new ArrayList<>(way);
    longer.add(name);
    if (name.equals(begin)) {
      return Future.succeededFuture(
          Optional.of(String.join(" → ", longer.stream().map(ServiceName::value).toList())));
    }
    if (way.contains(name) || way.size() > MOST_STEPS) {
      return Future.succeededFuture(Optional.empty());
    }
    return table
        .find(name)
        .compose(row ->
            row.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : circle(begin, named(Json.parse(row.get().document()).path("canary")), longer));
  }

  /** The services of terms such as {@code a:20%,b:30%}; what is none is left to the route table. */
  private static List<ServiceName> named(JsonNode terms) {
    List<ServiceName> names = new ArrayList<>();
    for (String term : terms.asText("").split("[,;]")) {
      String name = term.split(":", 2)[0].strip();
      if (ServiceName.valid(name)) {
        names.add(new ServiceName(name));
      }
    }
    return names;
  }
}
