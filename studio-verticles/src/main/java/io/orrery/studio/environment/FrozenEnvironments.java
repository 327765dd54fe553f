package io.orrery.studio.environment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Replaces {@code env:<name>} by the digest that the environment has at this moment. */
public final class FrozenEnvironments {
  private FrozenEnvironments() {}

  /** The same with the digest of its environment; fails with Refused when there is none. */
  public static Future<Want> freeze(Bus bus, Want want) {
    return freeze(bus, want.project(), want.spec().image(), "/image")
        .map(image ->
            image == null || image.equals(want.spec().image())
                ? want
                : new Want(
                    want.workload(),
                    want.project(),
                    want.owner(),
                    want.runtime(),
                    want.generation(),
                    want.spec().withImage(image),
                    want.code(),
                    want.replicas(),
                    want.route()));
  }

  /**
   * The image with the digest of its environment.
   *
   * @param image null for none
   * @param pointer to it in the document
   * @return fails with Refused when there is no such environment
   */
  public static Future<@Nullable String> freeze(
      Bus bus, ProjectName project, @Nullable String image, String pointer) {
    if (image == null || EnvironmentName.isContainer(image)) {
      return Future.succeededFuture(image);
    }
    EnvironmentName name =
        EnvironmentName.parse(image)
            .orElseThrow(() ->
                refused(pointer, "an environment is named env:<name>, not '%s'".formatted(image)));
    if (name.digest() != null) {
      return Future.succeededFuture(image);
    }
    return bus.request(Builds.GET, new Builds.GetBuild(name.name()))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(missing(name, pointer))
                : Future.failedFuture(failure))
        .map(build -> {
          if (!build.spec().isEnvironment() || !build.project().equals(project)) {
            throw missing(name, pointer);
          }
          return name.at(digest(build, pointer)).toString();
        });
  }

  private static String digest(ImageBuild build, String pointer) {
    String digest = build.digest();
    if (digest == null && !build.status().isOver()) {
      throw refused(
          pointer,
          "the environment %s is not complete yet (%s): try again when orrery build logs %s --follow ends"
              .formatted(build.spec().target(), build.status(), build.name()));
    }
    if (digest == null) {
      throw refused(
          pointer,
          "the environment %s is %s and was never complete: see orrery build logs %s"
              .formatted(build.spec().target(), build.status(), build.name()));
    }
    return digest.substring(digest.indexOf(':') + 1);
  }

  private static RuntimeException missing(EnvironmentName name, String pointer) {
    return refused(
        pointer,
        "the project has no environment %s: build one with kind ImageBuild and requirements"
            .formatted(name));
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
