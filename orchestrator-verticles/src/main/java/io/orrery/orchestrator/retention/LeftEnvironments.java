package io.orrery.orchestrator.retention;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions.Form;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The directories of environments of Python packages. One is old since it was complete; one that
 * was never complete, or whose removal was cut short, can be used by nothing and is old at once.
 * The directory itself stays, with the file by whose lock its builds take turns: it is what makes a
 * build that waits and a removal never meet.
 */
public final class LeftEnvironments implements LeftFiles {
  private static final int BUSY = 75;
  private static final int RENEWED = 76;

  /** The marker of completeness goes first, so that nothing begins in half an environment. */
  private static final String SCRIPT =
      String.join(
          "\n",
          "set -eu",
          EnvironmentLock.open("$1"),
          "flock -n 9 || exit " + BUSY,
          "if [ -e \"$1/complete\" ]; then",
          "  [ \"$(stat -c %Y \"$1/complete\")\" -lt \"$2\" ] || exit " + RENEWED,
          "  rm -f \"$1/complete\"",
          "  sync -f \"$1\" 2>/dev/null || :",
          "fi",
          "find \"$1\" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +");

  private final EnvironmentPlace place;
  private final RemovalProgram program;
  private final WorkerExecutor threads;
  private final StoredNames names;

  /**
   * Those below the directory of all builds.
   *
   * @param store of the orchestrator
   * @param programs where {@code flock} is found
   */
  public LeftEnvironments(Vertx vertx, Store store, EnvironmentPlace place, SearchPath programs) {
    this(vertx, store, place, new RemovalProgram(programs));
  }

  LeftEnvironments(Vertx vertx, Store store, EnvironmentPlace place, RemovalProgram program) {
    this.place = place;
    this.program = program;
    this.threads = LeftFiles.threads(vertx);
    this.names = new StoredNames(store, new Form(EnvironmentName.DIGEST, EnvironmentName.DIGESTS));
  }

  @Override
  public Future<OldFiles.Found> find(Instant before) {
    return threads
        .executeBlocking(() -> old(before), false)
        .compose(found ->
            names.marked(found.items()).map(all -> new OldFiles.Found(all, found.unread())));
  }

  private OldFiles.Found old(Instant before) throws IOException {
    LeftSearch search = new LeftSearch("environments");
    for (Path project : children(place.root())) {
      String name = project.getFileName().toString();
      if (ProjectName.valid(name)) {
        search.in(project, () -> find(new ProjectName(name), before, search));
      }
    }
    return search.found();
  }

  private void find(ProjectName project, Instant before, LeftSearch search) throws IOException {
    for (Path each : children(place.of(project))) {
      search.in(each, () -> find(project, each, before).ifPresent(search::add));
    }
  }

  private static Optional<OldObject> find(ProjectName project, Path directory, Instant before)
      throws IOException {
    String digest = EnvironmentName.DIGEST + directory.getFileName();
    if (!EnvironmentName.DIGESTS.matcher(digest).matches()) {
      return Optional.empty();
    }
    Path marker = directory.resolve("complete");
    boolean complete = Files.exists(marker, LinkOption.NOFOLLOW_LINKS);
    Instant since =
        Files.getLastModifiedTime(complete ? marker : directory, LinkOption.NOFOLLOW_LINKS)
            .toInstant();
    return (complete ? since.isBefore(before) : !isEmpty(directory))
        ? Optional.of(new OldObject(Kind.ENVIRONMENTS, digest, project, 1, since, null))
        : Optional.empty();
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> all =
          Files.newDirectoryStream(
              directory, each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))) {
        all.forEach(children::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return children;
  }

  /** Whether there is nothing but the lock. */
  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(directory, each -> !each.endsWith(".lock"))) {
      return !all.iterator().hasNext();
    }
  }

  @Override
  public Future<?> remove(OldObject object, Instant before) {
    return names
        .requireUnnamed(object)
        .compose(unnamed ->
            threads.executeBlocking(
                () -> {
                  remove(directory(object), before);
                  return null;
                },
                false));
  }

  private Path directory(OldObject object) {
    String digest = object.name();
    if (!EnvironmentName.DIGESTS.matcher(digest).matches()) {
      throw new Problem.NotFound("There is no environment %s.".formatted(digest)).toException();
    }
    return place.of(
        Objects.requireNonNull(object.project()),
        digest.substring(EnvironmentName.DIGEST.length()));
  }

  private void remove(Path directory, Instant before) throws IOException, InterruptedException {
    RemovalProgram.Ended ended =
        program.run(
            List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "remove",
                directory.toAbsolutePath().toString(),
                Long.toString(before.getEpochSecond())),
            place.root());
    switch (ended.code()) {
      case 0 -> {}
      case BUSY -> throw new Problem.Conflict("It is being built at this moment.").toException();
      case RENEWED -> throw new Problem.Conflict("It was built again meanwhile.").toException();
      default ->
          throw new Problem.Broken("%s cannot be removed: %s".formatted(directory, ended.said()))
              .toException();
    }
  }

  @Override
  public Future<?> close() {
    return threads.close();
  }
}
