package io.orrery.studio.environment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
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
    return bus.request(Builds.FREEZE, new Builds.FreezeEnvironment(project, image, pointer))
        .map(Builds.FrozenEnvironment::image);
  }
}
