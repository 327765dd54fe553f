package io.orrery.studio.build;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.build.PushedImageTable.Push;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The images that builds have pushed last, which services take by {@code imageOf}. */
public final class LastImages {
  /** The key by which the document of a service names a build. */
  public static final String KEY = "imageOf";

  private static final String POINTER = "/" + KEY;

  private final Store store;
  private final BuildTable builds;
  private final PushedImageTable pushes;

  /** Those of the builds of a store. */
  public LastImages(Store store) {
    this.store = store;
    this.builds = new BuildTable(store);
    this.pushes = new PushedImageTable(store);
  }

  /**
   * The image that a build has pushed last, by its digest. A build that runs again or has failed
   * since has the image of before.
   *
   * @return fails with Refused when the project has no such build, or that has no image yet
   */
  public Future<String> find(ProjectName project, String name) {
    return builds
        .find(name)
        .compose(found -> {
          ImageBuild build =
              found
                  .filter(each -> each.project().equals(project))
                  .orElseThrow(
                      () -> refused("the project %s has no build '%s'".formatted(project, name)));
          if (build.spec().isEnvironment()) {
            throw refused(
                "build %s makes the environment %s, which is named as image"
                    .formatted(name, build.spec().target()));
          }
          Optional<Push> last = PushedImageTable.of(build);
          return last.isPresent()
              ? Future.succeededFuture(last.get().image().toString())
              : earlier(build);
        });
  }

  /** The image of an earlier start of a build, whose target may have been another one. */
  private Future<String> earlier(ImageBuild build) {
    String digest = build.digest();
    return (digest == null ? Future.succeededFuture(List.<Push>of()) : pushes.of(build, digest))
        .map(all ->
            all.stream()
                .findFirst()
                .map(push -> push.image().toString())
                .orElseThrow(() ->
                    refused(
                        build.status().isOver()
                            ? "build %s is %s and has pushed no image yet: see orrery build logs %1$s"
                                .formatted(build.name(), build.status())
                            : "build %s is %s and has pushed no image yet: try again when orrery build logs %1$s --follow ends"
                                .formatted(build.name(), build.status()))));
  }

  /** The services that take the image of a build of their project: one for each. */
  Future<Map<BuildRef, String>> users() {
    return named()
        .map(all -> {
          Map<BuildRef, String> users = new HashMap<>();
          all.forEach(user -> users.putIfAbsent(user.build(), "service " + user.service()));
          return users;
        });
  }

  /** Completes when no service takes the image of a build; fails with Conflict. */
  Future<Void> requireNone(ImageBuild build) {
    BuildRef ref = new BuildRef(build.project(), build.name());
    return named()
        .map(all -> {
          List<String> users =
              all.stream().filter(user -> user.build().equals(ref)).map(User::service).toList();
          if (!users.isEmpty()) {
            throw new Problem.Conflict(
                    "Build %s is used by %s %s, by %s."
                        .formatted(
                            build.name(),
                            users.size() == 1 ? "the service" : "the services",
                            String.join(", ", users),
                            KEY))
                .toException();
          }
          return null;
        });
  }

  private Future<List<User>> named() {
    return store.read(
        Statement.of(
            "select name, project, document from services where document like ? order by name",
            "%\"" + KEY + "\"%"),
        row ->
            new User(
                row.text("name"),
                new BuildRef(
                    new ProjectName(row.text("project")),
                    Json.parse(row.text("document")).path(KEY).asText(""))));
  }

  private record User(String service, BuildRef build) {}

  /** A build as documents of its project name it. */
  record BuildRef(ProjectName project, String name) {}

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding(POINTER, message)).toException();
  }
}
