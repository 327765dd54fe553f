package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;

/**
 * The newest release of the product that has opened a store. A program works with what the release
 * after its own has stored: that one is tested beside it. What a later one stores, it may read
 * wrongly without any change of the schema, so it does not start there.
 *
 * @param number counts the minor releases, the first of which is 0.1
 * @param name the version without its last number
 */
public record StoreRelease(int number, String name) {
  /** The release of this program, which the changelog describes first. */
  public static final StoreRelease CURRENT = new StoreRelease(2, "0.2");

  public static final Migrations MIGRATIONS =
      new Migrations("releases", StoreRelease.class, List.of("0001-releases.sql"));

  /** The newest release that has opened a store that has these migrations; see {@link #of}. */
  static final Statement NEWEST = Statement.of("select number, name from store_release");

  /** The one of a row of {@link #NEWEST}. */
  static StoreRelease of(Row row) {
    return new StoreRelease((int) row.integer("number"), row.text("name"));
  }

  /** Whether a program of this release works with a store that another one has opened. */
  boolean worksAfter(StoreRelease newest) {
    return newest.number() <= number + 1;
  }

  /** The sentence on what is wrong where it does not. */
  String refusal(StoreRelease newest) {
    return "Orrery %s has opened the database, and this is %s, which knows what the release after it stores, not what later ones do"
        .formatted(newest.name(), name);
  }

  /** The advice for that case. */
  String remedy(StoreRelease newest) {
    return "start Orrery %s or the release before it, or restore a backup that %s has made"
        .formatted(newest.name(), name);
  }

  /**
   * Notes that a program of this release opens a store; before it changes anything else there.
   *
   * @return fails with Conflict when a release has opened it that this one does not know enough of
   */
  public Future<Void> open(Store store) {
    return MIGRATIONS
        .apply(store)
        .compose(done -> store.read(NEWEST, StoreRelease::of))
        .compose(rows -> {
          for (StoreRelease newest : rows) {
            if (!worksAfter(newest)) {
              return Future.failedFuture(
                  new Problem.Conflict(refusal(newest) + "; " + remedy(newest)).toException());
            }
          }
          return rows.stream().anyMatch(newest -> newest.number() >= number)
              ? Future.succeededFuture()
              : note(store);
        });
  }

  /** Leaves a newer one that has come meanwhile. */
  private Future<Void> note(Store store) {
    return store.write(
        List.of(
            Statement.of(
                "insert into store_release (id, number, name) values (1, ?, ?)"
                    + " on conflict (id) do update"
                    + " set number = excluded.number, name = excluded.name"
                    + " where store_release.number < excluded.number",
                number,
                name)));
  }
}
