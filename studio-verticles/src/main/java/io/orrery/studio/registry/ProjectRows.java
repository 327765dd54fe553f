package io.orrery.studio.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads rows of tables that have a column {@code project}. */
final class ProjectRows {
  private ProjectRows() {}

  /**
   * Reads the rows of some projects.
   *
   * @param among null for all projects
   */
  static <T> Future<List<T>> read(
      Store store,
      String select,
      @Nullable List<ProjectName> among,
      String order,
      Function<Row, T> each) {
    String by = " order by " + order;
    if (among == null) {
      return store.read(Statement.of(select + by), each);
    }
    if (among.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return store.read(
        new Statement(
            select + " where project in " + Statement.marks(among.size()) + by,
            among.stream().<@Nullable Object>map(ProjectName::value).toList(),
            null),
        each);
  }
}
