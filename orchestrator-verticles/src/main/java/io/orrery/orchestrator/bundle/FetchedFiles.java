package io.orrery.orchestrator.bundle;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.bus.contract.WorkloadFiles;
import io.orrery.core.bus.contract.WorkloadFiles.Archive;
import io.orrery.core.file.TarView;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The archives of code and models that pods fetch, read piece by piece: code as it was uploaded, a
 * model from its directory on this machine. Used on one context.
 */
public final class FetchedFiles {
  /** The most directories whose list of files is kept between two pieces. */
  private static final int MOST_VIEWS = 16;

  private final Vertx vertx;
  private final BundleFolder bundles;
  private final ModelFolder models;

  /** By the digest of the model, the one that was read last at the end. */
  private final Map<String, Future<TarView>> views =
      new LinkedHashMap<>(MOST_VIEWS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Future<TarView>> eldest) {
          return size() > MOST_VIEWS;
        }
      };

  public FetchedFiles(Vertx vertx, BundleFolder bundles, ModelFolder models) {
    this.vertx = vertx;
    this.bundles = bundles;
    this.models = models;
  }

  /** Answers {@link WorkloadFiles#READ}. */
  public Future<?> serve(Bus bus) {
    return bus.serve(WorkloadFiles.READ, this::read);
  }

  private Future<Piece> read(WorkloadFiles.Read asked) {
    Archive archive = asked.archive();
    return switch (archive.kind()) {
      case CODE -> bundles.packed(archive.digest(), asked.offset(), asked.limit());
      case MODEL -> view(archive.digest()).compose(view -> piece(view, asked));
    };
  }

  private Future<Piece> piece(TarView view, WorkloadFiles.Read asked) {
    return vertx
        .executeBlocking(() -> view.read(asked.offset(), asked.limit()), false)
        .map(bytes -> new Piece(bytes, asked.offset() + bytes.length, view.size()));
  }

  private Future<TarView> view(String digest) {
    Future<TarView> known = views.get(digest);
    if (known != null) {
      return known;
    }
    Path directory = models.used(digest);
    Future<TarView> view =
        vertx.executeBlocking(
            () -> {
              if (!Files.isDirectory(directory)) {
                throw new Problem.NotFound("There is no model sha256:" + digest + " here.")
                    .toException();
              }
              return TarView.of(directory);
            },
            false);
    views.put(digest, view);
    return view.onFailure(failure -> views.remove(digest, view));
  }
}
