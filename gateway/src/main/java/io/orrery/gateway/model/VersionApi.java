package io.orrery.gateway.model;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.FromTrial;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Download;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The API of the versions of models and their files, {@code /api/v1/models/<model>/versions}. */
final class VersionApi implements Api {
  private static final String ALL = ModelApi.ONE + "/versions";
  private static final String ONE = ALL + "/:version";
  private static final int MAX_BYTES = 16 << 20;
  private static final List<String> ABOUT =
      List.of("stage", "description", "framework", "metrics", "tags");
  static final List<String> KEYS =
      List.of(
          "version",
          "path",
          "files",
          "source",
          "aliases",
          "stage",
          "description",
          "framework",
          "metrics",
          "tags");
  private static final About NOTHING = new About(ModelStage.NONE, "", "", "{}", "{}", Map.of());

  private final Bus bus;
  private final RequestBody bodies;
  private final Ownerships experiments;
  private final Clock clock;
  private final Duration patience;
  private final ProjectAccess projects;
  private final ModelAccess access;

  /**
   * @param patience how long a client may read nothing
   */
  public VersionApi(
      Bus bus, RequestBody bodies, Ownerships experiments, Clock clock, Duration patience) {
    this.bus = bus;
    this.bodies = bodies;
    this.experiments = experiments;
    this.clock = clock;
    this.patience = patience;
    this.projects = new ProjectAccess(bus);
    this.access = new ModelAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "cursor", "limit");
    router.post(ALL, RouteNeed.STUDIO, this::register, "project", "dryRun");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.patch(ONE, RouteNeed.STUDIO, this::change, "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/files", RouteNeed.STUDIO, this::files, "cursor", "limit");
    router.stream(ONE + "/file", RouteNeed.STUDIO, this::read, "path", "offset");
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return access
        .model(context, ModelAccess.name(context), Need.READ)
        .compose(model ->
            bus.request(
                Models.VERSIONS,
                new Models.ListVersions(
                    model.name(), null, query.text("cursor"), Pages.limit(query))))
        .map(page -> Reply.ok(Pages.of(page.items(), ModelShape::of, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ).map(version -> answer(context, version));
  }

  private static Reply answer(RoutingContext context, Version version) {
    Revisions.tag(context, version.revision());
    return Reply.ok(ModelShape.of(version));
  }

  private Future<Version> allowed(RoutingContext context, Need need) {
    return access.version(
        context, ModelAccess.name(context), ModelAccess.versionName(context), need);
  }

  private Future<Reply> files(RoutingContext context) {
    return allowed(context, Need.READ)
        .compose(version -> filesOf(version, ""))
        .map(files ->
            Reply.ok(Pages.cut(Query.of(context), Pages.of(files, ModelShape::of, null), "/path")));
  }

  private Future<List<ArtifactFile>> filesOf(Version version, String path) {
    return bus.request(Artifacts.LIST, new Artifacts.ListFiles(Models.tree(version.id()), path))
        .map(Artifacts.Files::files);
  }

  private void read(RoutingContext context) {
    Query query = Query.of(context);
    String path = query.text("path");
    if (path == null) {
      throw new Problem.Refused(new Finding("", "the query parameter 'path' says which file"))
          .toException();
    }
    long offset = query.integer("offset", 0, 0, Long.MAX_VALUE);
    allowed(context, Need.READ)
        .compose(version ->
            filesOf(version, path)
                .map(files ->
                    files.stream()
                        .filter(file -> file.path().equals(path))
                        .findFirst()
                        .orElseThrow(() ->
                            new Problem.NotFound(
                                    "Version %s of model '%s' has no file '%s'."
                                        .formatted(version.version(), version.model(), path))
                                .toException())))
        .onSuccess(file -> {
          context.response().putHeader("Content-Disposition", "attachment");
          new Download(clock, patience)
              .send(
                  context,
                  "application/octet-stream",
                  offset,
                  (from, limit) ->
                      bus.request(Artifacts.READ, new Artifacts.Read(file.digest(), from, limit)));
        })
        .onFailure(context::fail);
  }

  // ---- registering ---------------------------------------------------------------------------

  private Future<Reply> register(RoutingContext context) {
    ModelName name = ModelAccess.name(context);
    Query query = Query.of(context);
    boolean dryRun = query.flag("dryRun");
    ProjectName project = query.read("project", ProjectAccess::named);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Registration wanted = registration(text);
          return readable(context, wanted.source())
              .compose(seen -> owner(context, name, project, !wanted.aliases().isEmpty()))
              .compose(owner ->
                  bus.request(
                      Models.REGISTER,
                      new Models.RegisterVersion(
                          Callers.actor(context),
                          name,
                          owner.project(),
                          true,
                          wanted.version(),
                          wanted.path(),
                          wanted.files(),
                          wanted.trial(),
                          null,
                          wanted.about(),
                          wanted.aliases(),
                          dryRun)));
        })
        .map(version -> {
          if (dryRun) {
            return Reply.ok(ModelShape.of(version).put("valid", true));
          }
          Revisions.tag(context, version.revision());
          return Reply.created(
              ModelApi.ALL + "/" + name + "/versions/" + version.version(), ModelShape.of(version));
        });
  }

  /** The body of a registration. */
  private record Registration(
      @Nullable VersionName version,
      @Nullable String path,
      List<ArtifactFile> files,
      @Nullable FromTrial trial,
      Map<String, String> source,
      About about,
      List<ModelAlias> aliases) {}

  private static Registration registration(String text) {
    Fields fields =
        Fields.of(text, KEYS, "{\"source\": {\"experiment\": \"abcd\"}, \"stage\": \"staging\"}");
    ModelFields read = new ModelFields(fields);
    Map<String, String> source = read.source();
    String path = read.path();
    List<ArtifactFile> files = read.files();
    String experiment = source.get("experiment");
    String trial = source.get("trial");
    FromTrial taken =
        path == null && files.isEmpty() && experiment != null
            ? new FromTrial(
                new ExperimentId(experiment),
                trial == null ? null : new TrialId(trial),
                Objects.requireNonNullElse(source.get("path"), ""))
            : null;
    if ((path == null ? 0 : 1) + (files.isEmpty() ? 0 : 1) + (taken == null ? 0 : 1) != 1) {
      fields.wrong(
          "path",
          "a version has either a path, or files that are uploaded, or a source with the experiment"
              + " whose files are taken");
    }
    About about = read.about(NOTHING);
    Registration registration =
        new Registration(
            read.version(),
            path,
            files,
            taken,
            source,
            new About(
                about.stage(),
                about.description(),
                about.framework(),
                about.metrics(),
                Json.write(source),
                about.tags()),
            read.aliases());
    fields.check();
    return registration;
  }

  /** Completes when the caller may read the experiment that a source names. */
  private Future<Void> readable(RoutingContext context, Map<String, String> source) {
    String experiment = source.get("experiment");
    return experiment == null
        ? Future.succeededFuture()
        : experiments.require(Callers.of(context), Need.READ, new ExperimentId(experiment));
  }

  /** The project of the model, in which the caller may register a version. */
  private Future<ResourceOwner> owner(
      RoutingContext context, ModelName name, @Nullable ProjectName project, boolean aliases) {
    Caller caller = Callers.of(context);
    return bus.request(Models.GET, new Models.GetModel(name))
        .compose(
            model -> {
              ResourceOwner owner = new ResourceOwner(model.project(), model.owner());
              Callers.require(caller, Need.CREATE, owner, "model '" + name + "'");
              if (aliases) {
                Callers.require(caller, Need.CHANGE, owner, "model '" + name + "'");
              }
              return Future.succeededFuture(owner);
            },
            failure ->
                Problem.of(failure) instanceof Problem.NotFound
                    ? projects.forCreation(context, project)
                    : Future.failedFuture(failure));
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Reply> change(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(context, Need.CHANGE)
                .compose(version -> {
                  Fields fields = Fields.of(text, ABOUT, "{\"stage\": \"production\"}");
                  About about = new ModelFields(fields).about(version.about());
                  fields.check();
                  return bus.request(
                      Models.CHANGE_VERSION,
                      new Models.ChangeVersion(
                          Callers.actor(context),
                          version.model(),
                          version.version(),
                          about,
                          Revisions.expected(context),
                          dryRun));
                }))
        .map(version ->
            dryRun
                ? Reply.ok(ModelShape.of(version).put("valid", true))
                : answer(context, version));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(version ->
            bus.request(
                Models.DELETE_VERSION,
                new Models.OfVersion(Callers.actor(context), version.model(), version.version())))
        .map(Reply.empty(204));
  }
}
