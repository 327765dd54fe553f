package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchSubject;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.model.ModelAccess;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** MLflow's {@code registered-models/…}: the models of the registry. */
final class MlflowModels {
  private static final int PAGE = 1_000;

  private final Bus bus;
  private final ModelAccess access;
  private final ProjectAccess projects;

  MlflowModels(Bus bus) {
    this.bus = bus;
    this.access = new ModelAccess(bus);
    this.projects = new ProjectAccess(bus);
  }

  void mount(MlflowApi.Mount mount) {
    mount.creating("registered-models/create", this::create);
    mount.get("registered-models/get", this::get);
    mount.creating("registered-models/rename", this::rename);
    mount.patch("registered-models/update", this::update);
    mount.delete("registered-models/delete", this::delete);
    mount.get("registered-models/search", this::search);
    mount.get("registered-models/get-latest-versions", this::latest);
    mount.post("registered-models/get-latest-versions", this::latest);
    mount.post("registered-models/set-tag", this::setTag);
    mount.delete("registered-models/delete-tag", this::deleteTag);
    mount.post("registered-models/alias", this::setAlias);
    mount.delete("registered-models/alias", this::deleteAlias);
    mount.get("registered-models/alias", this::getAlias);
  }

  static ModelName name(MlflowRequest request) {
    return name(request.required("name", 300));
  }

  private static ModelName name(String text) {
    if (!ModelName.valid(text)) {
      throw MlflowRequest.refused("'" + text + "' is no name of a model: " + ModelName.RULE);
    }
    return new ModelName(text);
  }

  private static ModelAlias alias(MlflowRequest request) {
    String text = request.required("alias", 300);
    if (!ModelAlias.valid(text)) {
      throw MlflowRequest.refused("'" + text + "' is no alias: " + ModelAlias.RULE);
    }
    return new ModelAlias(text);
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<ObjectNode> get(RoutingContext context, MlflowRequest request) {
    return access.model(context, name(request), Need.READ).compose(this::answer);
  }

  private Future<ObjectNode> answer(Model model) {
    return shape(model).map(shape -> MlflowShape.object().set("registered_model", shape));
  }

  private Future<ObjectNode> shape(Model model) {
    return newest(model.name()).map(versions -> shape(model, versions));
  }

  private static ObjectNode shape(Model model, List<Version> latest) {
    ObjectNode shape =
        MlflowShape.object()
            .put("name", model.name().value())
            .put("creation_timestamp", model.createdAt().toEpochMilli())
            .put("last_updated_timestamp", model.changedAt().toEpochMilli())
            .put("user_id", model.owner())
            .put("description", model.description());
    ArrayNode versions = shape.putArray("latest_versions");
    latest.forEach(version -> versions.add(MlflowVersions.shape(version)));
    MlflowShape.pairs(shape.putArray("tags"), model.tags());
    ArrayNode aliases = shape.putArray("aliases");
    model.aliases().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry ->
            aliases
                .addObject()
                .put("alias", entry.getKey().value())
                .put("version", entry.getValue().value()));
    return shape;
  }

  /** The newest version of each stage, among the last thousand versions. */
  private Future<List<Version>> newest(ModelName name) {
    return bus.request(Models.VERSIONS, new Models.ListVersions(name, null, null, PAGE))
        .map(page -> {
          Map<ModelStage, Version> newest = new EnumMap<>(ModelStage.class);
          page.items().forEach(version -> newest.putIfAbsent(version.about().stage(), version));
          return List.copyOf(newest.values());
        });
  }

  private Future<ObjectNode> latest(RoutingContext context, MlflowRequest request) {
    Set<String> stages =
        request.texts("stages").stream()
            .map(stage -> MlflowVersions.stage(stage).word())
            .collect(Collectors.toSet());
    return access
        .model(context, name(request), Need.READ)
        .compose(model -> newest(model.name()))
        .map(versions -> {
          ObjectNode answer = MlflowShape.object();
          ArrayNode items = answer.putArray("model_versions");
          versions.stream()
              .filter(
                  version -> stages.isEmpty() || stages.contains(version.about().stage().word()))
              .forEach(version -> items.add(MlflowVersions.shape(version)));
          return answer;
        });
  }

  private Future<ObjectNode> search(RoutingContext context, MlflowRequest request) {
    int limit = request.limit(100, PAGE);
    long offset = request.offset();
    return new MlflowSearch<Model>(request, SearchSubject.MODEL, MlflowModels::value)
        .run(cursor ->
            bus.request(
                    Models.LIST,
                    new Models.ListModels(Callers.visible(context), null, null, cursor, PAGE))
                .map(page -> new MlflowSearch.Page<>(page.items(), page.next())))
        .compose(found -> {
          List<Model> items = found.stream().skip(offset).limit(limit).toList();
          ObjectNode answer = MlflowShape.object();
          ArrayNode models = answer.putArray("registered_models");
          Future<Void> filled = Future.succeededFuture();
          for (Model model : items) {
            filled =
                filled
                    .compose(done -> shape(model))
                    .map(shape -> {
                      models.add(shape);
                      return null;
                    });
          }
          return filled.map(
              done -> MlflowShape.paged(answer, found.size() > offset + limit, offset + limit));
        });
  }

