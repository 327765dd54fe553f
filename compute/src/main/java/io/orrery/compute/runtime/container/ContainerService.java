package io.orrery.compute.runtime.container;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.FilePiece;
import io.orrery.compute.service.ImageLogins;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The training service of steps in containers: each attempt is a container of an engine of this
 * machine, which goes on when the server is away. Its files are those of other attempts of the
 * home.
 */
final class ContainerService implements TrainingService {
  private static final byte[] NOTHING = {};

  private final Surroundings with;
  private final Map<String, StepEngine> engines = new TreeMap<>();
  private final Map<AttemptRef, StepKeeper> keepers = new ConcurrentHashMap<>();

  ContainerService(Surroundings surroundings, List<ContainerCluster> clusters, ImageLogins logins) {
    this.with = surroundings;
    Path home = surroundings.home().toAbsolutePath().normalize();
    clusters.forEach(cluster ->
        engines.put(
            cluster.name(),
            new StepEngine(surroundings.vertx(), cluster, home, logins, surroundings.clock())));
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return Future.succeededFuture();
  }

  private Path directory(AttemptRef attempt) {
    return AttemptLayout.attempt(with.home(), attempt);
  }

  private @Nullable StepEngine find(Submission submission) {
    return engines.get(StepSettings.of(submission).cluster());
  }

  private StepEngine engine(Submission submission) {
    StepEngine engine = find(submission);
    if (engine == null) {
      String cluster = StepSettings.of(submission).cluster();
      throw new Problem.Refused(
              new Finding(
                  "",
                  "there is no cluster '%s' of containers in this server's configuration; there is %s"
                      .formatted(cluster, String.join(", ", engines.keySet()))))
          .toException();
    }
    return engine;
  }

  @Override
  public Future<Void> submit(Submission submission) {
    try {
      keep(submission);
      return Future.succeededFuture();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void keep(Submission submission) {
    AttemptRef attempt = submission.attempt();
    StepKeeper fresh =
        new StepKeeper(
            engine(submission),
            with.clock(),
            submission,
            directory(attempt),
            event -> with.listener().happened(event));
    StepKeeper known = keepers.putIfAbsent(attempt, fresh);
    if (known != null) {
      known.tellAgain();
      return;
    }
    fresh.ended().onSuccess(over -> keepers.remove(attempt, fresh));
    fresh.begin();
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    StepKeeper keeper = keepers.get(attempt);
    return keeper != null
        ? keeper.cancel()
        : with.vertx()
            .executeBlocking(
                () -> {
                  StepKeeper.refuse(directory(attempt), with.clock().now());
                  for (StepEngine engine : engines.values()) {
                    engine.engine().remove(engine.name(attempt), true);
                  }
                  return StepKeeper.end(directory(attempt));
                },
                false)
            .map(end -> {
              if (end != null) {
                with.listener()
                    .happened(
                        new PlatformEvent.Ended(attempt, end.exitCode(), end.at(), end.reason()));
              }
              return null;
            });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return with.vertx()
        .executeBlocking(
            () -> {
              List<AttemptRef> unknown = new ArrayList<>();
              List<Submission> known = new ArrayList<>();
              for (Submission each : submissions) {
                // A cluster that was taken out of the configuration has no engine.
                StepEngine engine = find(each);
                if (engine != null && isThere(engine, each.attempt())) {
                  known.add(each);
                } else {
                  unknown.add(each.attempt());
                }
              }
              known.forEach(this::keep);
              return unknown;
            },
            false);
  }

  private boolean isThere(StepEngine engine, AttemptRef attempt) throws IOException {
    return StepKeeper.end(directory(attempt)) != null
        || StepKeeper.hasStarted(directory(attempt))
        || engine.engine().inspect(engine.name(attempt)) != null;
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return with.vertx().executeBlocking(() -> read(attempt, stream, offset, limit), false);
  }

  private LogPiece read(AttemptRef attempt, Stream stream, long offset, int limit)
      throws IOException {
    Path directory = directory(attempt);
    if (!Files.isDirectory(directory) || stream == Stream.TRIAL) {
      throw new Problem.NotFound("There are no files of " + attempt + " on this machine.")
          .toException();
    }
    boolean over = StepKeeper.end(directory) != null;
    Path folder = directory.resolve(AttemptLayout.file(stream));
    try {
      FilePiece piece = FilePiece.readConfined(folder, folder.resolve("log"), offset, limit);
      return new LogPiece(piece.bytes(), piece.next(), over && piece.next() >= piece.size());
    } catch (NoSuchFileException notYet) {
      return new LogPiece(NOTHING, Math.max(0, offset), over);
    }
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return with.vertx()
        .executeBlocking(
            () -> {
              DirectoryTree.delete(AttemptLayout.experiment(with.home(), experiment));
              return null;
            },
            false);
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    Map<AttemptRef, StepKeeper> all = new HashMap<>(keepers);
    all.forEach((attempt, keeper) -> {
      if (attempt.trial().experiment().equals(experiment)) {
        keepers.remove(attempt, keeper);
        keeper.leave();
      }
    });
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    keepers.values().forEach(StepKeeper::leave);
    List<Future<Void>> closing = engines.values().stream().map(StepEngine::close).toList();
    return Future.join(closing).<@Nullable Void>map((Void) null).mapEmpty();
  }
}
