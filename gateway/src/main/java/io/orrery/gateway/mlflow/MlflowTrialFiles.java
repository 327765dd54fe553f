package io.orrery.gateway.mlflow;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.StoredFile;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;

/** The files that a trial's last attempt left on this server, as the artifacts of a run. */
final class MlflowTrialFiles {
  private final Bus bus;

  MlflowTrialFiles(Bus bus) {
    this.bus = bus;
  }

  /**
   * The sizes of the files below a directory, or of one file, by path. A trial of a platform that
   * keeps its files elsewhere has none here.
   *
   * @param path empty for all
   */
  Future<Map<String, Long>> sizes(TrialRef trial, String path) {
    return bus.request(TrialKeepers.FILES, new TrialKeepers.ListFiles(trial, null))
        .map(list -> {
          Map<String, Long> sizes = new TreeMap<>();
          for (StoredFile file : list.files()) {
            if (path.isEmpty() || file.path().equals(path) || file.path().startsWith(path + "/")) {
              sizes.put(file.path(), file.bytes());
            }
          }
          return sizes;
        })
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(Map.of())
                : Future.failedFuture(failure));
  }

  /** A piece of a file. */
  Future<TrialKeepers.Piece> read(TrialRef trial, String path, long from, int limit) {
    return bus.request(
        TrialKeepers.FILE, new TrialKeepers.ReadFile(trial, null, path, from, limit));
  }
}
