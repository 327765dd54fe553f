package io.orrery.orchestrator.run;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.run.RunId;
import io.orrery.core.sql.Statement;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what runs leave in a home directory, once an hour: the directories of failed attempts a
 * week after their run has ended, empty directories of runs at once, drafts of artifacts that a
 * killed server has left, after a day, and artifacts that no run has any more, or ever had.
 */
final class RunSweep {
  private static final Logger LOG = LoggerFactory.getLogger(RunSweep.class);
  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration KEPT = Duration.ofDays(7);
  private static final Duration DRAFT_LIFE = Duration.ofDays(1);
  private static final Duration LOOK = Duration.ofDays(1);
  private static final int MOST = 10_000;

  /** Names of artifacts, and of what a check of the store has written. */
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}|check-[0-9a-f-]{36}");

  static final String DISCARDED = "discarded-";

  private final Vertx vertx;
  private final Clock clock;
  private final RunTable table;
  private final RunArtifacts artifacts;
  private final Path runs;
  private final Predicate<RunId> inMemory;
  private Clock.@Nullable Timer next;
  private @Nullable Instant looked;
  private boolean closed;

  /**
   * @param inMemory tells runs whose directories may be in use; asked on the context of the caller
   */
  RunSweep(
      Vertx vertx,
      Clock clock,
      RunTable table,
      RunArtifacts artifacts,
      Path home,
      Predicate<RunId> inMemory) {
    this.vertx = vertx;
    this.clock = clock;
    this.table = table;
    this.artifacts = artifacts;
    this.runs = StepDirectories.all(home);
    this.inMemory = inMemory;
  }

  /** Sweeps now, and once an hour from then on. */
  void start() {
    vertx
        .executeBlocking(
            () -> {
              artifacts.check();
              return null;
            },
            false)
        .onFailure(
            failure -> LOG.warn("could not use the store of artifacts: {}", failure.getMessage()));
    sweep()
        .onFailure(failure ->
            LOG.warn("could not delete directories of old runs: {}", failure.getMessage()))
        .onComplete(done -> {
          if (!closed) {
            next = clock.after(PERIOD, this::start);
          }
        });
  }

  void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }

  Future<Void> sweep() {
    Instant now = clock.now();
    return vertx
        .executeBlocking(
            () -> {
              artifacts.deleteDrafts(now.minus(DRAFT_LIFE));
              return directories();
            },
            false)
        .compose(names -> AsyncLoop.inTurn(names, name -> sweep(new RunId(name), now)))
        .compose(done -> unusedArtifacts(now.minus(DRAFT_LIFE)))
        .compose(done -> {
          if (looked != null && now.isBefore(looked.plus(LOOK))) {
            return Future.succeededFuture();
          }
          looked = now;
          return strays(now.minus(DRAFT_LIFE));
        });
  }

  /**
   * Deletes contents of the home without a row: a server was killed between both. Looks at all
   * names, so it does this once a day.
   */
  private Future<Void> strays(Instant before) {
    return AsyncLoop.pages(last -> closed ? Future.succeededFuture() : strays(last, before));
  }

  private Future<@Nullable String> strays(@Nullable String last, Instant before) {
    return vertx
        .executeBlocking(() -> artifacts.names(last, before), false)
        .compose(names ->
            table
                .knownArtifacts(names.old())
                .compose(known ->
                    vertx.<@Nullable String>executeBlocking(
                        () -> {
                          for (String name : names.old()) {
                            if (NAME.matcher(name).matches() && !known.contains(name)) {
                              artifacts.discardStray(name, before);
                            }
                          }
                          return names.last();
                        },
                        false)));
  }

  /** A step may be about to name an artifact that was found equal: that makes it young again. */
  private Future<Void> unusedArtifacts(Instant before) {
    return table
        .unusedArtifacts(before, MOST)
        .compose(digests ->
            vertx.executeBlocking(
                () -> {
                  List<Statement> gone = new ArrayList<>();
                  for (String digest : digests) {
                    if (artifacts.discard(digest, before)) {
                      gone.add(RunStatements.deleteArtifact(digest));
                    }
                  }
                  return gone;
                },
                false))
        .compose(gone -> gone.isEmpty() ? Future.succeededFuture() : table.write(gone));
  }

  /** The names of the directories of runs, some of them when there are very many. */
  private List<String> directories() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(runs)) {
      for (Path each : all) {
        String name = Objects.requireNonNull(each.getFileName()).toString();
        if (name.startsWith(DISCARDED)) {
          DirectoryTree.delete(each);
        } else if (RunId.valid(name) && names.size() < MOST) {
          names.add(name);
        }
      }
    } catch (NoSuchFileException none) {
      return List.of();
    }
    return names;
  }

  private Future<Void> sweep(RunId run, Instant now) {
    if (closed || inMemory.test(run)) {
      return Future.succeededFuture();
    }
    return table
        .find(run)
        .compose(found -> {
          Instant ended = found.map(row -> row.endedAt()).orElse(null);
          boolean over = found.isPresent() && found.get().status().isOver();
          if (!over || ended == null || inMemory.test(run)) {
            return Future.succeededFuture();
          }
          boolean old = ended.isBefore(now.minus(KEPT));
          return vertx.executeBlocking(() -> discard(run, old), false).mapEmpty();
        });
  }

  /** Renames first: a run that is retried meanwhile makes its directories afresh. */
  private @Nullable Void discard(RunId run, boolean old) throws IOException {
    Path directory = runs.resolve(run.value());
    if (old || isEmpty(directory)) {
      Path aside = runs.resolve(DISCARDED + run.value());
      Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
      DirectoryTree.delete(aside);
    }
    return null;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      return !all.iterator().hasNext();
    }
  }
}
