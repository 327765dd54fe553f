package io.orrery.studio.environment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * The digests that environments have at this moment.
 *
 * @param builds finds a build by its name; fails with NotFound
 */
public record EnvironmentDigests(Function<String, Future<ImageBuild>> builds) {
  /**
   * An environment with its digest.
   *
   * @param image {@code env:<name>}, with a digest or without
   * @param pointer to it in the document
   * @return fails with Refused when there is no such environment
   */
  public Future<EnvironmentName> find(ProjectName project, String image, String pointer) {
    EnvironmentName name =
        EnvironmentName.parse(image)
            .orElseThrow(() ->
                refused(pointer, "an environment is named env:<name>, not '%s'".formatted(image)));
    if (name.digest() != null) {
      return Future.succeededFuture(name);
    }
    return builds
        .apply(name.name())
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(missing(name, pointer))
                : Future.failedFuture(failure))
        .map(build -> {
          if (!build.spec().isEnvironment() || !build.project().equals(project)) {
            throw missing(name, pointer);
          }
          return name.at(digest(build, pointer));
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
