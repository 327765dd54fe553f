package io.orrery.studio.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the services that use a model, by the key {@code model} of their documents. */
final class ModelUse {
  private final Store store;

  ModelUse(Store store) {
    this.store = store;
  }

  private record Used(String service, JsonNode model) {}

  /** Completes when no service uses any version of a model; fails with Conflict. */
  Future<Void> requireNone(ModelName model) {
    return require("Model '%s'".formatted(model), model, used -> true);
  }

  /** The same of a version, which may be named by an alias. */
  Future<Void> requireNone(ModelName model, VersionName version, Collection<ModelAlias> aliases) {
    return require(
        "Version %s of model '%s'".formatted(version, model),
        model,
        used ->
            used.path("version").asText().equals(version.value())
                || aliases.stream()
                    .anyMatch(alias -> used.path("alias").asText().equals(alias.value())));
  }

  /** The same of an alias. */
  Future<Void> requireNone(ModelName model, ModelAlias alias) {
    return require(
        "Alias %s of model '%s'".formatted(alias, model),
        model,
        used -> used.path("alias").asText().equals(alias.value()));
  }

  private Future<Void> require(String what, ModelName model, Predicate<JsonNode> uses) {
    return Future.all(named(), frozen())
        .map(all -> {
          List<String> users =
              Stream.concat(
                      all.<List<Used>>resultAt(0).stream(), all.<List<Used>>resultAt(1).stream())
                  .filter(used -> used.model().path("name").asText().equals(model.value()))
                  .filter(used -> uses.test(used.model()))
                  .map(Used::service)
                  .distinct()
                  .sorted()
                  .toList();
          if (!users.isEmpty()) {
            throw new Problem.Conflict(
                    "%s is used by %s %s."
                        .formatted(
                            what,
                            users.size() == 1 ? "the service" : "the services",
                            String.join(", ", users)))
                .toException();
          }
          return null;
        });
  }

  /** The models that documents name. */
  private Future<List<Used>> named() {
    return store.read(
        Statement.of("select name, document from services where document like '%\"model\"%'"),
        row -> new Used(row.text("name"), Json.parse(row.text("document")).path("model")));
  }

  /** The versions that run, whatever became of the alias or document that they were taken from. */
  private Future<List<Used>> frozen() {
    return store.read(
        Statement.of(
            "select service, want from service_stages where want like '%\"model\":{%'"
                + " union all select service, before_want as want from upgrades"
                + " where is_open = 1 and before_want like '%\"model\":{%'"),
        row ->
            new Used(row.text("service"), Json.parse(row.text("want")).path("spec").path("model")));
  }
}
