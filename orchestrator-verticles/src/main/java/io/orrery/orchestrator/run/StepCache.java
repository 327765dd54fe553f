package io.orrery.orchestrator.run;

import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.run.RunTable.Reusable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the outputs of an equal step that has run before, with the reason of each hit and miss. */
final class StepCache {
  private final Vertx vertx;
  private final Clock clock;
  private final RunTable table;
  private final RunArtifacts artifacts;

  StepCache(Vertx vertx, Clock clock, RunTable table, RunArtifacts artifacts) {
    this.vertx = vertx;
    this.clock = clock;
    this.table = table;
    this.artifacts = artifacts;
  }

  /**
   * The outcome of a look for outputs of an equal step.
   *
   * @param outputs null when there are none
   */
  record Reused(@Nullable Reusable outputs, String reason) {}

  Future<Reused> find(RunSpec run, StepSpec step, ResolvedStep resolved) {
    Duration life = step.cache();
    if (life == null) {
      return Future.succeededFuture(new Reused(null, ""));
    }
    if (!run.cached()) {
      return Future.succeededFuture(new Reused(null, "cache: it is off for this run"));
    }
    String name = resolved.key().substring(0, 12);
    return table
        .reusable(resolved.key(), run.project(), clock.now().minus(life))
        .compose(found -> {
          if (found.isEmpty()) {
            return Future.succeededFuture(
                new Reused(
                    null,
                    "cache: no step of project %s had the key %s within the last %s"
                        .formatted(run.project(), name, words(life))));
          }
          Reusable equal = found.get();
          return vertx
              .executeBlocking(() -> artifacts.has(equal.outputs()), false)
              .map(there ->
                  there
                      ? new Reused(
                          equal,
                          "cache: taken from step %s of run %s, which ended at %s (key %s)"
                              .formatted(equal.step(), equal.run(), equal.endedAt(), name))
                      : new Reused(
                          null, "cache: the artifacts of run %s are gone".formatted(equal.run())));
        });
  }

  private static String words(Duration life) {
    return life.toDays() > 0 && life.equals(Duration.ofDays(life.toDays()))
        ? life.toDays() + "d"
        : life.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
