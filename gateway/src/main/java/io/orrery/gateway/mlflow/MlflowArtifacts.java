package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Tracking.RunState;
import io.orrery.core.bus.contract.TrialKeepers.Folder;
import io.orrery.core.bus.contract.TrialKeepers.FolderEntry;
import io.orrery.core.id.TrialRef;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.artifact.ArtifactUploads;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Download;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.model.ModelAccess;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * MLflow's artifacts: the list of those of a run, and the proxy through which clients send and
 * fetch them. A path of the proxy is {@code <experiment>/<run>/artifacts/<path>}, or {@code
 * models/<model>/<version>/<path>} for the files of a version, which are only read. The artifacts
 * of a trial are the files that it left on this server.
 */
final class MlflowArtifacts {
  private static final String PROXY = "/api/2.0/mlflow-artifacts/artifacts";
  private static final int PREFIX = 3;
  private static final int MOST_PATH = 2_000;

  private final Bus bus;
  private final MlflowAccess access;
  private final ModelAccess models;
  private final MlflowTrialFiles trials;
  private final ArtifactUploads uploads;
  private final Clock clock;
  private final Duration patience;

  MlflowArtifacts(
      Bus bus, MlflowAccess access, ArtifactUploads uploads, Clock clock, Duration patience) {
    this.bus = bus;
    this.access = access;
    this.models = new ModelAccess(bus);
    this.trials = new MlflowTrialFiles(bus);
    this.uploads = uploads;
    this.clock = clock;
    this.patience = patience;
  }

  void mount(MlflowApi.Mount mount, ApiRouter router) {
    mount.get("artifacts/list", this::list);
    router.get(PROXY, RouteNeed.STUDIO, MlflowErrors.told(false, this::listProxy));
    router.file(PROXY + "/*", RouteNeed.STUDIO, this::read);
    router.put(PROXY + "/*", RouteNeed.STUDIO, MlflowErrors.told(false, this::write));
    router.delete(PROXY + "/*", RouteNeed.STUDIO, MlflowErrors.told(false, this::delete));
  }

  /**
   * A path below a tree.
   *
   * @param trial whose files are meant in the place of a tree; null for a tree
   */
  private record Place(String tree, String path, @Nullable TrialRef trial) {
    static Place ofRun(RunState run, String path) {
      return new Place(
          Artifacts.treeOfRun(run.id()), path, TrialRunId.trial(run.id()).orElse(null));
    }
  }

  // ---- lists ---------------------------------------------------------------------------------

  private Future<ObjectNode> list(RoutingContext context, MlflowRequest request) {
    String path = checked(Objects.requireNonNullElse(request.text("path", MOST_PATH), ""));
    String token = request.text("page_token", MOST_PATH);
    return access
        .run(context, MlflowRuns.id(request), Need.READ)
        .compose(run ->
            entries(Place.ofRun(run, path), token)
                .map(page -> {
                  ObjectNode answer =
                      MlflowShape.object()
                          .put("root_uri", MlflowShape.artifacts(run.experiment(), run.id()));
                  shape(answer, page.entries(), path.isEmpty() ? "" : path + "/");
                  return page.next() == null ? answer : answer.put("next_page_token", page.next());
                }));
  }

  private Future<Reply> listProxy(RoutingContext context) {
    String asked = Objects.requireNonNullElse(context.request().getParam("path"), "");
    return place(context, asked, Need.READ)
        .compose(place ->
            entries(place, null)
                .map(page -> {
                  if (page.next() != null) {
                    throw new Problem.TooLarge(
                            "The directory '%s' has more than %,d files and directories, and this list has no pages: artifacts/list has."
                                .formatted(place.path(), MlflowTrialFiles.PAGE))
                        .toException();
                  }
                  return Reply.ok(shape(MlflowShape.object(), page.entries(), ""));
                }));
  }

  private Future<List<ArtifactFile>> files(Place place) {
    return bus.request(Artifacts.LIST, new Artifacts.ListFiles(place.tree(), place.path()))
        .map(Artifacts.Files::files);
  }

  /** A page of the files and directories of a directory. A tree has few enough files for one. */
  private Future<Folder> entries(Place place, @Nullable String token) {
    String after = token == null || token.isEmpty() ? null : token;
    if (place.trial() != null) {
      return trials.folder(place.trial(), place.path(), after);
    }
    return files(place).map(files -> new Folder(below(place.path(), files), null));
  }

  private static List<FolderEntry> below(String directory, List<ArtifactFile> files) {
    TreeMap<String, FolderEntry> entries = new TreeMap<>();
    for (ArtifactFile file : files) {
      if (!file.path().equals(directory)) {
        String below = ArtifactPath.below(directory, file.path());
        int slash = below.indexOf('/');
        String name = slash < 0 ? below : below.substring(0, slash);
        entries.put(name, new FolderEntry(name, slash >= 0, slash < 0 ? file.bytes() : 0));
      }
    }
    return List.copyOf(entries.values());
  }

