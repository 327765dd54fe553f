package io.orrery.orchestrator.experiment.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteTablesTest extends TablesContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("test.db"));
  }

  @Test
  void whatStillMovesIsFoundWithoutReadingWhatHasSettled() throws Exception {
    ExperimentId id = new ExperimentId("exp00001");

    assertThat(plan(TrialTable.rowsOfMoving(id))).contains("trials_live");
    assertThat(plan(TrialTable.placesOfMoving(id))).contains("trials_live");
  }

  private String plan(Statement query) throws Exception {
    List<String> steps =
        await(
            store.read(
                Statement.of("explain query plan " + query.sql(), query.arguments().toArray()),
                row -> row.text("detail")));
    return String.join("\n", steps);
  }
}
