package io.orrery.compute.service;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * The other platforms of a server, as one sees them that shares its attempts out among them. Thread
 * safe.
 */
public interface SiblingPlatforms {
  /** An instance for a platform that is alone. */
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
   * Registers a consumer of the events of all platforms, which gets each of them after the listener
   * that it is meant for. Called from any thread; must not block.
   */
  void overhear(Consumer<PlatformEvent> ear);
}