  private static ObjectNode shape(ObjectNode answer, List<FolderEntry> entries, String prefix) {
    ArrayNode list = answer.putArray("files");
    for (FolderEntry entry : entries) {
      ObjectNode shape =
          list.addObject().put("path", prefix + entry.name()).put("is_dir", entry.directory());
      if (!entry.directory()) {
        shape.put("file_size", entry.bytes());
      }
    }
    return answer;
  }

  // ---- the proxy -----------------------------------------------------------------------------

  private void read(RoutingContext context) {
    place(context, path(context.request()), Need.READ)
        .compose(this::readable)
        .onSuccess(file -> {
          context.response().putHeader("Content-Disposition", "attachment");
          new Download(clock, patience).send(context, "application/octet-stream", 0, file);
        })
        .onFailure(failure -> MlflowErrors.write(context, failure));
  }

  /** The way to read the file of a place; fails with NotFound where there is none. */
  private Future<Download.Source> readable(Place place) {
    if (place.path().isEmpty()) {
      return Future.failedFuture(missing(place.path()));
    }
    if (place.trial() != null) {
      return trials.open(place.trial(), place.path());
    }
    return files(place)
        .map(files -> {
          ArtifactFile file =
              files.stream()
                  .filter(each -> each.path().equals(place.path()))
                  .findFirst()
                  .orElseThrow(() -> missing(place.path()));
          return (from, limit) ->
              bus.request(Artifacts.READ, new Artifacts.Read(file.digest(), from, limit));
        });
  }

  static RuntimeException missing(String path) {
    return new Problem.NotFound("There is no artifact '" + path + "'.").toException();
  }

  private Future<Reply> write(RoutingContext context) {
    HttpServerRequest request = context.request();
    Future<Place> allowed =
        place(context, path(request), Need.CHANGE)
            .map(place -> {
              if (place.path().isEmpty()) {
                throw MlflowRequest.refused("the path of the artifact is missing");
              }
              return place;
            });
    return uploads
        .receive(request, null, allowed)
        .compose(stored ->
            allowed.compose(place ->
                bus.request(
                    Artifacts.PUT,
                    new Artifacts.PutFile(
                        place.tree(),
                        new ArtifactFile(place.path(), stored.digest(), stored.bytes())))))
        .map(done -> Reply.ok(MlflowShape.object()));
  }

  private Future<Reply> delete(RoutingContext context) {
    return place(context, path(context.request()), Need.CHANGE)
        .compose(place ->
            bus.request(Artifacts.DROP, new Artifacts.DropFiles(place.tree(), place.path())))
        .map(done -> Reply.ok(MlflowShape.object()));
  }

  private static String path(HttpServerRequest request) {
    String whole = request.path();
    int at = whole.indexOf(PROXY);
    try {
      return URLDecoder.decode(
          whole.substring(at + PROXY.length() + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw MlflowRequest.refused("the path has a % without two hexadecimal digits");
    }
  }

  /** The place of a path of the proxy, upon which the caller may do something. */
  private Future<Place> place(RoutingContext context, String asked, Need need) {
    String[] names = asked.split("/", PREFIX + 1);
    if (names.length < PREFIX) {
      throw MlflowRequest.refused("a path is <experiment>/<run>/artifacts/…, not '" + asked + "'");
    }
    String path = checked(names.length > PREFIX ? names[PREFIX] : "");
    if (names[0].equals(MlflowVersions.FILES)) {
      return ofVersion(context, names, path, need);
    }
    if (!names[2].equals("artifacts")) {
      throw MlflowRequest.refused("a path is <experiment>/<run>/artifacts/…, not '" + asked + "'");
    }
    return (need == Need.READ
            ? access.run(context, names[1], need)
            : access.loggable(context, names[1]))
        .map(run -> {
          if (!run.experiment().equals(names[0])) {
            throw new Problem.NotFound("Experiment %s has no run %s.".formatted(names[0], names[1]))
                .toException();
          }
          return Place.ofRun(run, path);
        });
  }

  private Future<Place> ofVersion(RoutingContext context, String[] names, String path, Need need) {
    if (need != Need.READ) {
      throw MlflowRequest.refused("the files of a version of a model cannot be changed");
    }
    if (!ModelName.valid(names[1]) || !VersionName.valid(names[2])) {
      throw new Problem.NotFound("There is no model '" + names[1] + "'.").toException();
    }
    return models
        .version(context, new ModelName(names[1]), new VersionName(names[2]), need)
        .map(version -> new Place(Models.tree(version.id()), path, null));
  }

  private static String checked(String path) {
    String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (!plain.isEmpty() && !ArtifactPath.valid(plain)) {
      throw MlflowRequest.refused("'" + path + "' is no path: " + ArtifactPath.RULE);
    }
    return plain;
  }
}
