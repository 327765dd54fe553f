package io.orrery.studio.service;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.Content;
import io.orrery.core.bus.contract.Models.Resolved;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ModelSource;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks up the model of a document in the registry: an alias becomes the version that it names. */
final class RegistryModels {
  private final Bus bus;

  RegistryModels(Bus bus) {
    this.bus = bus;
  }

  /**
   * The document with the version that its model stands for at this moment.
   *
   * @param project of the service
   * @param by who deploys it; a model that may not be seen counts as missing
   * @return fails with Refused when there is no such model, version or alias
   */
  Future<ServiceDocument> resolve(ServiceDocument document, ProjectName project, Actor by) {
    ServedModel model = document.model();
    if (model == null || !model.isOpen()) {
      return Future.succeededFuture(document);
    }
    ModelName name = new ModelName(model.name());
    return bus.request(Models.GET, new Models.GetModel(name))
        .compose(found -> mayUse(found.project(), project, by))
        .recover(failure -> missing(failure, "/model/name"))
        .compose(may -> {
          if (!may) {
            throw refused("/model/name", "There is no model '%s'.".formatted(name));
          }
          VersionName version = model.alias() == null ? new VersionName(model.version()) : null;
          return bus.request(Models.RESOLVE, new Models.Resolve(name, version, model.alias()))
              .recover(failure ->
                  missing(failure, model.alias() == null ? "/model/version" : "/model/alias"));
        })
        .map(resolved -> document.with(frozen(model, resolved)));
  }

  /** The document with the files that were frozen for a stage, when its model is still that one. */
  static ServiceDocument keep(ServiceDocument document, @Nullable ModelFiles files) {
    ServedModel model = document.model();
    return model != null
            && model.isOpen()
            && files != null
            && files.name().equals(model.name())
            && (model.alias() != null || files.version().equals(model.version()))
        ? document.with(
            new ServedModel(model.name(), files.version(), model.alias(), ModelFiles.PLACE, files))
        : document;
  }

  /** The statements that fail when the version was deleted since it was looked up. */
  static List<Statement> guard(ServiceDocument document) {
    ServedModel model = document.model();
    ModelFiles files = model == null ? null : model.files();
    // What was downloaded is not in the registry.
    return files == null || files.id().isEmpty()
        ? List.of()
        : List.of(
            Statement.of(
                    "update model_versions set revision = revision"
                        + " where model = ? and version = ? and id = ?",
                    files.name(),
                    files.version(),
                    files.id())
                .expecting(1));
  }

  private static ServedModel frozen(ServedModel model, Resolved resolved) {
    Content content = resolved.content();
    String version = resolved.version().value();
    String digest = content.digest();
    if (digest != null) {
      return new ServedModel(
          model.name(),
          version,
          model.alias(),
          ModelFiles.PLACE,
          new ModelFiles(model.name(), version, resolved.id(), digest));
    }
    String path = content.path();
    if (path != null && ModelSource.fault(path) == null) {
      return ServedModel.from(new ModelSource(path, null), model.name(), version, model.alias());
    }
    if (path == null || path.contains("://")) {
      throw refused(
          "/model",
          "version %s of model '%s' is at %s, which the server does not fetch: register its files"
              .formatted(version, model.name(), path));
    }
    return new ServedModel(model.name(), version, model.alias(), path, null);
  }

  private Future<Boolean> mayUse(ProjectName model, ProjectName service, Actor by) {
    return model.equals(service) || model.equals(ProjectName.PUBLIC)
        ? Future.succeededFuture(true)
        : bus.request(Projects.MEMBERS, new Projects.GetProject(model))
            .map(members ->
                members.items().stream()
                    .anyMatch(member -> member.user().value().equals(by.name())));
  }

  private static <T> Future<T> missing(Throwable failure, String pointer) {
    return Problem.of(failure) instanceof Problem.NotFound(String detail)
        ? Future.failedFuture(refused(pointer, detail))
        : Future.failedFuture(failure);
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
