package io.orrery.orchestrator.run;

import io.orrery.compute.catalog.Platforms;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets runs that are over: their rows at once, then their directories and logs. Artifacts that
 * no run has any more are deleted by the sweep.
 */
final class RunDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(RunDeletion.class);

  private final Vertx vertx;
  private final RunTable table;
  private final Platforms platforms;
  private final Path home;
  private final ArtifactCharges charges;

  RunDeletion(StepRunner.Surroundings with) {
    this.vertx = with.vertx();
    this.table = with.table();
    this.platforms = with.platforms();
    this.home = with.home();
    this.charges = with.charges();
  }

  /** Forgets a run; answers when that is durable. */
  Future<Void> delete(RunId id) {
    return table
        .load(id)
        .compose(stored -> {
          if (!stored.state().status().isOver()) {
            throw new Problem.Conflict(
                    "Run %s is %s: stop it first.".formatted(id, stored.state().status()))
                .toException();
          }
          Set<String> used =
              new RunGraph(stored.spec())
                  .steps().stream()
                      .map(StepSpec::platform)
                      .filter(name -> !List.of(StepWork.SERVER, StepWork.PEOPLE).contains(name))
                      .collect(Collectors.toSet());
          return table
              .artifactBytes(id, null)
              .compose(bytes ->
                  table
                      .write(RunStatements.delete(id))
                      .onSuccess(gone -> {
                        tidy(id, used);
                        giveBack(stored.spec(), bytes);
                      }));
        });
  }

  /** A server that ends before it has done so counts when it starts. */
  private void giveBack(RunSpec run, long bytes) {
    charges
        .remove(run, bytes)
        .onFailure(failure ->
            LOG.warn(
                "could not give back the storage of run {}: {}",
                run.id(),
                Problem.of(failure).detail()));
  }

  private void tidy(RunId id, Set<String> used) {
    for (String platform : used) {
      platforms
          .service(platform)
          .compose(service -> service.remove(id.owner()))
          .onFailure(failure ->
              LOG.warn(
                  "could not delete what run {} left on {}: {}",
                  id,
                  platform,
                  failure.getMessage()));
    }
    vertx
        .executeBlocking(() -> discard(StepDirectories.all(home), id), false)
        .onFailure(failure ->
            LOG.warn("could not delete the directory of run {}: {}", id, failure.getMessage()));
  }

  private static @Nullable Void discard(Path runs, RunId id) throws IOException {
    Path directory = runs.resolve(id.value());
    if (Files.isDirectory(directory)) {
      Path aside = runs.resolve(RunSweep.DISCARDED + id.value());
      Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
      DirectoryTree.delete(aside);
    }
    return null;
  }
}
