package io.orrery.orchestrator.action;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelStage;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.StepWork;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Registers a version of a model. The version has tags with run, step and attempt, by which an
 * owner that takes over finds the one that was registered already.
 */
final class RegistrationWork implements ServerWork {
  private static final String RUN = "orrery.run";
  private static final String STEP = "orrery.step";
  private static final String ATTEMPT = "orrery.attempt";

  private final WorkContext context;
  private final StepWork.Registration wanted;
  private final @Nullable String experiment;
  private final @Nullable Path files;
  private volatile boolean canceled;

  RegistrationWork(
      WorkContext context,
      StepWork.Registration wanted,
      @Nullable String experiment,
      @Nullable Path files) {
    this.context = context;
    this.wanted = wanted;
    this.experiment = experiment;
    this.files = files;
  }

  @Override
  public Future<Map<String, String>> start() {
    return experimentOfProject()
        .compose(own -> earlier())
        .compose(found ->
            found.isPresent()
                ? Future.succeededFuture(found.get())
                : collected().compose(this::register))
        .map(version ->
            Map.of("model", wanted.model().value(), "version", version.version().value()));
  }

  /** Files are taken from an experiment of the run's project alone: its id is a step's output. */
  private Future<Void> experimentOfProject() {
    if (experiment == null) {
      return Future.succeededFuture();
    }
    if (!ExperimentId.valid(experiment)) {
      return Future.failedFuture(noExperiment());
    }
    return context
        .bus()
        .request(Experiments.OWNERSHIP, new Experiments.GetOwnership(new ExperimentId(experiment)))
        .map(ResourceOwner::project)
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(noExperiment())
                : Future.failedFuture(failure))
        .map(project -> {
          if (!project.equals(context.project())) {
            throw noExperiment();
          }
          return null;
        });
  }

  private RuntimeException noExperiment() {
    return new Problem.Refused(
            new Finding(
                "",
                "there is no experiment '%s' in project %s"
                    .formatted(experiment, context.project())))
        .toException();
  }

  /** The version that this attempt has registered before it was broken off. */
  private Future<Optional<Models.Version>> earlier() {
    return context
        .bus()
        .request(Models.GET, new Models.GetModel(wanted.model()))
        .compose(model -> {
          context.checkMayChange("model " + wanted.model(), model.project(), model.owner());
          return context
              .bus()
              .request(Models.VERSIONS, new Models.ListVersions(wanted.model(), null, null, 100));
        })
        .map(page ->
            page.items().stream()
                .filter(version -> version.about().tags().entrySet().containsAll(tags().entrySet()))
                .findFirst())
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure));
  }

  private Map<String, String> tags() {
    return Map.of(
        RUN,
        context.run().value(),
        STEP,
        context.step(),
        ATTEMPT,
        Integer.toString(context.attempt()));
  }

  private Future<Models.Version> register(List<ArtifactFile> uploaded) {
    checkGoesOn();
    String source =
        Json.write(
            Json.MAPPER
                .createObjectNode()
                .put("run", context.run().value())
                .put("step", context.step()));
    return context
        .bus()
        .request(
            Models.REGISTER,
            new Models.RegisterVersion(
                context.actor(),
                wanted.model(),
                context.project(),
                true,
                wanted.version(),
                null,
                uploaded,
                experiment == null
                    ? null
                    : new Models.FromTrial(new ExperimentId(experiment), null, ""),
                null,
                new Models.About(ModelStage.NONE, "", wanted.framework(), "{}", source, tags()),
                wanted.aliases(),
                false));
  }

  // ---- files ---------------------------------------------------------------------------------

  private record Found(String path, Path file) {}

  /** The files of the model, uploaded. */
  private Future<List<ArtifactFile>> collected() {
    Path from = files;
    if (from == null) {
      return Future.succeededFuture(List.of());
    }
    return context
        .vertx()
        .executeBlocking(() -> found(from), false)
        .compose(all -> {
          List<ArtifactFile> uploaded = new ArrayList<>(all.size());
          return AsyncLoop.inTurn(all, file -> upload(file).onSuccess(uploaded::add)).map(uploaded);
        });
  }

  private static List<Found> found(Path from) throws IOException {
    if (Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)) {
      return List.of(new Found(Objects.requireNonNull(from.getFileName()).toString(), from));
    }
    try (Stream<Path> all = Files.walk(from)) {
      List<Found> found =
          all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
              .sorted()
              .limit(Artifacts.MOST_FILES + 1L)
              .map(path -> new Found(from.relativize(path).toString(), path))
              .toList();
      if (found.isEmpty() || found.size() > Artifacts.MOST_FILES) {
        throw new Problem.Refused(
                new Finding(
                    "",
                    "a model has 1 to %,d files, not %s"
                        .formatted(
                            Artifacts.MOST_FILES, found.isEmpty() ? "none" : "more of them")))
            .toException();
      }
      return found;
    }
  }

  private Future<ArtifactFile> upload(Found file) {
    String upload = UUID.randomUUID().toString().replace("-", "");
    AtomicLong end = new AtomicLong();
    return AsyncLoop.repeat(() ->
            addPart(file.file(), upload, end.get())
                .map(bytes -> {
                  end.addAndGet(bytes);
                  return bytes == Artifacts.PART;
                }))
        .compose(all -> {
          checkGoesOn();
          return context
              .bus()
              .request(Artifacts.COMMIT, new Artifacts.Commit(upload, end.get(), null));
        })
        .map(stored -> new ArtifactFile(file.path(), stored.digest(), stored.bytes()));
  }

  /** Completes with the bytes of the part, fewer than {@link Artifacts#PART} at the file's end. */
  private Future<Integer> addPart(Path file, String upload, long offset) {
    return context
        .vertx()
        .executeBlocking(() -> piece(file, offset), false)
        .compose(bytes -> {
          checkGoesOn();
          return context
              .bus()
              .request(Artifacts.ADD_PART, new Artifacts.AddPart(upload, offset, bytes))
              .map(bytes.length);
        });
  }

  private static byte[] piece(Path file, long offset) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long left = Math.max(0, channel.size() - offset);
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(Artifacts.PART, left));
      while (piece.hasRemaining() && channel.read(piece, offset + piece.position()) > 0) {
        // Goes on until the piece is full.
      }
      byte[] bytes = new byte[piece.position()];
      piece.flip().get(bytes);
      return bytes;
    }
  }

  private void checkGoesOn() {
    if (canceled) {
      throw new Problem.Conflict("the registration was stopped").toException();
    }
  }

  @Override
  public void leave() {
    canceled = true;
  }

  @Override
  public void cancel() {
    canceled = true;
  }
}
