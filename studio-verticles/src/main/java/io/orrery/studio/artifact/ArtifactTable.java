package io.orrery.studio.artifact;

import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** The rows of the trees of artifacts. */
public final class ArtifactTable {
  /** A file itself, or what lies below a directory; texts are compared without a collation. */
  private static final String WITHIN = "(path = ? or substr(path, 1, ?) = ?)";

  private final Store store;

  public ArtifactTable(Store store) {
    this.store = store;
  }

  /**
   * The files of a tree, in the order of their paths.
   *
   * @param directory only that file, or those below that directory; empty for all
   */
  public Future<List<ArtifactFile>> files(String tree, String directory) {
    Statement query =
        directory.isEmpty()
            ? Statement.of(
                "select path, digest, bytes from artifact_files where tree = ?"
                    + " order by path limit ?",
                tree,
                Artifacts.MOST_FILES)
            : Statement.of(
                "select path, digest, bytes from artifact_files where tree = ? and "
                    + WITHIN
                    + " order by path limit ?",
                tree,
                directory,
                directory.length() + 1,
                directory + "/",
                Artifacts.MOST_FILES);
    return store
        .read(
            query,
            row -> new ArtifactFile(row.text("path"), row.text("digest"), row.integer("bytes")))
        // A database may compare texts by its own rules.
        .map(files -> files.stream().sorted((a, b) -> a.path().compareTo(b.path())).toList());
  }

  /** The number of files of a tree. */
  public Future<Long> count(String tree) {
    return store
        .read(
            Statement.of("select count(*) as files from artifact_files where tree = ?", tree),
            row -> row.integer("files"))
        .map(List::getFirst);
  }

  /** The statements that make a new tree. */
  public static List<Statement> insert(String tree, List<ArtifactFile> files) {
    List<Statement> statements = new ArrayList<>();
    files.forEach(file -> statements.add(put(tree, file)));
    return statements;
  }

  /** The statement that puts a file into a tree. */
  public static Statement put(String tree, ArtifactFile file) {
    return Statement.of(
        "insert into artifact_files (tree, path, digest, bytes) values (?, ?, ?, ?)"
            + " on conflict (tree, path) do update set digest = excluded.digest,"
            + " bytes = excluded.bytes",
        tree,
        file.path(),
        file.digest(),
        file.bytes());
  }

  /** The statement that drops a file, or all below a directory; all of the tree when empty. */
  public static Statement drop(String tree, String path) {
    return path.isEmpty()
        ? Statement.of("delete from artifact_files where tree = ?", tree)
        : Statement.of(
            "delete from artifact_files where tree = ? and " + WITHIN,
            tree,
            path,
            path.length() + 1,
            path + "/");
  }

  /** The digests that any tree has. */
  Future<List<String>> used() {
    return store.read(
        Statement.of("select distinct digest from artifact_files"), row -> row.text("digest"));
  }
}
