package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.async.KeyedTurns;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.DropFiles;
import io.orrery.core.bus.contract.Artifacts.PutFile;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.artifact.ArtifactHandler;
import io.orrery.studio.artifact.ArtifactTable;
import io.orrery.studio.quota.QuotaHandler;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps the files of tracked runs, and charges them to the storage of their project: one object for
 * all files of a person in it, in the commit that adds or drops them. In one process, those of a
 * project are changed one after the other.
 */
public final class TrackedFiles {
  private static final String KIND = "tracked artifacts";

  /** A change is made again so often when another charge of its project was faster. */
  private static final int TRIES = 50;

  private final Bus bus;
  private final Store store;
  private final ArtifactHandler artifacts;
  private final QuotaHandler quotas;
  private final ArtifactTable table;
  private final TrackedRunTable runs;
  private final KeyedTurns<ProjectName> turns = new KeyedTurns<>();

  public TrackedFiles(Bus bus, Store store, ArtifactHandler artifacts, QuotaHandler quotas) {
    this.bus = bus;
    this.store = store;
    this.artifacts = artifacts;
    this.quotas = quotas;
    this.table = new ArtifactTable(store);
    this.runs = new TrackedRunTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(bus.serve(Artifacts.PUT, this::put), bus.serve(Artifacts.DROP, this::drop));
  }

  /** Puts a file into the tree of a run; fails with TooLarge when it does not fit. */
  public Future<Done> put(PutFile wanted) {
    return run(wanted.tree())
        .compose(run ->
            artifacts
                .present(List.of(wanted.file()))
                .compose(there -> inTurn(run, () -> put(run, wanted.tree(), there.getFirst(), 1))))
        .map(new Done());
  }

  private Future<Void> put(RunInfo run, String tree, ArtifactFile file, int attempt) {
    return commit(
            run,
            () -> added(tree, file),
            "artifact '%s'".formatted(file.path()),
            ArtifactTable.put(tree, file))
        .recover(failure ->
            again(failure, attempt)
                ? put(run, tree, file, attempt + 1)
                : Future.failedFuture(failure));
  }

  /** The bytes by which a tree grows with a file; less than 0 where it replaces a larger one. */
  private Future<Long> added(String tree, ArtifactFile file) {
    return Future.all(table.count(tree), table.files(tree, file.path()))
        .map(found -> {
          if (found.<Long>resultAt(0) >= Artifacts.MOST_FILES) {
            throw new Problem.TooLarge(
                    "A run has at most %,d artifacts.".formatted(Artifacts.MOST_FILES))
                .toException();
          }
          long before =
              found.<List<ArtifactFile>>resultAt(1).stream()
                  .filter(each -> each.path().equals(file.path()))
                  .mapToLong(ArtifactFile::bytes)
                  .sum();
          return file.bytes() - before;
        });
  }

  private Future<Done> drop(DropFiles wanted) {
    return run(wanted.tree())
        .compose(run -> inTurn(run, () -> drop(run, wanted, 1)).map(run))
        .onSuccess(run -> bus.publish(Quotas.FREED, new Quotas.Freed(run.ownership().project())))
        .map(new Done());
  }

  private Future<Void> drop(RunInfo run, DropFiles wanted, int attempt) {
    return commit(
            run,
            () ->
                table
                    .files(wanted.tree(), wanted.path())
                    .map(files -> -files.stream().mapToLong(ArtifactFile::bytes).sum()),
            "",
            ArtifactTable.drop(wanted.tree(), wanted.path()))
        .recover(failure ->
            again(failure, attempt)
                ? drop(run, wanted, attempt + 1)
                : Future.failedFuture(failure));
  }

  private static boolean again(Throwable failure, int attempt) {
    return Problem.of(failure) instanceof Problem.Conflict && attempt < TRIES;
  }

  private Future<Void> commit(
      RunInfo run, Supplier<Future<Long>> by, String what, Statement change) {
    ProjectName project = run.ownership().project();
    String owner = run.ownership().owner();
    return quotas
        .growStorage(new QuotaObject(KIND, project + "/" + owner), project, owner, by, what)
        .compose(charged -> {
          List<Statement> statements = new ArrayList<>(charged);
          statements.add(change);
          return store.write(statements);
        })
        .mapEmpty();
  }

  private Future<RunInfo> run(String tree) {
    String prefix = Artifacts.treeOfRun("");
    if (!tree.startsWith(prefix)) {
      throw new IllegalArgumentException(tree);
    }
    return runs.get(tree.substring(prefix.length()));
  }

  private Future<Void> inTurn(RunInfo run, Supplier<Future<Void>> what) {
    return turns.run(run.ownership().project(), what);
  }
}
