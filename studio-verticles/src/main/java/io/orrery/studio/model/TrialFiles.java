package io.orrery.studio.model;

import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.Stored;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.StoredFile;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.studio.artifact.ArtifactHandler;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Copies the files that a trial left, with the paths under which the API lists them. The files that
 * the server itself puts there (parameters, output streams) are left out, and so are links.
 */
final class TrialFiles {
  private static final Pattern OURS =
      Pattern.compile("(roles/[^/]+/)?(parameter(_\\d+)?\\.cfg|stdout|stderr|trial\\.log)");

  private final Bus bus;
  private final ArtifactHandler artifacts;

  TrialFiles(Bus bus, ArtifactHandler artifacts) {
    this.bus = bus;
    this.artifacts = artifacts;
  }

  /**
   * Copies files of the last attempt of a trial.
   *
   * @param directory only this file, or those below this directory, whose path they lose; empty for
   *     all
   * @return fails with Refused when there are none, or too many
   */
  Future<List<ArtifactFile>> copy(TrialRef trial, String directory) {
    return bus.request(TrialKeepers.FILES, new TrialKeepers.ListFiles(trial, null))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(new TrialKeepers.FileList(List.of(), false))
                : Future.failedFuture(failure))
        .compose(list -> {
          List<StoredFile> files = chosen(trial, list, directory);
          Future<List<ArtifactFile>> copied = Future.succeededFuture(new ArrayList<>());
          for (StoredFile file : files) {
            copied = copied.compose(before -> add(trial, file, directory, before));
          }
          return copied;
        });
  }

  private static List<StoredFile> chosen(
      TrialRef trial, TrialKeepers.FileList list, String directory) {
    List<StoredFile> files =
        list.files().stream()
            .filter(file -> !OURS.matcher(file.path()).matches())
            .filter(file -> ArtifactPath.within(directory, file.path()))
            .toList();
    if (files.isEmpty()) {
      throw refused(
          directory.isEmpty()
              ? ("trial %s left no files on this server: let it write its model below"
                      + " $NNI_OUTPUT_DIR, or register an upload or a path")
                  .formatted(trial)
              : "trial %s left no file '%s'".formatted(trial, directory));
    }
    if (list.more()) {
      throw refused(
          "trial %s left more than %,d files, which is the most"
              .formatted(trial, Artifacts.MOST_FILES));
    }
    files.forEach(file -> {
      if (!ArtifactPath.valid(file.path())) {
        throw refused("'%s' is no path: %s".formatted(file.path(), ArtifactPath.RULE));
      }
    });
    return files;
  }

  private Future<List<ArtifactFile>> add(
      TrialRef trial, StoredFile file, String directory, List<ArtifactFile> before) {
    return copy(trial, file.path(), artifacts.freshName())
        .map(stored -> {
          before.add(
              new ArtifactFile(
                  ArtifactPath.below(directory, file.path()), stored.digest(), stored.bytes()));
          return before;
        });
  }

  private Future<Stored> copy(TrialRef trial, String path, String upload) {
    AtomicLong at = new AtomicLong();
    return AsyncLoop.repeat(() ->
            bus.request(
                    TrialKeepers.FILE,
                    new TrialKeepers.ReadFile(trial, null, path, at.get(), Artifacts.PART))
                .compose(piece ->
                    artifacts
                        .add(upload, at.getAndSet(piece.next()), piece.bytes())
                        .map(added -> piece.bytes().length > 0 && piece.next() < piece.size())))
        .compose(all -> artifacts.commit(upload, at.get()));
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("/source", message)).toException();
  }
}
