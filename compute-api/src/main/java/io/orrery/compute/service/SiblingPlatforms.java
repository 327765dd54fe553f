package io.orrery.compute.service;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * The other platforms of a server, as one sees them that shares its attempts out among them. Thread
 * safe.
 */
public interface SiblingPlatforms {
  /** Nobody else is there. */
  SiblingPlatforms NONE =
      new SiblingPlatforms() {
        @Override
        public Future<TrainingService> service(String platform) {
          return Future.failedFuture(
              new Problem.NotFound("no platform '" + platform + "' beside this one").toException());
        }

        @Override
        public void overhear(Consumer<PlatformEvent> ear) {}
      };

  /** The service of a platform; fails with NotFound when there is none of this name. */
  Future<TrainingService> service(String platform);

  /**
   * From now on somebody hears what happens on any platform, after it was told to whom it concerns.
   * Called from any thread; must not block.
   */
  void overhear(Consumer<PlatformEvent> ear);
}
