package io.orrery.orchestrator.retention;

import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.code.FetchedCode;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions.Form;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directories of code from Git repositories in the workspaces of people. Those directories are
 * people's own: one in which a file was added or changed after it was fetched stays, whatever time
 * of modification that file has.
 */
public final class LeftCode implements LeftFiles {
  private static final int MOST_DEPTH = 50;

  /**
   * The files are written before the instant whose second is in the name: this is for the rest of
   * that second, and for the clock of a file server.
   */
  private static final Duration FETCH = Duration.ofSeconds(5);

  private static final String CHANGED = "its user, who changed files of it";

  private final WorkerExecutor threads;
  private final Workspaces workspaces;
  private final StoredNames names;

  /**
   * Those in the workspaces of people.
   *
   * @param store of the orchestrator
   */
  public LeftCode(Vertx vertx, Store store, Workspaces workspaces) {
    this.threads = LeftFiles.threads(vertx);
    this.workspaces = workspaces;
    this.names = new StoredNames(store, new Form(FetchedCode.MARK, FetchedCode.NAMES));
  }

  @Override
  public Future<OldFiles.Found> find(Instant before) {
    return threads
        .executeBlocking(() -> old(before), false)
        .compose(found -> named(found.items()).map(all -> new OldFiles.Found(all, found.unread())));
  }

  /** Marks copies that are named; those that were changed by hand keep that mark. */
  private Future<List<OldObject>> named(List<OldObject> found) {
    return names
        .marked(found)
        .map(marked -> {
          List<OldObject> all = new ArrayList<>();
          for (int i = 0; i < marked.size(); i++) {
            String by = found.get(i).usedBy();
            all.add(by == null ? marked.get(i) : found.get(i));
          }
          return all;
        });
  }

  private OldFiles.Found old(Instant before) throws IOException {
    LeftSearch search = new LeftSearch("code");
    if (!Files.isDirectory(workspaces.root())) {
      return search.found();
    }
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            workspaces.root(), each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))) {
      for (Path workspace : all) {
        search.in(workspace, () -> find(workspace, before, search));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return search.found();
  }

  private static void find(Path workspace, Instant before, LeftSearch search) throws IOException {
    String user = workspace.getFileName().toString();
    try (ConfinedDirectory code = open(workspace)) {
      for (String name : code.names()) {
        search.in(
            workspace.resolve(FetchedCode.DIRECTORY).resolve(name),
            () -> find(user, code, name, before).ifPresent(search::add));
      }
    }
  }

  private static ConfinedDirectory open(Path workspace) throws IOException {
    return ConfinedDirectory.open(workspace, Path.of(FetchedCode.DIRECTORY));
  }

  private static Optional<OldObject> find(
      String user, ConfinedDirectory code, String name, Instant before) throws IOException {
    Instant at = FetchedCode.fetchedAt(name).orElse(null);
    if (at == null || !at.isBefore(before) || !code.attributes(name).isDirectory()) {
      return Optional.empty();
    }
    boolean changed;
    try (ConfinedDirectory tree = code.below(name)) {
      changed = isChanged(tree, at.plus(FETCH), 0);
    }
    return Optional.of(
        new OldObject(
            Kind.CODE, FetchedCode.name(user, name), null, 1, at, changed ? CHANGED : null));
  }

  private static boolean isChanged(ConfinedDirectory tree, Instant fetched, int depth)
      throws IOException {
    if (depth > MOST_DEPTH) {
      return true;
    }
    for (String name : tree.names()) {
      if (name.equals("__pycache__")) {
        // Python itself writes this.
        continue;
      }
      if (!tree.attributes(name).isDirectory()) {
        if (tree.changedAt(name).isAfter(fetched)) {
          return true;
        }
        continue;
      }
      try (ConfinedDirectory below = tree.below(name)) {
        if (isChanged(below, fetched, depth + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public Future<?> remove(OldObject object, Instant before) {
    return names
        .requireUnnamed(object)
        .compose(unnamed ->
            threads.executeBlocking(
                () -> {
                  remove(object.name(), before);
                  return null;
                },
                false));
  }

  private void remove(String shown, Instant before) throws IOException {
    Path path = Path.of(shown);
    String user = path.getName(0).toString();
    String name = path.getFileName().toString();
    try (ConfinedDirectory code = open(workspaces.root().resolve(user))) {
      OldObject found =
          find(user, code, name, before)
              .orElseThrow(
                  () -> new Problem.NotFound("There is no %s.".formatted(shown)).toException());
      if (found.usedBy() != null) {
        throw new Problem.Conflict("%s is used by %s.".formatted(shown, CHANGED)).toException();
      }
      code.deleteTree(name);
    } catch (NoSuchFileException | ConfinedFile.Unfit none) {
      throw new Problem.NotFound("There is no %s.".formatted(shown)).toException();
    }
  }

  @Override
  public Future<?> close() {
    return threads.close();
  }
}