  private static @Nullable Object value(Model model, SearchField field) {
    return switch (field.kind()) {
      case TAG -> model.tags().get(field.key());
      case TEXT -> model.name().value();
      case NUMBER ->
          (double)
              (field.key().equals("creation_timestamp") ? model.createdAt() : model.changedAt())
                  .toEpochMilli();
      case METRIC, PARAMETER -> null;
    };
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<ObjectNode> create(RoutingContext context, MlflowRequest request) {
    ModelName name = name(request);
    Map<String, String> tags = request.tags();
    return projects
        .forCreation(context, MlflowAccess.project(context, tags))
        .compose(owner ->
            bus.request(
                Models.PUT,
                new Models.PutModel(
                    Callers.actor(context),
                    name,
                    owner.project(),
                    description(request),
                    tags,
                    true,
                    null,
                    false)))
        .compose(this::answer);
  }

  private static String description(MlflowRequest request) {
    return Objects.requireNonNullElse(request.text("description", Models.MOST_TEXT), "");
  }

  private Future<ObjectNode> rename(RoutingContext context, MlflowRequest request) {
    ModelName to = name(request.required("new_name", 300));
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model ->
            bus.request(Models.RENAME, new Models.Rename(Callers.actor(context), model.name(), to)))
        .compose(this::answer);
  }

  private Future<ObjectNode> update(RoutingContext context, MlflowRequest request) {
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model -> put(context, model, description(request), model.tags()))
        .compose(this::answer);
  }

  private Future<Model> put(
      RoutingContext context, Model model, String description, Map<String, String> tags) {
    return bus.request(
        Models.PUT,
        new Models.PutModel(
            Callers.actor(context),
            model.name(),
            model.project(),
            description,
            tags,
            false,
            model.revision(),
            false));
  }

  private Future<ObjectNode> delete(RoutingContext context, MlflowRequest request) {
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model ->
            bus.request(Models.DELETE, new Models.OfModel(Callers.actor(context), model.name())))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> setTag(RoutingContext context, MlflowRequest request) {
    String key = MlflowRequest.key("key", request.required("key", MlflowRequest.MOST_KEY));
    String value = Objects.requireNonNullElse(request.text("value", MlflowRequest.MOST_TAG), "");
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model -> put(context, model, model.description(), with(model.tags(), key, value)))
        .map(done -> MlflowShape.object());
  }

  /** Tags with one more; there are at most so many. */
  static Map<String, String> with(Map<String, String> tags, String key, String value) {
    Map<String, String> changed = new HashMap<>(tags);
    changed.put(key, value);
    if (changed.size() > Models.MOST_TAGS) {
      throw MlflowRequest.refused("there are at most " + Models.MOST_TAGS + " tags");
    }
    return changed;
  }

  private Future<ObjectNode> deleteTag(RoutingContext context, MlflowRequest request) {
    String key = request.required("key", MlflowRequest.MOST_KEY);
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model -> {
          Map<String, String> tags = new HashMap<>(model.tags());
          tags.remove(key);
          return put(context, model, model.description(), tags);
        })
        .map(done -> MlflowShape.object());
  }

  // ---- aliases -------------------------------------------------------------------------------

  private Future<ObjectNode> setAlias(RoutingContext context, MlflowRequest request) {
    ModelAlias alias = alias(request);
    VersionName version = MlflowVersions.version(request);
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model ->
            bus.request(
                Models.SET_ALIAS,
                new Models.SetAlias(Callers.actor(context), model.name(), alias, version)))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> deleteAlias(RoutingContext context, MlflowRequest request) {
    ModelAlias alias = alias(request);
    return access
        .model(context, name(request), Need.CHANGE)
        .compose(model ->
            bus.request(
                Models.DROP_ALIAS,
                new Models.DropAlias(Callers.actor(context), model.name(), alias)))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> getAlias(RoutingContext context, MlflowRequest request) {
    ModelAlias alias = alias(request);
    return access
        .model(context, name(request), Need.READ)
        .compose(
            model -> bus.request(Models.RESOLVE, new Models.Resolve(model.name(), null, alias)))
        .compose(found ->
            bus.request(Models.VERSION, new Models.GetVersion(found.model(), found.version())))
        .map(version -> MlflowShape.object().set("model_version", MlflowVersions.shape(version)));
  }
}
