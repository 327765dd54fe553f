package io.orrery.gateway.mlflow;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Folder;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Download;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that a trial's last attempt left on this server, as the artifacts of a run. */
final class MlflowTrialFiles {
  /** The most files and directories of a page. */
  static final int PAGE = 10_000;

  private final Bus bus;

  MlflowTrialFiles(Bus bus) {
    this.bus = bus;
  }

  /**
   * A page of the files and directories in a directory. A trial of a platform that keeps its files
   * elsewhere has none here, and what is no directory has none in it.
   *
   * @param path empty for the first directory
   * @param after where the page begins; null for the first one
   */
  Future<Folder> folder(TrialRef trial, String path, @Nullable String after) {
    return bus.request(
            TrialKeepers.FOLDER, new TrialKeepers.ListFolder(trial, null, path, after, PAGE))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(new Folder(List.of(), null))
                : Future.failedFuture(failure));
  }

  /** The way to read a file; fails with NotFound where there is none of this path. */
  Future<Download.Source> open(TrialRef trial, String path) {
    // Its first byte tells whether it is there, before the answer begins.
    return read(trial, path, 0, 1)
        .map(first -> (Download.Source) (from, limit) -> read(trial, path, from, limit))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(MlflowArtifacts.missing(path))
                : Future.failedFuture(failure));
  }

  private Future<TrialKeepers.Piece> read(TrialRef trial, String path, long from, int limit) {
    return bus.request(
        TrialKeepers.FILE, new TrialKeepers.ReadFile(trial, null, path, from, limit));
  }
}
