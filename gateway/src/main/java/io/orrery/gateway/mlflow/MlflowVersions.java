package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.FromRun;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchSubject;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.model.ModelAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MLflow's {@code model-versions/…}: the versions of the registry. */
final class MlflowVersions {
  /** Where the files of versions lie for MLflow's clients, beside those of runs. */
  static final String FILES = "models";

  private static final int PAGE = 1_000;
  private static final int MOST_SOURCE = 2_000;

  /** A directory of a run: {@code runs:/<run>/<path>}, or the address of its artifacts. */
  private static final Pattern OF_RUN =
      Pattern.compile(
          "(?:runs:/|mlflow-artifacts:/(?:/[^/]*/)?[^/]+/)([0-9a-f]{32})(?:/artifacts)?(?:/(.*?))?/?");

  private final Bus bus;
  private final MlflowAccess runs;
  private final ModelAccess access;

  MlflowVersions(Bus bus, MlflowAccess runs) {
    this.bus = bus;
    this.runs = runs;
    this.access = new ModelAccess(bus);
  }

  void mount(MlflowApi.Mount mount) {
    mount.post("model-versions/create", this::create);
    mount.get("model-versions/get", this::get);
    mount.patch("model-versions/update", this::update);
    mount.delete("model-versions/delete", this::delete);
    mount.get("model-versions/search", this::search);
    mount.get("model-versions/get-download-uri", this::download);
    mount.post("model-versions/transition-stage", this::transition);
    mount.post("model-versions/set-tag", this::setTag);
    mount.delete("model-versions/delete-tag", this::deleteTag);
  }

  static VersionName version(MlflowRequest request) {
    String text = request.required("version", 100);
    if (!VersionName.valid(text)) {
      throw MlflowRequest.refused("'" + text + "' is no version: " + VersionName.RULE);
    }
    return new VersionName(text);
  }

  static ModelStage stage(String text) {
    return ModelStage.of(text)
        .orElseThrow(() ->
            MlflowRequest.refused(
                "'%s' is no stage: one of None, Staging, Production, Archived".formatted(text)));
  }

  static ObjectNode shape(Version version) {
    String word = version.about().stage().word();
    String run = run(version);
    String path = version.content().path();
    ObjectNode shape =
        MlflowShape.object()
            .put("name", version.model().value())
            .put("version", version.version().value())
            .put("creation_timestamp", version.createdAt().toEpochMilli())
            .put("last_updated_timestamp", version.changedAt().toEpochMilli())
            .put("user_id", version.owner())
            .put("current_stage", Character.toUpperCase(word.charAt(0)) + word.substring(1))
            .put("description", version.about().description())
            .put("source", path == null ? address(version) : path)
            .put("run_id", run == null ? "" : run)
            .put("run_link", "")
            .put("status", "READY");
    MlflowShape.pairs(shape.putArray("tags"), version.about().tags());
    ArrayNode aliases = shape.putArray("aliases");
    version.aliases().forEach(alias -> aliases.add(alias.value()));
    return shape;
  }

  private static @Nullable String run(Version version) {
    String run = Json.parse(version.about().source()).path("run").asText("");
    return run.isEmpty() ? null : run;
  }

  /** Where the files of a version are fetched. */
  private static String address(Version version) {
    String path = version.content().path();
    return version.content().digest() == null && path != null
        ? path
        : "%s%s/%s/%s".formatted(MlflowShape.SCHEME, FILES, version.model(), version.version());
  }

  private Future<Version> found(RoutingContext context, MlflowRequest request, Need need) {
    return access.version(context, MlflowModels.name(request), version(request), need);
  }

