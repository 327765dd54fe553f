package io.orrery.orchestrator.platform;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The platforms that this server has: found by the service loader, opened when first needed. Thread
 * safe.
 */
public final class Platforms {
  private final Map<String, TrainingServiceFactory> factories = new TreeMap<>();
  private final Map<String, TrainingService> open = new ConcurrentHashMap<>();
  private final Surroundings surroundings;

  public Platforms(Surroundings surroundings) {
    this.surroundings = surroundings;
    for (TrainingServiceFactory factory : ServiceLoader.load(TrainingServiceFactory.class)) {
      factories.put(factory.platform(), factory);
    }
  }

  /** The names of all platforms, sorted. */
  public List<String> names() {
    return List.copyOf(factories.keySet());
  }

  /** What the platform of a specification has against it. */
  public List<Finding> check(ExperimentSpec spec) {
    TrainingServiceFactory factory = factories.get(spec.trainingService().platform());
    return factory == null ? List.of() : factory.check(spec);
  }

  /** The service of a platform; fails with NotFound when there is none of this name. */
  public Future<TrainingService> service(String platform) {
    TrainingServiceFactory factory = factories.get(platform);
    if (factory == null) {
      return Future.failedFuture(
          new Problem.NotFound("no platform '" + platform + "' here; there are " + names())
              .toException());
    }
    return Future.succeededFuture(
        open.computeIfAbsent(platform, name -> factory.open(surroundings)));
  }

  /** Lets go of all services; attempts go on running. */
  public Future<Void> close() {
    return Future.join(open.values().stream().map(TrainingService::close).toList()).mapEmpty();
  }
}
