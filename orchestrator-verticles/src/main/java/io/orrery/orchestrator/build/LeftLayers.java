package io.orrery.orchestrator.build;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.orchestrator.retention.LeftFiles;
import io.orrery.orchestrator.retention.LeftSearch;
import io.orrery.orchestrator.retention.RemovalProgram;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The images and layers that builds of images keep on this machine, for each project. They are
 * moved aside in one step while no build of the project runs, and then deleted: a build finds all
 * of them or none. What a server that was killed has left aside is deleted first.
 */
final class LeftLayers implements LeftFiles {
  private static final String ASIDE = ".old";
  private static final List<String> PARTS = List.of("layers", "run");

  private final Bus bus;
  private final BuildSettings settings;
  private final RemovalProgram program;
  private final BuildPause pause;
  private final WorkerExecutor threads;

  /**
   * Those below the root of builds.
   *
   * @param pause of the builds of a project, while its layers are removed
   */
  LeftLayers(Vertx vertx, Bus bus, BuildSettings settings, SearchPath programs, BuildPause pause) {
    this.bus = bus;
    this.settings = settings;
    this.program = new RemovalProgram(programs);
    this.pause = pause;
    this.threads = LeftFiles.threads(vertx);
  }

  @Override
  public Future<OldFiles.Found> find(Instant before) {
    return builds(null)
        .compose(builds -> threads.executeBlocking(() -> old(builds, before), false));
  }

  /**
   * The builds of a project.
   *
   * @param project null for those of all
   */
  private Future<List<ImageBuild>> builds(@Nullable ProjectName project) {
    List<ProjectName> among = project == null ? null : List.of(project);
    return bus.request(Builds.LIST, new Builds.ListBuilds(among, null, null, null))
        .map(Builds.BuildList::items);
  }

  private OldFiles.Found old(List<ImageBuild> builds, Instant before) throws IOException {
    LeftSearch search = new LeftSearch("layers");
    if (!Files.isDirectory(settings.root())) {
      return search.found();
    }
    try (DirectoryStream<Path> projects = Files.newDirectoryStream(settings.root())) {
      for (Path each : projects) {
        String name = each.getFileName().toString();
        if (ProjectName.valid(name)) {
          search.in(
              each, () -> old(each, new ProjectName(name), builds, before).ifPresent(search::add));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return search.found();
  }

  private static Optional<OldObject> old(
      Path storage, ProjectName project, List<ImageBuild> builds, Instant before)
      throws IOException {
    Path layers = storage.resolve("layers");
    boolean aside = Files.isDirectory(storage.resolve("layers" + ASIDE), LinkOption.NOFOLLOW_LINKS);
    if (!aside && !Files.isDirectory(layers, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    List<ImageBuild> own =
        builds.stream()
            .filter(build -> build.project().equals(project) && !build.spec().isEnvironment())
            .toList();
    Instant since =
        Stream.concat(
                own.stream().map(ImageBuild::endedAt).filter(Objects::nonNull),
                Stream.of(changed(aside ? storage.resolve("layers" + ASIDE) : layers)))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    if (!aside && !since.isBefore(before)) {
      return Optional.empty();
    }
    String user =
        own.stream()
            .filter(build -> !build.status().isOver())
            .map(build -> "build " + build.name())
            .findFirst()
            .orElse(null);
    return Optional.of(new OldObject(Kind.LAYERS, project.value(), project, 1, since, user));
  }

  /** The last change of the directory, or of what lies in it: buildah writes files there. */
  private static Instant changed(Path layers) throws IOException {
    Instant last = Files.getLastModifiedTime(layers, LinkOption.NOFOLLOW_LINKS).toInstant();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(layers)) {
      for (Path each : all) {
        Instant one = Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS).toInstant();
        last = one.isAfter(last) ? one : last;
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return last;
  }

  @Override
  public Future<?> remove(OldObject object, Instant before) {
    ProjectName project = Objects.requireNonNull(object.project());
    return threads.executeBlocking(
        () -> {
          // The pause begins when it is the turn of this removal, not while another one lasts.
          value(pause.begin(project));
          try {
            remove(project, value(builds(project)), before);
          } finally {
            pause.end(project);
          }
          return null;
        },
        false);
  }

  /** The value of a future, for the thread of removals, which may wait. */
  private static <T> T value(Future<T> future) throws InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw Problem.of(Objects.requireNonNull(e.getCause())).toException();
    }
  }

  private void remove(ProjectName project, List<ImageBuild> builds, Instant before)
      throws IOException, InterruptedException {
    Path storage = settings.root().toAbsolutePath().normalize().resolve(project.value());
    OldObject found =
        old(storage, project, builds, before)
            .orElseThrow(() ->
                new Problem.Conflict("Project %s has built meanwhile.".formatted(project))
                    .toException());
    if (found.usedBy() != null) {
      throw new Problem.Conflict("%s is under way.".formatted(found.usedBy())).toException();
    }
    delete(storage);
    if (changed(storage.resolve("layers"), before)) {
      return;
    }
    for (String part : PARTS) {
      Path whole = storage.resolve(part);
      if (Files.isDirectory(whole, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(whole, storage.resolve(part + ASIDE), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    delete(storage);
  }

  private static boolean changed(Path layers, Instant before) throws IOException {
    return !Files.isDirectory(layers, LinkOption.NOFOLLOW_LINKS)
        || !changed(layers).isBefore(before);
  }

  /** Deletes what is aside, with the rights and in the user namespace of the builds. */
  private void delete(Path storage) throws IOException, InterruptedException {
    List<Path> aside = PARTS.stream().map(part -> storage.resolve(part + ASIDE)).toList();
    for (Path each : aside) {
      if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
        run(storage, each);
        Files.delete(each);
      }
    }
  }

  private void run(Path storage, Path directory) throws IOException, InterruptedException {
    boolean root = System.getProperty("user.name", "").equals("root");
    List<String> command = new ArrayList<>(settings.asUser());
    if (settings.user() != null || !root) {
      command.addAll(List.of("buildah", "unshare"));
    }
    command.addAll(
        List.of(
            "find",
            directory.toString(),
            "-mindepth",
            "1",
            "-maxdepth",
            "1",
            "-exec",
            "rm",
            "-rf",
            "{}",
            "+"));
    RemovalProgram.Ended ended = program.run(command, storage);
    if (ended.code() != 0) {
      throw new Problem.Broken("%s cannot be deleted: %s".formatted(directory, ended.said()))
          .toException();
    }
  }

  @Override
  public Future<?> close() {
    return threads.close();
  }
}