  private static ObjectNode answer(Version version) {
    return MlflowShape.object().set("model_version", shape(version));
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<ObjectNode> get(RoutingContext context, MlflowRequest request) {
    return found(context, request, Need.READ).map(MlflowVersions::answer);
  }

  private Future<ObjectNode> download(RoutingContext context, MlflowRequest request) {
    return found(context, request, Need.READ)
        .map(version -> MlflowShape.object().put("artifact_uri", address(version)));
  }

  private Future<ObjectNode> search(RoutingContext context, MlflowRequest request) {
    int limit = request.limit(PAGE, PAGE);
    long offset = request.offset();
    return new MlflowSearch<Version>(request, SearchSubject.VERSION, MlflowVersions::value)
        .run(cursor ->
            bus.request(
                    Models.VERSIONS,
                    new Models.ListVersions(null, Callers.visible(context), cursor, PAGE))
                .map(page -> new MlflowSearch.Page<>(page.items(), page.next())))
        .map(found -> {
          ObjectNode answer = MlflowShape.object();
          ArrayNode items = answer.putArray("model_versions");
          found.stream().skip(offset).limit(limit).forEach(version -> items.add(shape(version)));
          return MlflowShape.paged(answer, found.size() > offset + limit, offset + limit);
        });
  }

  private static @Nullable Object value(Version version, SearchField field) {
    return switch (field.kind()) {
      case TAG -> version.about().tags().get(field.key());
      case TEXT ->
          switch (field.key()) {
            case "name" -> version.model().value();
            case "run_id" -> run(version);
            case "version" -> version.version().value();
            default -> shape(version).path("source").asText();
          };
      case NUMBER ->
          switch (field.key()) {
            case "version_number" -> (double) version.number();
            case "creation_timestamp" -> (double) version.createdAt().toEpochMilli();
            default -> (double) version.changedAt().toEpochMilli();
          };
      case METRIC, PARAMETER -> null;
    };
  }

  // ---- registering ---------------------------------------------------------------------------

  private Future<ObjectNode> create(RoutingContext context, MlflowRequest request) {
    ModelName name = MlflowModels.name(request);
    String source = request.required("source", MOST_SOURCE);
    Matcher ofRun = OF_RUN.matcher(source);
    FromRun from = ofRun.matches() ? fromRun(ofRun) : null;
    String named = request.text("run_id", TrialRunId.MOST);
    String run = named == null || named.isEmpty() ? (from == null ? null : from.run()) : named;
    About about = about(request, run);
    return access
        .model(context, name, Need.CREATE)
        .compose(model -> readable(context, run))
        .compose(seen -> readable(context, from == null ? null : from.run()))
        .compose(seen -> access.model(context, name, Need.CREATE))
        .compose(model ->
            bus.request(
                Models.REGISTER,
                new Models.RegisterVersion(
                    Callers.actor(context),
                    name,
                    model.project(),
                    false,
                    null,
                    source,
                    List.of(),
                    null,
                    from,
                    about,
                    List.of(),
                    false)))
        .map(MlflowVersions::answer);
  }

  private static FromRun fromRun(Matcher ofRun) {
    String path = Objects.requireNonNullElse(ofRun.group(2), "");
    if (!path.isEmpty() && !ArtifactPath.valid(path)) {
      throw MlflowRequest.refused("'" + path + "' is no path: " + ArtifactPath.RULE);
    }
    return new FromRun(ofRun.group(1), path);
  }

  private Future<Void> readable(RoutingContext context, @Nullable String run) {
    return run == null ? Future.succeededFuture() : runs.run(context, run, Need.READ).mapEmpty();
  }

  private static About about(MlflowRequest request, @Nullable String run) {
    return new About(
        ModelStage.NONE,
        Objects.requireNonNullElse(request.text("description", Models.MOST_TEXT), ""),
        "",
        "{}",
        run == null ? "{}" : Json.write(Map.of("run", run)),
        request.tags());
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<ObjectNode> update(RoutingContext context, MlflowRequest request) {
    String description =
        Objects.requireNonNullElse(request.text("description", Models.MOST_TEXT), "");
    return found(context, request, Need.CHANGE)
        .compose(version ->
            change(context, version, version.about().stage(), description, version.about().tags()))
        .map(MlflowVersions::answer);
  }

  private Future<Version> change(
      RoutingContext context,
      Version version,
      ModelStage stage,
      String description,
      Map<String, String> tags) {
    About about = version.about();
    return bus.request(
        Models.CHANGE_VERSION,
        new Models.ChangeVersion(
            Callers.actor(context),
            version.model(),
            version.version(),
            new About(stage, description, about.framework(), about.metrics(), about.source(), tags),
            version.revision(),
            false));
  }

  private Future<ObjectNode> delete(RoutingContext context, MlflowRequest request) {
    return found(context, request, Need.CHANGE)
        .compose(version ->
            bus.request(
                Models.DELETE_VERSION,
                new Models.OfVersion(Callers.actor(context), version.model(), version.version())))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> transition(RoutingContext context, MlflowRequest request) {
    ModelStage stage = stage(request.required("stage", 40));
    boolean archive = Boolean.parseBoolean(request.text("archive_existing_versions", 10));
    return found(context, request, Need.CHANGE)
        .compose(version ->
            (archive ? archive(context, version, stage) : Future.<Void>succeededFuture())
                .compose(done ->
                    change(
                        context,
                        version,
                        stage,
                        version.about().description(),
                        version.about().tags())))
        .map(MlflowVersions::answer);
  }

  /** Archives the other versions of a stage, among the last thousand. */
  private Future<Void> archive(RoutingContext context, Version keep, ModelStage stage) {
    return bus.request(Models.VERSIONS, new Models.ListVersions(keep.model(), null, null, PAGE))
        .compose(page -> {
          Future<Void> archived = Future.succeededFuture();
          for (Version other : page.items()) {
            if (other.about().stage() == stage && other.number() != keep.number()) {
              archived =
                  archived
                      .compose(done ->
                          change(
                              context,
                              other,
                              ModelStage.ARCHIVED,
                              other.about().description(),
                              other.about().tags()))
                      .mapEmpty();
            }
          }
          return archived;
        });
  }

  private Future<ObjectNode> setTag(RoutingContext context, MlflowRequest request) {
    String key = MlflowRequest.key("key", request.required("key", MlflowRequest.MOST_KEY));
    String value = Objects.requireNonNullElse(request.text("value", MlflowRequest.MOST_TAG), "");
    return found(context, request, Need.CHANGE)
        .compose(version ->
            change(
                context,
                version,
                version.about().stage(),
                version.about().description(),
                MlflowModels.with(version.about().tags(), key, value)))
        .map(done -> MlflowShape.object());
  }

  private Future<ObjectNode> deleteTag(RoutingContext context, MlflowRequest request) {
    String key = request.required("key", MlflowRequest.MOST_KEY);
    return found(context, request, Need.CHANGE)
        .compose(version -> {
          Map<String, String> tags = new HashMap<>(version.about().tags());
          tags.remove(key);
          return change(
              context, version, version.about().stage(), version.about().description(), tags);
        })
        .map(done -> MlflowShape.object());
  }
}
