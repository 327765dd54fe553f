package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbered schema changes of one module. A program works with a store that a newer one has
 * changed, because a change adds something that may be left out; a change that takes something away
 * is named {@code NNNN-what-breaking.sql}, and programs that do not know it refuse the store. Files
 * lie beside the module's table class as {@code NNNN-what.sql}; a file that has been released is
 * never edited, the next one changes what it did. Where an engine needs other SQL, {@code
 * NNNN-what.postgresql.sql} (or {@code .sqlite}) beside it takes its place there.
 *
 * @param module whose tables these are
 * @param owner a class of the package that holds the files
 * @param files names in their order, the number of each one more than that of the one before
 */
public record Migrations(String module, Class<?> owner, List<String> files) {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final String BREAKING = "-breaking.";
  private static final Statement TABLE =
      Statement.of(
          "create table if not exists migrations (module text not null, number integer not null,"
              + " name text not null, primary key (module, number))");

  public Migrations {
    files = List.copyOf(files);
    for (int i = 0; i < files.size(); i++) {
      if (number(files.get(i)) != i + 1) {
        throw new IllegalArgumentException("migration " + (i + 1) + " is named " + files.get(i));
      }
    }
  }

  /**
   * Brings the schema up to the newest number, one transaction for each file. Servers that share a
   * store may do so at once: who comes second fails, looks again, and goes on behind the first.
   *
   * @return fails with Broken when a newer version of the product has changed the store so that
   *     this one cannot work with it
   */
  public Future<Void> apply(Store store) {
    return apply(store, -1);
  }

  /**
   * @param before how far it was when this was tried last, less than zero for never
   */
  private Future<Void> apply(Store store, int before) {
    return store
        .write(List.of(TABLE))
        .recover(failure -> store.write(List.of(TABLE)))
        .compose(done -> applied(store))
        .compose(last -> applyFrom(store, last))
        .recover(
            failure -> applied(store).compose(last -> afterFailure(store, before, last, failure)));
  }

  private Future<Void> afterFailure(Store store, int before, int last, Throwable failure) {
    if (last == files.size()) {
      return Future.succeededFuture();
    }
    // Beyond what is known here, it was decided before whether this program may go on.
    return last > before && last < files.size() ? apply(store, last) : Future.failedFuture(failure);
  }

  private Future<Integer> applied(Store store) {
    return store
        .read(
            Statement.of(
                "select coalesce(max(number), 0) as last from migrations where module = ?", module),
            row -> (int) row.integer("last"))
        .map(List::getFirst);
  }

  private Future<Void> applyFrom(Store store, int applied) {
    if (applied > files.size()) {
      return unknown(store).compose(names -> meetNewer(applied, names));
    }
    Future<Void> chain = Future.succeededFuture();
    for (String file : files.subList(applied, files.size())) {
      chain = chain.compose(done -> store.write(statements(file, store.engine())));
    }
    return chain;
  }

  /** The names of the changes that this program does not know. */
  private Future<List<String>> unknown(Store store) {
    return store.read(
        Statement.of(
            "select name from migrations where module = ? and number > ? order by number",
            module,
            files.size()),
        row -> row.text("name"));
  }

  private Future<Void> meetNewer(int applied, List<String> names) {
    String found =
        "the store is at version %d of %s, this program knows only %d"
            .formatted(applied, module, files.size());
    List<String> breaking = names.stream().filter(Migrations::isBreaking).toList();
    if (!breaking.isEmpty()) {
      return Future.failedFuture(
          new Problem.Broken(
                  found
                      + ": a newer Orrery has changed it so that this one cannot use it ("
                      + String.join(", ", breaking)
                      + "); start the newer version")
              .toException());
    }
    LOG.warn("{}; a newer Orrery has added to it, which this one leaves alone", found);
    return Future.succeededFuture();
  }

  private List<Statement> statements(String file, Engine engine) {
    List<Statement> statements = new ArrayList<>();
    sql(file, engine).forEach(sql -> statements.add(Statement.of(sql)));
    statements.add(
        Statement.of(
            "insert into migrations (module, number, name) values (?, ?, ?)",
            module,
            number(file),
            file));
    return statements;
  }

  /** The statements of a file, without the one that notes it. */
  List<String> sql(String file, Engine engine) {
    return Arrays.stream(load(file, engine).replaceAll("(?m)--.*$", "").split(";"))
        .filter(sql -> !sql.isBlank())
        .map(String::strip)
        .toList();
  }

  private String load(String file, Engine engine) {
    String own = file.replaceFirst("\\.sql$", engine.suffix() + ".sql");
    try (InputStream in = owner.getResourceAsStream(owner.getResource(own) == null ? file : own)) {
      if (in == null) {
        throw new IllegalStateException("no migration " + file + " beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether programs that do not know a migration cannot use the store. */
  static boolean isBreaking(String name) {
    return name.contains(BREAKING);
  }

  private static int number(String file) {
    return Integer.parseInt(file.substring(0, 4));
  }
}
