package io.orrery.orchestrator.platform;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The platforms that this server has: found by the service loader, opened at once. Thread safe. */
public final class Platforms {
  private final Surroundings surroundings;
  private final Map<String, TrainingServiceFactory> factories = new TreeMap<>();
  private final Map<String, TrainingService> open = new TreeMap<>();

  /**
   * Opens them all. To be called outside any verticle: Vert.x takes a verticle's timers with it,
   * and those of a platform must outlive whoever happens to need it first.
   */
  public Platforms(Surroundings surroundings) {
    this.surroundings = surroundings;
    for (TrainingServiceFactory factory : ServiceLoader.load(TrainingServiceFactory.class)) {
      factories.put(factory.platform(), factory);
      open.put(factory.platform(), factory.open(surroundings));
    }
  }

  /** The names of all platforms, sorted. */
  public List<String> names() {
    return List.copyOf(factories.keySet());
  }

  /** One sentence about a platform that is here. */
  public String summary(String platform) {
    TrainingServiceFactory factory = factories.get(platform);
    return factory == null ? "" : factory.summary();
  }

  /** What the platform of a specification has against it. Looks at the disk. */
  public List<Finding> check(ExperimentSpec spec) {
    TrainingServiceFactory factory = factories.get(spec.trainingService().platform());
    if (factory == null) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>(factory.check(spec));
    factory
        .codeDirectories(spec)
        .forEach((pointer, directory) ->
            findings.addAll(surroundings.keepers().check(pointer, directory)));
    return findings;
  }

  /**
   * What the platform of a specification wants its author to know; nothing when it cannot be asked.
   */
  public Future<List<String>> notices(ExperimentSpec spec) {
    return service(spec.trainingService().platform())
        .compose(service -> service.notices(spec))
        .otherwise(List.of());
  }

  /** The service of a platform; fails with NotFound when there is none of this name. */
  public Future<TrainingService> service(String platform) {
    TrainingService service = open.get(platform);
    return service == null
        ? Future.failedFuture(
            new Problem.NotFound("no platform '" + platform + "' here; there are " + names())
                .toException())
        : Future.succeededFuture(service);
  }

  /** Whether experiments of a platform can be rehearsed. */
  public boolean rehearses(String platform) {
    TrainingServiceFactory factory = factories.get(platform);
    return factory != null && factory.rehearses();
  }

  /**
   * Opens another service of a platform that can be rehearsed, on the caller's context; who opens
   * it closes it.
   *
   * @param clock the time that it lives in
   * @param listener who is told what happens there
   */
  public TrainingService rehearsing(String platform, Clock clock, PlatformListener listener) {
    return Objects.requireNonNull(factories.get(platform), platform)
        .open(
            new Surroundings(
                surroundings.vertx(),
                clock,
                surroundings.home(),
                surroundings.sdk(),
                surroundings.access(),
                listener,
                surroundings.keepers()));
  }

  /** Lets go of all services; attempts go on running. */
  public Future<Void> close() {
    return Future.join(open.values().stream().map(TrainingService::close).toList()).mapEmpty();
  }
}
