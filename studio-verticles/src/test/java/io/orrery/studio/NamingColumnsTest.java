package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions.Place;
import io.orrery.studio.notebook.NotebookTable;
import io.orrery.studio.retention.UnnamedFiles;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Has each column with texts decided upon: a new one is searched for names of environments and
 * copies of code, or is known to name none.
 */
class NamingColumnsTest extends StudioFixture {
  /** The tables that describe nothing that runs; a schedule stands in its pipeline too. */
  private static final Set<String> OTHERS =
      Set.of(
          "artifact_files",
          "audit",
          "deployments",
          "domains",
          "environment_choices",
          "external_ids",
          "images",
          "join_requests",
          "migrations",
          "model_aliases",
          "model_versions",
          "models",
          "notebook_events",
          "notebook_shares",
          "personal_tokens",
          "project_members",
          "project_secrets",
          "projects",
          "pushed_images",
          "quota_holdings",
          "quota_ledgers",
          "registries",
          "store_identity",
          "store_owner",
          "store_release",
          "retention_passes",
          "retention_rules",
          "scalings",
          "schedules",
          "service_ports",
          "sessions",
          "setup_codes",
          "tracking_experiments",
          "tracking_metrics",
          "tracking_params",
          "tracking_points",
          "tracking_runs",
          "tracking_tags",
          "usage_sums",
          "users");

  /** The columns of searched tables that hold single words. */
  private static final Set<String> WORDS =
      Set.of(
          "audience",
          "author",
          "id",
          "name",
          "owner",
          "pipeline",
          "project",
          "reason",
          "run",
          "run_status",
          "seen",
          "service",
          "stage",
          "started_by",
          "status");

  private record Column(String table, String name) {}

  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("studio.db"));
  }

  @Test
  void eachColumnWithTextsIsSearchedOrKnownToNameNothing() throws Exception {
    success(NotebookTable.MIGRATIONS.apply(store));
    List<Column> all =
        success(
            store.read(
                Statement.of(
                    "select t.name as tab, c.name as col from sqlite_master t"
                        + " join pragma_table_info(t.name) c"
                        + " where t.type = 'table' and upper(c.type) = 'TEXT'"),
                row -> new Column(row.text("tab"), row.text("col"))));
    Set<String> searched =
        UnnamedFiles.places().stream().map(Place::table).collect(Collectors.toSet());

    assertThat(all.stream().map(Column::table).filter(table -> !searched.contains(table)))
        .as("tables that are not searched")
        .allMatch(OTHERS::contains);
    assertThat(
            all.stream()
                .filter(column -> searched.contains(column.table()))
                .filter(column -> !WORDS.contains(column.name())))
        .as("columns that are searched")
        .containsExactlyInAnyOrderElementsOf(
            UnnamedFiles.places().stream()
                .flatMap(
                    place -> place.texts().stream().map(text -> new Column(place.table(), text)))
                .toList());
  }
}
